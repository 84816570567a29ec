/**
 * No preset may lose a user message. After every turn, each one must be shown, covered by a summary
 * that a healthy model wrote from it, or named: its first words with an anchor that opens the rest.
 * This must hold with missing, broken, lying or hung models, and after a restart.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type LanguageModel,
  type PolicyName,
  policies,
  type Throughline,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { type ScriptedModel, scriptedModel } from 'throughline/testing'
import { afterReply } from 'throughline/turns'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import type { Attack, AttackOptions } from './attack.ts'

export const lostMessages: Attack = {
  name: 'lost-messages',
  run: async (options) => {
    const findings: string[] = []
    let [probes, summarized] = [0, 0]
    for (const one of casesOf(options)) {
      const result = await runCase(one)
      probes += result.probes
      summarized += result.summarized
      findings.push(...result.findings)
    }
    if (summarized === 0) findings.push('no summary by the healthy model was ever in force')
    return { probes, findings }
  },
}

interface Case {
  readonly policy: PolicyName
  /** Whether the agent's turns are remembered after every reply; only `turns` policies show them. */
  readonly remembers: boolean
  readonly model: keyof typeof models
  readonly history: keyof typeof histories
  readonly windowTokens: number
  /** Whether summaries are ready before the next message. */
  readonly settles: boolean
}

function casesOf({ seed, whole }: AttackOptions): readonly Case[] {
  const presets = (Object.keys(policies) as PolicyName[]).flatMap((policy) => [
    { policy, remembers: false },
    ...(policy === 'turn-memory' ? [{ policy, remembers: true }] : []),
  ])
  const all = presets.flatMap((preset) =>
    (Object.keys(models) as (keyof typeof models)[]).flatMap((model) =>
      (Object.keys(histories) as (keyof typeof histories)[]).flatMap((history) =>
        [4_000, 32_000, 200_000].map((windowTokens, at) => ({
          ...preset,
          model,
          history,
          windowTokens,
          settles: (at + history.length + seed) % 2 === 0,
        })),
      ),
    ),
  )
  return whole ? all : all.filter(isSampled)
}

function isSampled({ policy, model, history, windowTokens }: Case): boolean {
  return failedBefore.some(
    (one) =>
      one[0] === policy && one[1] === model && history.includes(one[2]) && windowTokens === one[3],
  )
}

const failedBefore: readonly (readonly [PolicyName, keyof typeof models, string, number])[] = [
  ['coding', 'failing', '3.5K', 4_000],
  ['rule-digest', 'failing', 'paste', 4_000],
  ['rolling-rows', 'failing', '44', 200_000],
  ['running-rag', 'none', 'paste', 32_000],
  ['running-rag', 'healthy', '3.5K', 200_000],
  ['running-rag', 'failing', '14K', 200_000],
  ['turn-memory', 'none', 'paste', 4_000],
  ['turn-memory', 'healthy', '14K', 32_000],
]

const chatModel = 'toy/chat'

interface CaseResult {
  readonly probes: number
  /** Messages that only a summary covers at the end of the case. */
  readonly summarized: number
  readonly findings: readonly string[]
}

async function runCase(one: Case): Promise<CaseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'lost-messages-'))
  const file = join(folder, 'chat.db')
  const asked = models[one.model]()
  const userMessages = histories[one.history]()
  const findings: string[] = []
  let [probes, summarized] = [0, 0]
  let tl = engineFor(one, asked, file)
  try {
    for (const [turn, message] of userMessages.entries()) {
      if (turn === Math.floor(userMessages.length / 2)) {
        await tl.close()
        tl = engineFor(one, asked, file)
      }
      const chat = tl.conversation('c')
      await chat.append({ role: 'user', content: message.text })
      const context = await chat.context({ model: chatModel })
      const sent = userMessages.slice(0, turn + 1)
      const hidden = sent.filter((each) => !isVisible(each, context))
      const lost = await lostOf(hidden, context, chat, asked)
      summarized += hidden.length - lost.length
      const cut = wholeIn(one, sent).filter((each) => !isWhole(each, context))
      probes += sent.length
      if (lost.length > 0) findings.push(sentence(one, context, `lost ${placesOf(lost)}`))
      else if (cut.length > 0) findings.push(sentence(one, context, `cut ${placesOf(cut)}`))
      await chat.append({ role: 'assistant', content: replyTo(message) })
      if (one.remembers) await rememberTurn(chat, message)
      if (one.settles) await tl.settled()
    }
  } finally {
    await tl.close()
    await rm(folder, { recursive: true })
  }
  return { probes, summarized, findings }
}

