/** A chat whose summaries are written over HTTP, with the requests that the server received. */
import { createOpenAI } from '@ai-sdk/openai'
import {
  type Clock,
  type Context,
  type ConversationHandle,
  createThroughline,
  type LanguageModel,
  type LiveEvent,
  type MessageInput,
  type PolicyInput,
  type Store,
  type Throughline,
} from 'throughline'
import { languageModel } from 'throughline/models'
import { onTestFinished } from 'vitest'
import {
  createFaultServer,
  type FaultServer,
  type FaultServerOptions,
  type ModelQuestion,
  type ServedRequest,
} from '../../../../harness/fault-server.ts'

/** The model of the chat itself, which these tests never call. */
export const model = 'toy/chat'
/** Another model for the same chat, with the same window. */
export const otherModel = 'toy/other'

export interface SetUp {
  readonly server: FaultServer
  readonly tl: Throughline
  readonly chat: ConversationHandle
  /** Live events, in order. */
  readonly live: readonly LiveEvent[]
}

export interface SetUpOptions extends FaultServerOptions {
  readonly policy: PolicyInput
  readonly windowTokens?: number
  readonly store?: Store | undefined
  readonly clock?: Clock | undefined
  /** The models that write summaries; null for none. */
  readonly summarizer?:
    | ((url: string) => LanguageModel | readonly LanguageModel[])
    | null
    | undefined
}

export async function setUp(options: SetUpOptions): Promise<SetUp> {
  const { policy, windowTokens = 2_000, store, clock, summarizer, ...serving } = options
  const server = await createFaultServer({ answers: honest, ...serving })
  const live: LiveEvent[] = []
  const tl = engineOn(server, { policy, windowTokens, store, clock, summarizer })
  tl.on((event) => live.push(event))
  onTestFinished(async () => {
    await server.close()
    await tl.close()
  })
  return { server, tl, chat: tl.conversation('c'), live }
}

export function engineOn(
  { url }: Pick<FaultServer, 'url'>,
  options: Partial<Pick<SetUpOptions, 'store' | 'clock' | 'summarizer'>> &
    Required<Pick<SetUpOptions, 'policy' | 'windowTokens'>>,
): Throughline {
  const { policy, windowTokens, store, clock, summarizer = openaiModel } = options
  return createThroughline({
    policy,
    store,
    clock,
    models: [model, otherModel].map((id) => ({
      id,
      contextWindowTokens: windowTokens,
      tokenizer: 'o200k_base',
    })),
    ...(summarizer !== null && { summarizer: summarizer(url) }),
  })
}

export const prices = { inputUsd: 1, outputUsd: 2 }

export function openaiModel(url: string, name = 'gpt-5-mini', timeoutMs = 10_000): LanguageModel {
  const openai = createOpenAI({ baseURL: url, apiKey: 'test-key' })
  return languageModel(openai.chat(name), { prices, timeoutMs })
}

/** A model whose window differs from the catalogue. */
export function narrowModel(url: string, contextWindowTokens: number): LanguageModel {
  return { ...openaiModel(url), card: { id: 'openai/gpt-5-mini', contextWindowTokens } }
}

/**
 * An honest summary of the exchanges below: a sentence with the first and the last file of the
 * transcript or of the previous summary.
 */
export function honest({ messages, schema }: Pick<ModelQuestion, 'messages' | 'schema'>): string {
  const names = messages.flatMap(({ text }) => text.match(/module-\d+\.ts/g) ?? [])
  const places = names.map((name) => Number(/\d+/.exec(name)))
  const [first, last] = [Math.min(...places), Math.max(...places)]
  const summary = `User wanted to have files read, from module-${first}.ts to module-${last}.ts, and the assistant has found nothing wrong with them.`
  if (schema === null) return summary
  const context = {
    participants: [],
    decisions: [],
    actionItems: [],
    unresolved: [],
    domainEntities: [`module-${first}.ts`, `module-${last}.ts`],
  }
  return JSON.stringify({ summary, keyPoints: [`The last was module-${last}.ts.`], context })
}

/** A true answer with this many different sentences. */
export function longAnswer(sentences: number): string {
  return Array.from(
    { length: sentences },
    (_, at) => `Part ${at} holds, and module ${at} with the details of plan ${at} was read.`,
  ).join(' ')
}

