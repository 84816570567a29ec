/** A conversation as its views need it, kept current by its events. */
import { createContext } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { call, pathOf } from './api.ts'
import { follow } from './follow.ts'
import type {
  Conversation,
  EngineEvent,
  KeptVersion,
  Page,
  RequestUse,
  Status,
  View,
  ViewVersion,
} from './types.ts'
import { type Loaded, useLoaded } from './use-loaded.ts'

export interface ConversationData {
  readonly id: string
  readonly conversation: Conversation
  readonly status: Status
  /** Of all models, newest first. */
  readonly versions: readonly ViewVersion[]
  /** The models with requests or views, the last used first. */
  readonly models: readonly string[]
  readonly model: string | null
  /** The chosen model as calls name it: a window that its name stated is stated again. */
  readonly modelName: string | null
  /** Of the chosen model; null while it sees everything. */
  readonly view: View | null
  /** Fingerprints of recorded requests of the chosen model, by the place of the message that answered. */
  readonly requestAt: ReadonlyMap<number, string>
}

export interface LiveConversation {
  readonly data: ConversationData
  /** Differs when messages, views or requests have changed. */
  readonly stamp: string
  /** Events since the page was opened, newest first. */
  readonly live: readonly EngineEvent[]
  readonly choose: (model: string) => void
  readonly refresh: () => void
}

export const CurrentConversation = createContext<LiveConversation | null>(null)

async function load(
  id: string,
  chosen: string | null,
  signal: AbortSignal,
): Promise<ConversationData> {
  const [status, { items: versions }] = await Promise.all([
    call<Status>(pathOf(id, 'status'), { signal }),
    call<Page<ViewVersion>>(pathOf(id, 'versions'), { query: { limit: 200 }, signal }),
  ])
  const models = [...new Set([...status.requests, ...versions].map(({ model }) => model))]
  const model = chosen !== null && models.includes(chosen) ? chosen : (models[0] ?? null)
  const current = versions.find(
    (each) => each.current && each.model === model && each.epoch !== null,
  )
  const view =
    current === undefined
      ? null
      : (await call<KeptVersion>(pathOf(id, 'versions', current.version), { signal })).view
  // The route answers 404 without one.
  const conversation = status.conversation as Conversation
  const modelName = model === null ? null : namedWithWindow(model, status.requests)
  const requestAt = new Map(
    status.requests.flatMap(({ head, fingerprint, model: of }) =>
      of === model && head !== undefined ? [[head, fingerprint]] : [],
    ),
  )
  return { id, conversation, status, versions, models, model, modelName, view, requestAt }
}

/** Conversations know models by ids; with the id alone, an unknown model would get the smallest window. */
function namedWithWindow(model: string, requests: readonly RequestUse[]): string {
  const { windowTokens } = requests.find((each) => each.model === model) ?? {}
  const isThousands = windowTokens !== undefined && windowTokens % 1000 === 0
  return isThousands ? `${model}:${windowTokens / 1000}k` : model
}

/** How long to wait for more events before loading again. */
const settleMs = 250
const keptEvents = 500
const rereadMs = 5000

/** `place`: where the reader is; requests have no events, so they are read again when that changes. */
export function useConversation(
  id: string,
  place: string,
): { readonly loaded: Loaded<ConversationData> } & Omit<LiveConversation, 'data'> {
  const [version, setVersion] = useState(0)
  const [model, setModel] = useState<string | null>(null)
  const [live, setLive] = useState<readonly EngineEvent[]>([])
  const refresh = useCallback(() => setVersion((before) => before + 1), [])
  const loaded = useLoaded(`${id} ${model}`, (signal) => load(id, model, signal), version)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const createdAt = loaded.value?.conversation.createdAt ?? null
  useEffect(() => setLive([]), [id])
  useEffect(() => {
    refresh()
    const again = setInterval(() => {
      if (document.visibilityState === 'visible') refresh()
    }, rereadMs)
    return () => clearInterval(again)
  }, [place])
  useEffect(() => {
    if (createdAt === null) return
    let stop = () => {}
    let isOver = false
    const begin = async () => {
      const { items } = await call<Page<EngineEvent>>(pathOf(id, 'events'), {
        query: { newest: true, limit: 1 },
      }).catch(() => ({ items: [] }))
      if (isOver) return
      stop = follow(id, `${createdAt}.${items[0]?.number ?? 0}`, (events) => {
        if (events !== null)
          setLive((before) => [...events.toReversed(), ...before].slice(0, keptEvents))
        clearTimeout(timer.current)
        timer.current = setTimeout(refresh, settleMs)
      })
    }
    void begin()
    return () => {
      isOver = true
      stop()
      clearTimeout(timer.current)
    }
  }, [id, createdAt])
  return { loaded, stamp: stampOf(loaded.value), live, choose: setModel, refresh }
}

function stampOf(data: ConversationData | null): string {
  const { conversation, status } = data ?? {}
  const newest = status?.requests[0]
  return `${conversation?.version} ${conversation?.head} ${newest?.at} ${newest?.fingerprint}`
}
