/** A conversation of a server: each method is a call of its REST API. */
import {
  type AppendResult,
  type Context,
  type Conversation,
  type ConversationHandle,
  type ConversationHistory,
  type ConversationSummary,
  type EngineEvent,
  type KeptSummary,
  type Ledger,
  type Message,
  type Preview,
  type PurgeOutcome,
  type Recalled,
  type Receipt,
  type Span,
  type Status,
  ThroughlineError,
  type Turn,
  type ViewVersion,
} from 'throughline'
import { anchorText, checkedId, expandableText, placeOf, wholePlace } from './anchors.ts'
import {
  contextOf,
  read,
  readAll,
  readItems,
  readOrNull,
  readPages,
  readResult,
} from './answers.ts'
import { type FollowOptions, followEvents, type StreamedEvent } from './follow-events.ts'
import { plainError } from './json-values.ts'
import type { Call, Sender } from './send.ts'

/** A conversation with the methods of one in the same process, and its events as they happen. */
export interface RemoteConversation extends ConversationHandle {
  /**
   * Events as they happen, oldest first; ends when there is no conversation, or after its purge. It connects
   * again after failures, and continues after `lastEventId`, the id of the last event that you have processed.
   *
   * @example
   * for await (const { id, event } of chat.follow({ lastEventId })) console.log(id, event.kind)
   */
  follow(options?: FollowOptions): AsyncIterable<StreamedEvent>
}

export function remoteConversation(sender: Sender, name: string): RemoteConversation {
  const id = checkedId(name)
  const at = (...path: readonly (string | number)[]) => ['conversations', id, ...path]
  const chat: RemoteChat = { sender, id, at }
  const post = (path: readonly string[], body: object, signal?: AbortSignal | null): Call => ({
    ...{ method: 'POST', path: at(...path), body, signal },
  })
  const handle: RemoteConversation = {
    id,
    append: (messages, options = {}) => append(chat, messages, options),
    context: async ({ signal, ...body }) =>
      contextOf(
        await read<Context>(sender, post(['context'], { ...body, allowMissing: true }, signal)),
      ),
    preview: async ({ signal, ...input }) => {
      const body = { ...input, allowMissing: true }
      const preview = await read<Preview>(sender, post(['compactions', 'preview'], body, signal))
      return { ...preview, context: contextOf(preview.context) }
    },
    compact: ({ signal, ...body }) => readResult(sender, post(['compactions'], body, signal)),
    compactNextRequest: (options = {}) =>
      readResult(sender, post(['compactions', 'next'], options)),
    overflowed: (fingerprint, error) => overflowed(chat, fingerprint, error),
    status: async () => {
      const call = { path: at('status') }
      return (
        (await readOrNull(sender, call, (response) => response.json() as Promise<Status>)) ??
        noStatus
      )
    },
    receipts: ({ before, limit = pageRows, ...rest } = {}) =>
      readPages<Receipt>(limit, (last, most) => {
        const query = { cursor: last?.version ?? before, limit: most, ...rest }
        return readItems(sender, { path: at('compactions'), query })
      }),
    summary: (input) =>
      readOrNull(
        sender,
        { path: at('summary'), query: { ...input } },
        (response) => response.json() as Promise<ConversationSummary>,
      ),
    summaries: ({ skip = 0, limit = pageRows, ...rest } = {}) => {
      let read = 0
      return readPages<KeptSummary>(limit, async (_, most) => {
        const query = { cursor: skip + read, limit: most, ...rest }
        const items = await readItems<KeptSummary>(sender, { path: at('summaries'), query })
        read += items.length
        return items
      })
    },
    ledger: () => ledger(chat),
    pin: (anchor) => pins(chat, 'PUT', anchor),
    unpin: (anchor) => pins(chat, 'DELETE', anchor),
    recall: async (query, options = {}) =>
      (await readOrNull(
        sender,
        { path: at('recall'), query: { query, ...options } },
        (response) => response.json() as Promise<Recalled>,
      )) ?? { query, pieces: [], unsearched: null },
    expand: async (anchor, options = {}) =>
      readOrNull(
        sender,
        { path: at('expand'), query: { anchor: expandableText(anchor), ...options } },
        (response) => response.json() as ReturnType<ConversationHandle['expand']>,
      ),
    messages: (within = {}) => messages(chat, within),
    turns: (within = {}) => readAll<Turn>(sender, { path: at('turns'), query: { ...within } }),
    info: () =>
      readOrNull(sender, { path: at() }, (response) => response.json() as Promise<Conversation>),
    update: (changes) => readResult(sender, { method: 'PATCH', path: at(), body: changes }),
    events: ({ after, limit = pageMost, ...rest } = {}) =>
      readPages<EngineEvent>(limit, (last, most) => {
        const query = { after: last?.number ?? after, limit: most, ...rest }
        return readItems(sender, { path: at('events'), query })
      }),
    original: async (seq) =>
      readOrNull(sender, { path: at('messages', wholePlace(seq), 'original') }, bytes),
    file: (sha256) => readOrNull(sender, { path: at('files', String(sha256)) }, bytes),
    history: historyOf(chat),
    follow: (options = {}) => followEvents(sender, at('events', 'stream'), options),
  }
  chats.set(handle, chat)
  return handle
}

const chats = new WeakMap<ConversationHandle, RemoteChat>()

/** For functions that take a conversation as their argument; `caller` is their name. */
export function remoteChatOf(handle: ConversationHandle, caller: string): RemoteChat {
  const chat = chats.get(handle)
  if (chat !== undefined) return chat
  const message = `${caller} of the client expects a conversation of a client`
  throw new ThroughlineError('CONFIG_INVALID', message)
}