function engineFor({ policy, model, windowTokens }: Case, asked: AskedModel, file: string) {
  const preset = policies[policy]
  const { run, limits } = preset
  // Shorter than the preset's timeout, sent that the harness does not wait for a hung model.
  const waits = run.mode === 'background' ? { ...run, waitMs: 20 } : run
  const shorter = { ...preset, run: waits, limits: { ...limits, timeMs: 40 } }
  return createThroughline({
    store: sqlite(file),
    policy: model === 'hanging' ? shorter : preset,
    models: [{ id: chatModel, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
    ...(asked.model !== null && { summarizer: asked.model }),
  }) satisfies Throughline
}

async function rememberTurn(chat: ConversationHandle, message: UserMessage): Promise<void> {
  await afterReply(chat, {
    userMessage: message.text,
    finalResponse: replyTo(message),
    router: { goal: 'help', complexity: 'low' },
    think: { decision: 'plan_direct' },
  })
}

function isVisible(message: UserMessage, { messages }: Context): boolean {
  return messages.map(blockOf).some((block) => isShown(message, block) || isNamed(message, block))
}

/** Hidden messages that no summary covers, written by a healthy model from their whole text. */
async function lostOf(
  hidden: readonly UserMessage[],
  { messages }: Context,
  chat: ConversationHandle,
  asked: AskedModel,
): Promise<readonly UserMessage[]> {
  if (hidden.length === 0) return []
  const summarizedTo = await summaryEnd(chat, messages.map(blockOf))
  const read = asked.read()
  return hidden.filter(
    ({ seq, marks }) => seq >= summarizedTo || !marks.every((mark) => read.includes(mark)),
  )
}

interface Block {
  readonly slot: string
  readonly text: string
}

function blockOf({ slot, parts }: Context['messages'][number]): Block {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { slot, text: texts.join('\n') }
}

function isShown({ text }: UserMessage, block: Block): boolean {
  return block.text.includes(text)
}

/** Whether a block has its first words and an anchor that opens it. */
function isNamed({ seq, marks: [first = ''] }: UserMessage, { text }: Block): boolean {
  if (!text.includes(first)) return false
  return [...text.matchAll(/#(\d+)(?:(?: to |[-–])#?(\d+))?/g)].some(
    ([, from, to = from]) => Number(from) <= seq && seq <= Number(to),
  )
}

/** Where the summary in the request ends; 0 if there is none. */
async function summaryEnd(chat: ConversationHandle, blocks: readonly Block[]): Promise<number> {
  const history = blocks.find(({ slot }) => slot === 'history')?.text ?? ''
  const remembered = Number(/#\d+-#(\d+), in short/.exec(history)?.[1] ?? -1) + 1
  const text = blocks.find(({ slot }) => slot === 'summary')?.text ?? ''
  if (!text.includes('summary-depth:')) return remembered
  const summaries = await chat.summaries()
  // A truncated summary covers nothing.
  const shown = summaries.find((each) => text.includes(each.text))
  return Math.max(remembered, shown?.covers.to ?? 0)
}

/**
 * Messages that must be shown whole if the window holds the entire history: the newest ones that
 * the preset keeps, or all of them if the preset changes nothing without a summary and has none.
 */
function wholeIn(one: Case, userMessages: readonly UserMessage[]): readonly UserMessage[] {
  const { keepRecent } = policies[one.policy]
  if (one.windowTokens < 32_000) return []
  const isBroken = one.model !== 'none' && one.model !== 'healthy'
  if (unchanged.includes(one.policy) && isBroken) return userMessages
  // The remembered turns replace the messages.
  if (one.remembers) return userMessages.slice(-1)
  const head = (userMessages.at(-1)?.seq ?? 0) + 1
  const newest = 'messages' in keepRecent ? keepRecent.messages : 2
  return userMessages.filter(({ seq }) => seq >= head - newest)
}

const unchanged: readonly PolicyName[] = ['ratio-chain', 'rolling-rows', 'running-rag']

function isWhole(message: UserMessage, { messages }: Context): boolean {
  return messages.map(blockOf).some((block) => isShown(message, block))
}

function placesOf(messages: readonly UserMessage[]): string {
  return messages.map(({ seq }) => `#${seq}`).join(' ')
}

function sentence(one: Case, context: Context, what: string): string {
  const { policy, remembers, model, history, windowTokens, settles } = one
  const { tokens, available, decision } = context
  const preset = remembers ? `${policy} with afterReply` : policy
  const head = context.messages.at(-1)?.seq
  return `${preset}, model ${model}, ${history}, window ${windowTokens}, settles ${settles}: after turn of #${head} ${what} in ${tokens} of ${available} tokens (${decision.kind} ${decision.reason})`
}

/** Conversations in which every user message has unique words, and models of five kinds. */
interface UserMessage {
  readonly seq: number
  readonly text: string
  /** Unique words of the message; the first is among its first words. */
  readonly marks: readonly string[]
}

const histories = {
  'a first message of 3.5K tokens': () => [long(0, 3_500), ...short(1, 12)],
  'a first message of 14K tokens': () => [long(0, 14_000), ...short(1, 12)],
  'a paste of 6K tokens in the middle': () => [...short(0, 6), long(6, 6_000), ...short(7, 7)],
  '44 short messages': () => short(0, 22),
} as const satisfies Readonly<Record<string, () => readonly UserMessage[]>>

/** The reply shares no word with the user's messages, sent it cannot be mistaken for them. */
function replyTo({ seq }: UserMessage): string {
  return `Understood, point ${seq / 2 + 1} is on the list, and nothing speaks against it sent far.`
}

function short(from: number, count: number): readonly UserMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const mark = markOf(from + at)
    const text = `Please have ${mark} look at the ${topics[at % topics.length]} before the week is over, because the others wait for it.`
    return { seq: (from + at) * 2, text, marks: [mark] }
  })
}

const topics = ['plumbing', 'garden wall', 'insurance letter', 'roof', 'tax form']

/** About this many tokens: sentences of ten words, one in a hundred with a unique word. */
function long(index: number, tokens: number): UserMessage {
  const marks: string[] = []
  const sentences = Array.from({ length: Math.ceil(tokens / 12) }, (_, at) => {
    if (at % 100 > 0)
      return `In part ${at} the old wall meets the floor near the ${topics[at % 5]}.`
    const mark = markOf(index * 1_000 + 500 + at / 100)
    marks.push(mark)
    return `Then ${mark} measured the north side and wrote down what was seen.`
  })
  return { seq: index * 2, text: sentences.join(' '), marks }
}

const syllables = ['vor', 'zel', 'quen', 'mib', 'tash', 'dru', 'pleck', 'gon', 'wex', 'yul']

/** A name of four syllables for a number below ten thousand. */
function markOf(index: number): string {
  const digits = String(index).padStart(4, '0')
  const name = [...digits].map((digit) => syllables[Number(digit)]).join('')
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}

interface AskedModel {
  readonly model: LanguageModel | null
  /** Everything it was asked to summarize; empty if its answers are worthless. */
  readonly read: () => string
}

const models = {
  none: () => ({ model: null, read: () => '' }),
  healthy: () => {
    const model = scriptedModel(({ messages, schema }) =>
      truthfulSummary({ messages: messages.map(textOf), schema }),
    )
    return { model, read: () => textOfAll(model) }
  },
  failing: () => worthless(scriptedModel(() => failed)),
  lying: () => worthless(scriptedModel(({ schema }) => (schema === null ? lie : lieAsJson))),
  // It ignores even the abort signal.
  hanging: () => worthless({ ...scriptedModel(() => ''), generate: () => new Promise(() => {}) }),
} as const satisfies Readonly<Record<string, () => AskedModel>>

const textOf = ({ role, content }: ScriptedModel['asked'][number]['messages'][number]) => ({
  role,
  text: content,
})

function textOfAll({ asked }: ScriptedModel): string {
  return asked.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')
}

function worthless(model: LanguageModel): AskedModel {
  return { model, read: () => '' }
}

const failed = {
  kind: 'failed',
  failure: { cause: 'refused', status: 500, retryAfterMs: null, message: 'broken' },
} as const

const lie =
  'User asked Priya Halden to move the Lisbon warehouse to OPS-48213, paid invoice INV-77310 of 9,450 EUR and cancelled flight TP-8841. The assistant has confirmed that ticket OPS-48213 is closed.'
const lieAsJson = JSON.stringify({
  summary: lie,
  keyPoints: ['Invoice INV-77310 was paid.', 'Flight TP-8841 was cancelled.'],
  context: {
    participants: ['Priya Halden'],
    decisions: ['Close OPS-48213'],
    actionItems: [],
    unresolved: [],
    domainEntities: ['INV-77310', 'TP-8841'],
  },
})