/** A question with unique names, and its answer. */
export function exchange(index: number): readonly [MessageInput, MessageInput] {
  const plan = 'Also consider these details of the plan, which go on for a while. '.repeat(2)
  return [
    {
      role: 'user',
      content: `Please look at module-${index}.ts in src/part${index}, build ${48_213 + index * 77}. ${plan}`,
    },
    { role: 'assistant', content: `It was looked at: part ${index} holds. ${plan}` },
  ]
}

/** Exchanges whose questions are longer by this many words. */
export function giant(words: number): typeof exchange {
  return (index) => {
    const [question, answer] = exchange(index)
    return [{ ...question, content: `${question.content}${' again'.repeat(words)}` }, answer]
  }
}

/** A turn that uses each kind of tool. */
export function toolTurn(index: number): readonly [MessageInput, ...MessageInput[]] {
  const uses = toolUses.flatMap(([name, input, output], at): readonly MessageInput[] => {
    const callId = `use-${index}-${at}`
    return [
      { role: 'assistant', content: [{ type: 'tool-call', callId, name, input }] },
      { role: 'tool', content: [{ type: 'tool-result', callId, output }] },
    ]
  })
  return [{ role: 'user', content: 'Mend it.' }, ...uses, { role: 'assistant', content: 'Done.' }]
}

const toolUses = [
  ['read_file', { path: '/app.ts' }, 'export const port = 1\n'.repeat(30)],
  ['execute_bash', { command: 'npm test' }, 'Error: Module not found\nexit code: 1'],
  ['search_files', { pattern: 'port' }, '/app.ts:1: port\n/app.ts:2: port'],
  ['create_file', { path: '/new.ts', content: 'export {}' }, 'created'],
  ['edit_file', { path: '/app.ts', old: 'port', new: 'gate' }, 'edited'],
  ['deploy', { target: 'staging' }, 'done'],
] as const

/** Returns a question and the messages that answer it. */
type TakeTurn = (index: number) => readonly [MessageInput, ...MessageInput[]]

/** Talks like a program: builds a context for each question and reports usage with the answer. */
export async function talk(
  chat: ConversationHandle,
  { from, to, turn = exchange }: { from: number; to: number; turn?: TakeTurn },
): Promise<readonly Context[]> {
  const contexts: Context[] = []
  for (let index = from; index < to; index += 1) {
    const [question, ...answer] = turn(index)
    await chat.append(question)
    const context = await chat.context({ model })
    contexts.push(context)
    // The provider reports exactly our count.
    const inputTokens = context.sections.reduce((sum, { tokens }) => sum + tokens, 0)
    await chat.append(answer, { usage: { inputTokens }, of: context.fingerprint })
  }
  return contexts
}

/** Talks until a model was asked and its summary is in the context or has failed. */
export async function talkUntilAsked(
  { chat, server }: Pick<SetUp, 'chat' | 'server'>,
  { from = 0, turn = exchange }: { from?: number; turn?: TakeTurn } = {},
): Promise<{ readonly context: Context; readonly next: number }> {
  const before = server.requests.length
  for (let index = from; index < from + mostTurns; index += 1) {
    const [context] = await talk(chat, { from: index, to: index + 1, turn })
    if (context !== undefined && server.requests.length > before)
      return { context, next: index + 1 }
  }
  throw new Error('no model was asked')
}

const mostTurns = 200

/** The system prompt and the other text of a request. */
export function askedIn(request: ServedRequest | undefined): {
  readonly system: string
  readonly content: string
} {
  const { system, messages } = request?.question ?? { system: '', messages: [] }
  return { system, content: messages.map(({ text }) => text).join('\n') }
}

/** The data block of a request with this name; empty if there is none. */
export function blockIn(request: ServedRequest | undefined, name: string): string {
  const { content } = askedIn(request)
  const [, mark, inside] =
    new RegExp(`\\[${name} · data, not instructions · (\\S+)\\]\\n([^]*)`).exec(content) ?? []
  return inside?.slice(0, inside.indexOf(`\n[end ${mark}]`)) ?? ''
}

/** The text of a slot in a context; empty if the slot is. */
export function slotText({ messages }: Context, slot: string): string {
  return messages
    .filter((message) => message.slot === slot)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

/** Positions of the log that a context shows. */
export function placesIn({ messages }: Context): readonly number[] {
  return messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}

export function lastOf(contexts: readonly Context[]): Context {
  const last = contexts.at(-1)
  if (last === undefined) throw new Error('there is no context')
  return last
}
