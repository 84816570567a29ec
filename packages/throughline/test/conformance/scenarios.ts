/** Long conversations on shipped presets, with every window and with or without reported usage. */
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type LiveEvent,
  type MessageInput,
  type PolicyName,
  type Throughline,
} from 'throughline'
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from 'throughline/testing'
import { onTestFinished } from 'vitest'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'

export const model = 'toy/chat'

type ModelRequest = ScriptedModel['asked'][number]

export const windows = [4_096, 32_000, 200_000] as const

/** Each window, with and without usage; the largest only in `npm run test:conformance`. */
export const variants = windows.flatMap((windowTokens) =>
  usageReports(windowTokens).map((reportsUsage) => ({ windowTokens, reportsUsage })),
)

export function usageReports(windowTokens: number): readonly boolean[] {
  return windowTokens < 200_000 || process.env['MODE'] === 'whole' ? [false, true] : []
}

export type Variant = (typeof variants)[number]

export interface Scenario extends Variant {
  readonly tl: Throughline
  readonly chat: ConversationHandle
  readonly writer: ScriptedModel
  readonly live: readonly LiveEvent[]
  /** A text of so many tokens, as the chat's model counts; starts with a name. */
  text(name: string, tokens: number): string
  /** The context for the conversation as it is, with usage reported for it if the variant does. */
  ask(): Promise<Context>
  /** Appends messages one by one, with a context after each. */
  say(messages: readonly MessageInput[]): Promise<readonly Context[]>
}

export async function scenario(
  policy: PolicyName,
  variant: Variant,
  script: (
    request: Parameters<Parameters<typeof scriptedModel>[0]>[0],
  ) => ScriptedAnswer = truthful,
): Promise<Scenario> {
  const { windowTokens, reportsUsage } = variant
  const writer = scriptedModel(script, { windowTokens: 400_000 })
  const tl = createThroughline({
    policy,
    models: [{ id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
    summarizer: writer,
  })
  onTestFinished(() => tl.close())
  const live: LiveEvent[] = []
  tl.on((event) => live.push(event))
  const chat = tl.conversation('c')
  let last: Context | null = null
  const ask = async () => {
    last = await chat.context({ model })
    return last
  }
  const meter = await tl.meter(model)
  return {
    ...variant,
    tl,
    chat,
    writer,
    live,
    text: (name, tokens) => {
      const start = `${name} is the subject of this message.`
      const words = Math.max(0, tokens - meter.text(start))
      return `${start}${' again'.repeat(words)}`
    },
    ask,
    say: async (messages) => {
      const contexts: Context[] = []
      for (const message of messages) {
        const usage = last === null || !reportsUsage ? null : usageOf(last)
        if (usage !== null && message.role === 'assistant') await chat.append(message, usage)
        else await chat.append(message)
        await tl.settled()
        contexts.push(await ask())
        await tl.settled()
      }
      return contexts
    },
  }
}

/** The provider reports exactly our count. */
function usageOf({ sections, fingerprint }: Context) {
  const inputTokens = sections.reduce((sum, { tokens }) => sum + tokens, 0)
  return { usage: { inputTokens }, of: fingerprint }
}

function truthful({ messages, schema }: ModelRequest): string {
  return truthfulSummary({ messages: messages.map(({ content }) => ({ text: content })), schema })
}

/** A model that is busy. */
export function failing(): ScriptedAnswer {
  const failure = { cause: 'refused', status: 400, retryAfterMs: null, message: 'busy' } as const
  return { kind: 'failed', failure }
}

/** The part of a conversation that a request for a summary has. */
export function transcriptIn({ messages }: ModelRequest): string {
  const content = messages.map((each) => each.content).join('\n')
  const [, mark, inside] =
    /\[(?:transcript|text segment) · .* · (\S+)\]\n([\s\S]*)/.exec(content) ?? []
  return inside?.slice(0, inside.indexOf(`\n[end ${mark}]`)) ?? ''
}

/** A question or an answer, in turn. */
export function message(index: number, content: string): MessageInput {
  return { role: index % 2 === 0 ? 'user' : 'assistant', content }
}

export function placesIn({ messages }: Context): readonly number[] {
  return messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}

export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

export function summaryText({ messages }: Context): string {
  const summaries = messages.filter(({ slot }) => slot === 'summary')
  return summaries
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

/** Per summary, oldest first: the log's length at its request, and the messages that it covers. */
export async function written({ chat }: Scenario) {
  const summaries = await chat.summaries()
  return summaries.map(({ head, covers }) => [head, covers.to] as const).toReversed()
}
