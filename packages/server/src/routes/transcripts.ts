/** Export as JSON lines, and import of transcripts. */
import type { MessageInput } from 'throughline'
import { accessOf, exportLines } from 'throughline/toolkit'
import {
  readTranscript,
  type TranscriptConversation,
  type TranscriptFormat,
  transcriptFormats,
} from 'throughline/transcripts'
import * as v from 'valibot'
import { nextTurn } from '../next-turn.ts'
import { Refusal } from '../problem.ts'
import { type Call, route } from '../route.ts'

export const transcriptRoutes = [
  route({
    method: 'GET',
    path: '/v1/conversations/{conversation}/export',
    operation: 'exportConversation',
    summary: 'The conversation as JSON lines, with files and originals; an import reads it back.',
    streams: 'application/x-ndjson',
    run: async ({ chat, conversation }) => {
      if (conversation === null) throw new Refusal('NOT_FOUND')
      const { store } = await accessOf(chat, 'export')
      const lines = exportLines(store, conversation)
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await lines.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        },
      })
      return { response: new Response(stream) }
    },
  }),
  route({
    method: 'POST',
    path: '/v1/import',
    operation: 'importTranscript',
    summary: 'Imports the text of a transcript; a second import adds nothing.',
    repeatable: true,
    body: v.strictObject({
      text: v.string(),
      name: v.optional(v.string()),
      format: v.optional(v.picklist(transcriptFormats)),
    }),
    answer: v.strictObject({
      conversations: v.array(
        v.strictObject({ id: v.string(), messages: v.number(), added: v.number() }),
      ),
      problems: v.number(),
    }),
    run: async ({ tenant, signal, body: { text, name, format } }) => {
      const read = new Map<string, Imported>()
      let problems = 0
      const options = { name, format: format as TranscriptFormat | undefined }
      let items = 0
      for await (const item of readTranscript(text, options)) {
        items += 1
        if (items % itemsAtOnce === 0) await nextTurn(signal)
        if (item.kind === 'problem') problems += 1
        if (item.kind === 'conversation') importedIn(read, item.id).about = item
        if (item.kind !== 'message') continue
        const { messages } = importedIn(read, item.conversationId)
        // A key per place, so that a second import recognizes them.
        messages.push({ ...item.message, key: item.message.key ?? `import:${messages.length}` })
      }
      const conversations = []
      for (const [id, imported] of read)
        conversations.push(await write(tenant, id, imported, signal))
      return { body: { conversations, problems } }
    },
  }),
]

/** Some milliseconds of work, so that other requests continue; a killed import is repeated by its keys. */
const itemsAtOnce = 500

interface Imported {
  about: TranscriptConversation | null
  readonly messages: MessageInput[]
}

function importedIn(read: Map<string, Imported>, id: string): Imported {
  const found = read.get(id) ?? { about: null, messages: [] }
  read.set(id, found)
  return found
}

async function write(
  tenant: Call<unknown, unknown>['tenant'],
  id: string,
  { about, messages }: Imported,
  signal: AbortSignal,
) {
  if (about !== null) {
    const { title, meta, parent } = about
    // If there is one already, it keeps what it has.
    await tenant.begin(id, { title, meta, parent })
  }
  let added = 0
  for (let from = 0; from < messages.length; from += itemsAtOnce) {
    await nextTurn(signal)
    const batch = messages.slice(from, from + itemsAtOnce)
    const { entries } = await tenant.conversation(id).append(batch)
    added += entries.filter(({ repeated }) => !repeated).length
  }
  return { id, messages: messages.length, added }
}