export interface RemoteChat {
  readonly sender: Sender
  readonly id: ConversationHandle['id']
  at(...path: readonly (string | number)[]): readonly (string | number)[]
}

// What the engine returns without a limit.
const pageRows = 20
const pageMost = 1_000
const ledgerMost = 3_000

const noStatus: Status = {
  ...{ conversation: null, suspended: false, last: null, requests: [] },
  totals: { requests: 0, trimmedRequests: 0, compactions: 0, averageUtilization: 0, breaks: {} },
}

function historyOf({ sender, id, at }: RemoteChat): ConversationHistory {
  const purge = async (path: readonly (string | number)[], query: NonNullable<Call['query']>) => {
    const purged = await readResult<PurgeOutcome, PurgeOutcome>(sender, {
      ...{ method: 'DELETE', path, query },
    })
    return purged.ok ? purged.value : purged.failure
  }
  return {
    versions: ({ limit = pageRows, ...rest } = {}) =>
      readPages<ViewVersion>(limit, (last, most) => {
        const query = { cursor: last?.version, limit: most, ...rest }
        return readItems(sender, { path: at('versions'), query })
      }),
    undo: (options = {}) =>
      readResult(sender, { method: 'POST', path: at('compactions', 'undo'), body: options }),
    restore: (version) =>
      readResult(sender, { method: 'POST', path: at('compactions', 'restore'), body: { version } }),
    editSummary: (edit) => readResult(sender, { method: 'PUT', path: at('summary'), body: edit }),
    fork: async (place, forkId) => {
      const body = { at: wholePlace(place), id: checkedId(forkId) }
      const call = { method: 'POST', path: at('forks'), body } as const
      const fork = await readResult<Conversation, ForkFailure>(sender, call, 'source-not-found')
      return fork.ok ? { ok: true, value: remoteConversation(sender, forkId) } : fork
    },
    edit: async (anchor, message) =>
      readResult(sender, {
        method: 'PUT',
        path: at('messages', placeOf(anchor, id)),
        body: message,
      }),
    remove: async (anchor) =>
      readResult(sender, { method: 'DELETE', path: at('messages', anchorText(anchor)) }),
    purgeMessage: async (anchor, options = {}) =>
      purge(at('messages', placeOf(anchor, id)), { purge: true, ...options }),
    purge: (options = {}) => purge(at(), { ...options }),
  }
}

type ForkFailure = Extract<
  Awaited<ReturnType<ConversationHistory['fork']>>,
  { readonly ok: false }
>['failure']

async function append(
  { sender, at }: RemoteChat,
  given: Parameters<ConversationHandle['append']>[0],
  options: object,
): Promise<AppendResult> {
  const batch = Array.isArray(given) ? given : [given]
  const body = { messages: batch, ...options }
  return read(sender, { method: 'POST', path: at('messages'), body })
}

/** A page may have the whole ledger, so that it is that of one time. */
async function ledger({ sender, at }: RemoteChat): Promise<Ledger | null> {
  type Page = Omit<Ledger, 'entries'> & { readonly items: Ledger['entries'] }
  const call = { path: at('ledger'), query: { limit: ledgerMost } }
  const page = await readOrNull(sender, call, (response) => response.json() as Promise<Page>)
  if (page === null) return null
  const { items: entries, to, from } = page
  return { to, ...(from !== undefined && { from }), entries }
}

async function overflowed({ sender, at }: RemoteChat, fingerprint: string, error: unknown) {
  type Outcome = Awaited<ReturnType<ConversationHandle['overflowed']>>
  const body = { fingerprint, error: plainError(error) }
  const call = { method: 'POST', path: at('overflows'), body } as const
  const answer = await readOrNull(sender, call, (response) => response.json())
  return (answer as { readonly outcome: Outcome } | null)?.outcome ?? 'unknown-request'
}

async function pins(
  { sender, at }: RemoteChat,
  method: 'PUT' | 'DELETE',
  anchor: Parameters<ConversationHandle['pin']>[0],
) {
  type Pinned = Awaited<ReturnType<ConversationHandle['pin']>>
  type Failure = Extract<Pinned, { readonly ok: false }>['failure']
  const call = { method, path: at('pins', anchorText(anchor)) }
  const pinned = await readResult<{ readonly pins: readonly number[] }, Failure>(sender, call)
  return pinned.ok ? { ok: true as const, value: pinned.value.pins } : pinned
}

async function bytes(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer())
}

/** A page at a time. Throws if the conversation is replaced between two pages, as the engine does. */
async function* messages(
  { sender, id, at }: RemoteChat,
  { from = 0, to, ...rest }: Partial<Span>,
): AsyncGenerator<Message> {
  interface Page {
    readonly items: readonly Message[]
    readonly next: string | null
  }
  let createdAt: number | null = null
  let cursor: string | null = null
  do {
    const query: NonNullable<Call['query']> = { from, to, cursor, ...rest }
    const page: Page | null = await readOrNull(
      sender,
      { path: at('messages'), query },
      (response) => response.json() as Promise<Page>,
    )
    if (cursor !== null || page?.next != null) {
      const row = await readOrNull(
        sender,
        { path: at() },
        (response) => response.json() as Promise<Conversation>,
      )
      if (createdAt !== null && row?.createdAt !== createdAt)
        throw new ThroughlineError('CONVERSATION_REPLACED', `conversation "${id}" was replaced`)
      createdAt = row?.createdAt ?? null
    }
    if (page === null) return
    yield* page.items
    cursor = page.next
  } while (cursor !== null)
}
