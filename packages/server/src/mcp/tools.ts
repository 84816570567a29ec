/** The tools over MCP: what an agent can do with its own conversation, and with others of its tenant. */
import { type Conversation, recallToolSchemas, runRecallTool } from 'throughline'
import * as v from 'valibot'
import { refusalOf } from '../problem.ts'
import { anchorOf } from '../routes/conversations.ts'
import type { Called, Caller } from './caller.ts'
import { addNote, countNotes, recallNotes } from './notes.ts'

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly writes: boolean
  readonly input: v.GenericSchema
  readonly output: v.GenericSchema
  run(call: McpCall<unknown>): Promise<McpAnswer>
}

interface McpCall<Input> {
  readonly caller: Caller
  readonly input: Input
  /** The conversation that the call is about; throws if it is not known. */
  called(): Promise<Called>
}

/** `data` is null where the call failed: the text says why. */
interface McpAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>> | null
}

type Given<Input extends v.GenericSchema> = Omit<McpTool, 'input' | 'run'> & {
  readonly input: Input
  run(call: McpCall<v.InferOutput<Input>>): Promise<McpAnswer>
}

/** The SDK validates the arguments with the schema of the tool before it calls. */
function tool<Input extends v.GenericSchema>(given: Given<Input>): McpTool {
  return { ...given, run: given.run as McpTool['run'] }
}

const conversation = v.optional(
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(1000),
    v.description('The id of another conversation; left out, it is the one of this call.'),
  ),
)
const anchor = v.pipe(v.string(), v.maxLength(200), v.description('Such as #12 or #12-#15.'))
const text = (maxLength: number, description: string) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength), v.description(description))
const time = v.pipe(v.nullable(v.number()), v.description('Milliseconds since 1970.'))
const count = v.number()

// The engine recognizes the tools by these descriptions, and then names them in its history blocks.
const [recallDescription = '', expandDescription = ''] = recallToolSchemas().map(
  ({ description }) => description,
)

const recall = tool({
  name: 'recall',
  title: 'Search the conversation',
  description: recallDescription,
  writes: false,
  input: v.strictObject({
    query: text(2000, 'Words to look for: names, paths, numbers, or what it was about.'),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(20),
        v.description('How many passages at most.'),
      ),
    ),
    conversation,
  }),
  output: v.object({
    conversation: v.string(),
    passages: v.array(
      v.object({ anchor: v.string(), at: time, kind: v.string(), text: v.string() }),
    ),
    notes: v.array(v.object({ at: time, text: v.string() })),
    unsearched: v.nullable(v.object({ from: v.number(), to: v.number() })),
  }),
  run: async ({ caller, input: { query, limit }, called }) => {
    const found = await called()
    const { chat } = found
    let recalled: Awaited<ReturnType<typeof chat.recall>> | null = null
    const observed = {
      expand: chat.expand,
      recall: async (...asked: Parameters<typeof chat.recall>) => {
        recalled = await chat.recall(...asked)
        return recalled
      },
    }
    const answer = (await runRecallTool(observed, 'recall', { query, limit })) ?? ''
    const result = recalled as Awaited<ReturnType<typeof chat.recall>> | null
    if (result === null) return { text: answer, data: null }
    const notes = await recallNotes(caller.tenant, found, query)
    const noteText = notes.map((note) => `\n[note of the agent]\n${note.text}`).join('')
    return {
      text: answer + noteText,
      data: {
        conversation: chat.id,
        passages: result.pieces.map(({ anchor: at, ...piece }) => ({
          ...{ anchor: at, at: piece.at, kind: piece.kind, text: piece.text },
        })),
        notes,
        unsearched: result.unsearched,
      },
    }
  },
})

const expand = tool({
  name: 'expand',
  title: 'Open messages',
  description: expandDescription,
  writes: false,
  input: v.strictObject({ anchor, conversation }),
  output: v.object({
    conversation: v.string(),
    text: v.string(),
    next: v.pipe(v.nullable(v.string()), v.description('The anchor of the next page.')),
  }),
  run: async ({ input, called }) => {
    const { chat } = await called()
    let page: Awaited<ReturnType<typeof chat.expand>> = null
    const observed = {
      recall: chat.recall,
      expand: async (...asked: Parameters<typeof chat.expand>) => {
        page = await chat.expand(...asked)
        return page
      },
    }
    const answer = (await runRecallTool(observed, 'expand', { anchor: input.anchor })) ?? ''
    const opened = page as Awaited<ReturnType<typeof chat.expand>>
    if (opened === null) return { text: answer, data: null }
    return { text: answer, data: { conversation: chat.id, text: opened.text, next: opened.next } }
  },
})

const pin = tool({
  name: 'pin',
  title: 'Pin a message',
  description:
    'Keeps a message of this conversation in every later context, word for word. Pin only what must never be ' +
    'summarized; with remove, takes the pin away.',
  writes: true,
  input: v.strictObject({
    anchor,
    remove: v.optional(v.pipe(v.boolean(), v.description('Takes the pin away.')), false),
    conversation,
  }),
  output: v.object({ conversation: v.string(), pins: v.array(v.number()) }),
  run: async ({ input, called }) => {
    const { chat } = await called()
    const place = anchorOf(input.anchor)
    const result = await (input.remove ? chat.unpin(place) : chat.pin(place))
    if (!result.ok) throw refusalOf(result.failure)
    const pins = [...result.value]
    const list = pins.map((seq) => `#${seq}`).join(', ') || 'none'
    return { text: `Pinned messages: ${list}`, data: { conversation: chat.id, pins } }
  },
})

