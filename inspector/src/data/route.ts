/** Addresses within the page, in the hash, so that every message, request and receipt has a link. */
import { useEffect, useState } from 'preact/hooks'

export const tabs = [
  ...(['messages', 'requests', 'compactions', 'cost', 'ledger'] as const),
  ...(['recall', 'pins', 'events', 'chat'] as const),
] as const
export type Tab = (typeof tabs)[number]

/** As they are read on the screen. */
export const tabNames: Readonly<Record<Tab, string>> = {
  messages: 'Messages',
  requests: 'Requests',
  compactions: 'Compactions',
  cost: 'Cost',
  ledger: 'Ledger',
  recall: 'Recall',
  pins: 'Pins',
  events: 'Events',
  chat: 'Chat',
}

export type Route =
  | { readonly page: 'list' }
  | { readonly page: 'calls' }
  | { readonly page: 'conversation'; readonly id: string; readonly tab: Tab; readonly item: string }

function routeIn(hash: string): Route {
  const pieces = hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((piece) => decoded(piece))
  const [first, id = '', tab = 'messages', item = ''] = pieces
  if (first === 'calls') return { page: 'calls' }
  if (first !== 'c' || id === '') return { page: 'list' }
  const known = tabs.find((each) => each === tab) ?? 'messages'
  return { page: 'conversation', id, tab: known, item }
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}

export function linkTo(id: string, tab: Tab = 'messages', item: string | number = ''): string {
  const pieces = [
    id,
    ...(tab === 'messages' && item === '' ? [] : [tab]),
    ...(item === '' ? [] : [item]),
  ]
  return `#/c/${pieces.map((piece) => encodeURIComponent(piece)).join('/')}`
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeIn(hash)
}

export function go(hash: string): void {
  location.hash = hash
}
