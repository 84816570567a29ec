/** What must hold for a context, whoever made it: looked at from outside, with no help of the engine. */
import type { Context, ContextMessage } from '../../index.ts'
import { type Format, formats } from './formats.ts'
import type { Recount } from './recount.ts'

export const violationKinds: readonly string[] = [
  'over budget',
  'orphaned',
  ...formats.map(refusedBy),
  'not the same bytes twice',
  'prefix break without a cause',
  'overflow error',
  'other error',
]

/** Told of each violation: its kind, and what was found. */
export type Report = (kind: string, found: string) => void

/** What of a request is sent, to hold the next one against. */
export interface Sent {
  readonly fingerprint: string
  /** System and tools. */
  readonly head: string
  readonly messages: readonly string[]
  /** Messages that the next request has to begin with. */
  readonly lasting: number
}

export function sentOf(context: Context): Sent {
  const { system, tools, messages, fingerprint, repairs } = context
  const volatileFrom = messages.findIndex(({ slot }) => slot === 'retrieved')
  const endings = repairs.filter(({ kind }) => kind === 'ending-added').length
  return {
    fingerprint,
    head: JSON.stringify([system, tools]),
    // The slot is our own word for the place; it is not sent.
    messages: messages.map(({ role, author, parts, meta }) =>
      JSON.stringify([role, author, parts, meta]),
    ),
    lasting: volatileFrom === -1 ? messages.length - endings : volatileFrom,
  }
}

export function checkPrefix(context: Context, before: Sent | null, now: Sent, report: Report) {
  if (before === null || context.brokenBy !== null) return
  const kept = commonMessages(before, now)
  if (before.head !== now.head || kept < before.lasting)
    report('prefix break without a cause', `${kept} of ${before.lasting} messages stand`)
  else if (context.prefixOf !== before.fingerprint)
    report('prefix break without a cause', 'names another request than the one before')
}

/** Messages at the beginning that both requests have. */
export function commonMessages(before: Sent, now: Sent): number {
  const differs = before.messages.findIndex((message, at) => message !== now.messages[at])
  return differs === -1 ? before.messages.length : differs
}

export function checkTokens({ tokens, available }: Context, report: Report): void {
  if (tokens > available) report('over budget', `${tokens} tokens, ${available} are available`)
}

/** Calls are followed by their results at once, those of one reply together; nothing else is a result. */
export function checkPairs(messages: readonly ContextMessage[], report: Report): void {
  const orphan = firstOrphan(messages)
  if (orphan !== null) report('orphaned', orphan)
}

function firstOrphan(messages: readonly ContextMessage[]): string | null {
  const waiting = new Set<string>()
  for (const [at, { role, parts }] of messages.entries()) {
    const results = parts.filter((part) => part.type === 'tool-result')
    // A reply may stand in several messages, one for each of its calls.
    const repliesOn = role === 'assistant' && messages[at - 1]?.role === 'assistant'
    if (results.length === 0 && waiting.size > 0 && !repliesOn)
      return `messages[${at}] stands between a call and its result`
    const stray = results.find(({ callId }) => !waiting.delete(callId))
    if (stray !== undefined) return `the result in messages[${at}] has no call`
    for (const part of parts) if (part.type === 'tool-call') waiting.add(part.callId)
  }
  return waiting.size > 0 ? 'the last call has no result' : null
}

export function checkFormat(
  context: Context,
  format: Format,
  recount: (request: object, available: number) => number,
  report: Report,
): void {
  const request = format.write(context)
  if (typeof request === 'string') {
    report(refusedBy(format), request)
    return
  }
  const tokens = recount(request, context.available)
  if (tokens > context.available)
    report('over budget', `${tokens} tokens as ${format.name}, ${context.available} are available`)
}

/** Counted in one piece only where the quick count is too near to tell. */
export function nearlyExact({ quick, exact }: Recount) {
  return (request: object, available: number): number => {
    const tokens = quick(request)
    return tokens <= available * surelyFits ? tokens : exact(request)
  }
}

const surelyFits = 0.97

function refusedBy({ name }: Format): string {
  return `refused by ${name}`
}