const note = tool({
  name: 'note',
  title: 'Write a note',
  description:
    'Stores a short note on this conversation, such as a decision and its reason. recall finds it, also after a compaction.',
  writes: true,
  input: v.strictObject({ text: text(4000, 'The note.'), conversation }),
  output: v.object({ conversation: v.string(), notes: count }),
  run: async ({ caller, input, called }) => {
    const found = await called()
    await addNote(caller.tenant, found, input.text)
    const notes = await countNotes(caller.tenant, found)
    return { text: `Stored; ${notes} notes.`, data: { conversation: found.chat.id, notes } }
  },
})

const status = tool({
  name: 'status',
  title: 'Status of the conversation',
  description:
    'How full the context of this conversation was at its last request, what it left out, its pins, notes and compactions.',
  writes: false,
  input: v.strictObject({ conversation }),
  output: v.object({
    ...{ conversation: v.string(), title: v.nullable(v.string()), messages: count },
    ...{ pins: v.array(v.number()), notes: count, compactions: count, compactsNext: v.boolean() },
    lastRequest: v.nullable(
      v.object({
        ...{ at: time, model: v.string(), tokens: count, availableTokens: count },
        ...{ leftOut: count, shortened: count },
      }),
    ),
  }),
  run: async ({ caller, called }) => {
    const found = await called()
    const { chat, info } = found
    const { last, totals } = await chat.status()
    const notes = await countNotes(caller.tenant, found)
    const data = {
      ...{ conversation: chat.id, title: info.title, messages: info.head, pins: info.pins, notes },
      ...{ compactions: totals.compactions, compactsNext: info.compaction.asked !== null },
      lastRequest: last === null ? null : requestOf(last),
    }
    return { text: statusText(data), data }
  },
})

type Last = Record<'at' | 'tokens' | 'availableTokens' | 'leftOut' | 'stubbed', number> & {
  readonly model: string
}

function requestOf({ at, model, tokens, availableTokens, leftOut, stubbed }: Last) {
  return { at, model, tokens, availableTokens, leftOut, shortened: stubbed }
}

function statusText(data: {
  readonly conversation: string
  readonly messages: number
  readonly pins: readonly number[]
  readonly notes: number
  readonly compactions: number
  readonly lastRequest: ReturnType<typeof requestOf> | null
}): string {
  const { lastRequest: last } = data
  const request =
    last === null
      ? 'no request was measured yet: all of them fit'
      : `last request of ${last.model}: ${last.tokens} of ${last.availableTokens} tokens, ${last.leftOut} messages left out, ${last.shortened} shortened`
  return [
    `${data.conversation}: ${data.messages} messages, ${data.pins.length} pins, ${data.notes} notes, ${data.compactions} compactions`,
    request,
  ].join('\n')
}

const compact = tool({
  name: 'compact',
  title: 'Compact the conversation',
  description:
    'Asks for a compaction with the next request of this conversation: older messages are replaced by a short text, ' +
    'and recall still finds them. A conversation far below its window is not compacted.',
  writes: true,
  input: v.strictObject({
    instructions: v.optional(text(2000, 'What a summary is to focus on.')),
    conversation,
  }),
  output: v.object({ conversation: v.string(), compactsNext: v.boolean() }),
  run: async ({ input: { instructions }, called }) => {
    const { chat } = await called()
    const asked = instructions === undefined ? {} : { instructions }
    const result = await chat.compactNextRequest(asked)
    if (!result.ok) throw refusalOf(result.failure)
    return {
      text: 'The next request is compacted, if it is large enough.',
      data: { conversation: chat.id, compactsNext: true },
    }
  },
})

const readAtMost = 2_000
const titleCharacters = 120

const listConversations = tool({
  name: 'list_conversations',
  title: 'List conversations',
  description:
    'Lists conversations that this key may read, the newest first. Their ids are for the argument `conversation` of the other tools.',
  writes: false,
  input: v.strictObject({
    query: v.optional(text(200, 'A part of the id or the title.')),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
  }),
  output: v.object({
    conversations: v.array(
      v.object({
        ...{ id: v.string(), title: v.nullable(v.string()), messages: count, createdAt: time },
      }),
    ),
    more: v.boolean(),
  }),
  run: async ({ caller, input: { query = '', limit } }) => {
    const read = await caller.tenant.list({ limit: readAtMost })
    const wanted = query.toLowerCase()
    const matches = ({ id, title, parent }: Conversation) =>
      parent === null && `${id}\n${title ?? ''}`.toLowerCase().includes(wanted)
    const found = read.filter(matches).toSorted((left, right) => right.createdAt - left.createdAt)
    const conversations = found.slice(0, limit).map(({ id, title, head, createdAt }) => ({
      ...{ id, title: title?.slice(0, titleCharacters) ?? null, messages: head, createdAt },
    }))
    const more = found.length > limit || read.length === readAtMost
    const lines = conversations.map(
      (each) => `${each.id} · ${each.messages} messages · ${each.title ?? 'no title'}`,
    )
    const list = lines.length === 0 ? 'There is no such conversation.' : lines.join('\n')
    return { text: more ? `${list}\n(and more)` : list, data: { conversations, more } }
  },
})

export const mcpTools: readonly McpTool[] = [
  ...[recall, expand, pin, note, status, compact, listConversations],
]
