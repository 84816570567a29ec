/** Messages: append, list, read, edit, remove, pin; their origins, originals and files. */
import {
  type Message,
  type MessageInput,
  type Origin,
  originOf,
  originPieces,
  type Span,
  type UsageInput,
} from 'throughline'
import * as v from 'valibot'
import { nextTurn } from '../next-turn.ts'
import { answerWith, Refusal, refusalOf } from '../problem.ts'
import { type Call, route } from '../route.ts'
import {
  conversation,
  flag,
  jsonObject,
  message,
  messageInput,
  natural,
  origin,
  page,
  pageLimit,
  purgeOutcome,
  wholeNumber,
} from '../schemas.ts'
import { anchorOf, etagOf, forks, purged } from './conversations.ts'

const one = '/v1/conversations/{conversation}'
const pins = v.strictObject({ pins: v.array(v.number()) })

export const messageRoutes = [
  route({
    method: 'POST',
    path: `${one}/messages`,
    operation: 'appendMessages',
    summary: 'Appends messages in one commit; creates the conversation if there is none.',
    status: 201,
    creates: true,
    rowless: true,
    repeatable: true,
    body: v.strictObject({
      messages: v.pipe(v.array(messageInput), v.minLength(1), v.maxLength(10_000)),
      head: v.optional(natural),
      key: v.optional(v.string()),
      of: v.optional(v.string()),
      usage: v.optional(jsonObject),
    }),
    answer: v.looseObject({
      head: v.number(),
      entries: v.array(v.looseObject({ seq: v.number(), repeated: v.boolean() })),
    }),
    run: async ({ chat, request, body: { messages, key, usage, ...options } }) => {
      const idempotency = request.headers.get('idempotency-key')
      const isKeyed = idempotency === null || messages.some((each) => each.key !== undefined)
      // With a key of its own the engine recognizes the messages after a crash.
      const own = key ?? (isKeyed ? undefined : `request:${idempotency}`)
      const given = { ...options, key: own, usage: usage as UsageInput | undefined }
      return { body: await chat.append(messages.map(messageOf), given) }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/messages`,
    operation: 'listMessages',
    summary:
      'Lists the messages of a span, oldest first; a page has at most some MB. With `origins`, each names whose words it contains; with `origin`, only those of one.',
    query: v.strictObject({
      from: wholeNumber,
      to: wholeNumber,
      cursor: wholeNumber,
      limit: pageLimit,
      origins: flag,
      origin: v.optional(origin),
    }),
    answer: page(message),
    run: async ({ chat, conversation: row, query, signal }) => {
      const { from = 0, to, cursor: start = from, limit, origins = false, origin: only } = query
      const end = Math.min(to ?? Infinity, row?.head ?? 0)
      if (only !== undefined)
        return { body: await ofOrigin(chat, { from: start, to: end }, query, signal) }
      const found = await readPage(chat, { from: start, to: Math.min(start + limit, end) })
      const stop = start + found.length
      const items = origins ? found.map(withOrigin) : found
      return { body: { items, next: items.length > 0 && stop < end ? String(stop) : null } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/messages/{seq}`,
    operation: 'readMessage',
    summary: 'Reads a message, with an ETag.',
    answer: message,
    run: async (call) => {
      const found = await messageAt(call)
      return { body: found, etag: etagOf(found) }
    },
  }),
  route({
    method: 'PUT',
    path: `${one}/messages/{seq}`,
    operation: 'editMessage',
    summary: 'Replaces a message by another one of the same role.',
    guarded: true,
    rewrites: true,
    body: messageInput,
    answer: conversation,
    run: async (call) => {
      const found = await messageAt(call)
      call.requireMatch(etagOf(found))
      const edited = await call.chat.history.edit(`#${found.seq}`, messageOf(call.body))
      if (!edited.ok) throw refusalOf(edited.failure)
      return { body: edited.value }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/messages/{seq}/origins`,
    operation: 'readOrigins',
    summary: 'Whose words the parts of a message are.',
    answer: v.strictObject({
      items: v.array(v.looseObject({ origin, text: v.string() })),
    }),
    run: async (call) => ({ body: { items: [...originPieces(await messageAt(call))] } }),
  }),
  route({
    method: 'GET',
    path: `${one}/messages/{seq}/original`,
    operation: 'readOriginal',
    summary: 'The original bytes of a message.',
    streams: 'application/octet-stream',
    run: async (call) => bytes(await call.chat.original((await messageAt(call)).seq)),
  }),
  route({
    method: 'GET',
    path: `${one}/files/{sha256}`,
    operation: 'readFile',
    summary: 'The bytes of a file in a message.',
    streams: 'application/octet-stream',
    run: async ({ chat, param }) => bytes(await chat.file(param('sha256'))),
  }),
  route({
    method: 'PUT',
    path: `${one}/pins/{anchor}`,
    operation: 'pinMessage',
    summary: 'Pins a message: every context shows it verbatim.',
    answer: pins,
    run: async ({ chat, param }) => pinned(await chat.pin(anchorOf(param('anchor')))),
  }),
  route({
    method: 'DELETE',
    path: `${one}/pins/{anchor}`,
    operation: 'unpinMessage',
    summary: 'Removes a pin.',
    answer: pins,
    run: async ({ chat, param }) => pinned(await chat.unpin(anchorOf(param('anchor')))),
  }),
  route({
    method: 'DELETE',
    path: `${one}/messages/{seq}`,
    operation: 'removeMessages',
    summary:
      'Removes the content of a message or of a span such as 3-17; with `purge`, of one for good.',
    guarded: true,
    rewrites: true,
    query: v.strictObject({ purge: flag, forks }),
    answer: v.union([purgeOutcome, conversation]),
    run: async ({ chat, param, key, conversation: row, requireMatch, query }) => {
      requireMatch(etagOf(row))
      const { purge = false, forks: shared } = query
      if (purge && key.role !== 'admin') throw new Refusal('ROLE_TOO_LOW')
      const anchor = anchorOf(param('seq'))
      if (purge) return purged(await chat.history.purgeMessage(anchor, { forks: shared }))
      return answerWith(await chat.history.remove(anchor))
    },
  }),
]

const pageCharacters = 4_000_000

function withOrigin(each: Message): Message {
  return { ...each, origin: originOf(each) }
}

interface OriginQuery {
  readonly origin?: Origin | undefined
  readonly limit: number
}

/** Messages with words of one origin. A page ends after some thousand messages of the log, even if it is empty. */
async function ofOrigin(
  chat: Call<unknown, unknown>['chat'],
  { from, to }: Span,
  { origin: only, limit }: OriginQuery,
  signal: AbortSignal,
) {
  const items: Message[] = []
  let [at, characters] = [from, 0]
  const stop = Math.min(to, from + scannedAtOnce)
  for await (const each of chat.messages({ from, to: stop })) {
    at = each.seq + 1
    if (originOf(each) === only) {
      items.push(withOrigin(each))
      characters += JSON.stringify(each.parts).length
    }
    if (items.length >= limit || characters > pageCharacters) break
    if (at % 500 === 0) await nextTurn(signal)
  }
  return { items, next: at < to ? String(at) : null }
}

const scannedAtOnce = 10_000

/** The messages of a span, up to a size. They are read a few at a time, because one may have many MB. */
async function readPage(chat: Call<unknown, unknown>['chat'], { from, to }: Span) {
  const items: Message[] = []
  let characters = 0
  let atOnce = 4
  for (let at = from; at < to && characters < pageCharacters; at = from + items.length) {
    const span = { from: at, to: Math.min(to, at + atOnce) }
    const before = items.length
    for await (const each of chat.messages(span)) {
      items.push(each)
      characters += JSON.stringify(each.parts).length
    }
    // Purged meanwhile.
    if (items.length === before) break
    atOnce *= 2
  }
  return items
}

/** The engine checks the parts. */
function messageOf(input: v.InferOutput<typeof messageInput>): MessageInput {
  return input as unknown as MessageInput
}

async function messageAt({ chat, param, conversation: row }: Call<unknown, unknown>) {
  const text = param('seq')
  const seq = /^\d{1,15}$/.test(text) ? Number(text) : -1
  if (seq < 0 || seq >= (row?.head ?? 0)) throw new Refusal('NOT_FOUND')
  const [found] = await Array.fromAsync(chat.messages({ from: seq, to: seq + 1 }))
  if (found === undefined) throw new Refusal('NOT_FOUND')
  return found
}

type Pinned = Awaited<ReturnType<Call<unknown, unknown>['chat']['pin']>>

function pinned(result: Pinned): { readonly body: unknown } {
  if (!result.ok) throw refusalOf(result.failure)
  return { body: { pins: result.value } }
}

function bytes(found: Uint8Array | null): { readonly response: Response } {
  if (found === null) throw new Refusal('NOT_FOUND')
  return { response: new Response(new Uint8Array(found)) }
}
