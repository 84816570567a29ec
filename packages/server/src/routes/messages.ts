/** Messages: append, list, read, edit, pin; their origins, originals and files; export and import. */
import { type MessageInput, originPieces, type UsageInput } from 'throughline'
import { readTranscript, type TranscriptFormat, transcriptFormats } from 'throughline/transcripts'
import * as v from 'valibot'
import { Refusal, refusalOf } from '../problem.ts'
import { type Call, route } from '../route.ts'
import {
  conversation,
  cursor,
  loose,
  message,
  messageInput,
  natural,
  page,
  pageLimit,
  wholeNumber,
} from '../schemas.ts'
import { anchorOf, etagOf } from './conversations.ts'

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
    repeatable: true,
    body: v.strictObject({
      messages: v.pipe(v.array(messageInput), v.minLength(1), v.maxLength(10_000)),
      head: v.optional(natural),
      key: v.optional(v.string()),
      of: v.optional(v.string()),
      usage: v.optional(loose),
    }),
    answer: v.looseObject({
      head: v.number(),
      entries: v.array(v.looseObject({ seq: v.number(), repeated: v.boolean() })),
    }),
    run: async ({ chat, request, body: { messages, key, usage, ...options } }) => {
      const idempotency = request.headers.get('idempotency-key')
      // With a key of its own the engine recognizes the messages after a crash.
      const own = key ?? (idempotency === null ? undefined : `request:${idempotency}`)
      const given = { ...options, key: own, usage: usage as UsageInput | undefined }
      return { body: await chat.append(messages.map(messageOf), given) }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/messages`,
    operation: 'listMessages',
    summary: 'Lists the messages of a span, oldest first.',
    query: v.strictObject({ from: wholeNumber, to: wholeNumber, cursor, limit: pageLimit }),
    answer: page(message),
    run: async ({ chat, conversation: row, query: { from = 0, to, cursor: at, limit } }) => {
      const start = at === undefined ? from : Number(at)
      if (!Number.isSafeInteger(start)) throw new Refusal('BODY_INVALID', 'cursor: not from here')
      const end = Math.min(to ?? Infinity, row?.head ?? 0)
      const stop = Math.min(start + limit, end)
      const items =
        start < stop ? await Array.fromAsync(chat.messages({ from: start, to: stop })) : []
      return { body: { items, next: stop < end ? String(stop) : null } }
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
      items: v.array(v.looseObject({ origin: v.string(), text: v.string() })),
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
    method: 'GET',
    path: `${one}/export`,
    operation: 'exportConversation',
    summary: 'All messages as JSON lines.',
    streams: 'application/x-ndjson',
    run: async ({ chat }) => {
      const lines = chat.messages()[Symbol.asyncIterator]()
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await lines.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
        },
      })
      return { response: new Response(stream) }
    },
  }),
  route({
    method: 'POST',
    path: '/v1/import',
    operation: 'importTranscript',
    summary: 'Imports the text of a transcript of another tool; a second import adds nothing.',
    repeatable: true,
    body: v.strictObject({
      text: v.string(),
      name: v.optional(v.string()),
      format: v.optional(v.picklist(transcriptFormats)),
    }),
    answer: v.strictObject({
      conversations: v.array(v.strictObject({ id: v.string(), messages: v.number() })),
      problems: v.number(),
    }),
    run: async ({ tenant, body: { text, name, format } }) => {
      const read = new Map<string, MessageInput[]>()
      let problems = 0
      const options = { name, format: format as TranscriptFormat | undefined }
      for await (const item of readTranscript(text, options)) {
        if (item.kind === 'problem') problems += 1
        if (item.kind !== 'message') continue
        const messages = read.get(item.conversationId) ?? []
        read.set(item.conversationId, messages)
        // A key per place, so that a second import recognizes them.
        messages.push({ key: `import:${messages.length}`, ...item.message })
      }
      for (const [of, messages] of read) await tenant.conversation(of).append(messages)
      const conversations = [...read].map(([of, { length }]) => ({ id: of, messages: length }))
      return { body: { conversations, problems } }
    },
  }),
]

/** Bytes are base64 in JSON. */
function messageOf(input: v.InferOutput<typeof messageInput>): MessageInput {
  // The engine checks every field.
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
