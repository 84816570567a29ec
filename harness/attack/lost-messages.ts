/**
 * No preset may lose what a user said. After every turn, each user message must be shown, inside
 * a summary that a healthy model wrote from it, or named: its first words with an anchor that
 * opens the rest. With models that are missing, broken, lying or hung, also after a restart.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type PolicyName,
  policies,
  type Throughline,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterReply } from 'throughline/turns'
import type { Attack, AttackOptions } from './attack.ts'
import { type AskedModel, histories, models, replyTo, type SaidMessage } from './loss-talk.ts'
import { mutants } from './lost-messages-mutants.ts'

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
    if (summarized === 0) findings.push('no summary of the healthy model was ever in force')
    return { probes, findings }
  },
  mutants,
}

interface Case {
  readonly policy: PolicyName
  /** An agent's memory step after every reply: only for the policy that shows it. */
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
  /** Messages that only a summary held, after the turns of the case. */
  readonly summarized: number
  readonly findings: readonly string[]
}

async function runCase(one: Case): Promise<CaseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'lost-messages-'))
  const file = join(folder, 'chat.db')
  const asked = models[one.model]()
  const said = histories[one.history]()
  const findings: string[] = []
  let [probes, summarized] = [0, 0]
  let tl = engineFor(one, asked, file)
  try {
    for (const [turn, message] of said.entries()) {
      if (turn === Math.floor(said.length / 2)) {
        await tl.close()
        tl = engineFor(one, asked, file)
      }
      const chat = tl.conversation('c')
      await chat.append({ role: 'user', content: message.text })
      const context = await chat.context({ model: chatModel })
      const so = said.slice(0, turn + 1)
      const hidden = so.filter((each) => !isVisible(each, context))
      const lost = await lostOf(hidden, context, chat, asked)
      summarized += hidden.length - lost.length
      const cut = wholeIn(one, so).filter((each) => !isWhole(each, context))
      probes += so.length
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
  // Nobody waits for a model that hangs for as long as the preset would.
  const waits = run.mode === 'background' ? { ...run, waitMs: 20 } : run
  const shorter = { ...preset, run: waits, limits: { ...limits, timeMs: 40 } }
  return createThroughline({
    store: sqlite(file),
    policy: model === 'hanging' ? shorter : preset,
    models: [{ id: chatModel, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
    ...(asked.model !== null && { summarizer: asked.model }),
  }) satisfies Throughline
}

async function rememberTurn(chat: ConversationHandle, message: SaidMessage): Promise<void> {
  await afterReply(chat, {
    userMessage: message.text,
    finalResponse: replyTo(message),
    router: { goal: 'help', complexity: 'low' },
    think: { decision: 'plan_direct' },
  })
}

function isVisible(message: SaidMessage, { messages }: Context): boolean {
  return messages.map(blockOf).some((block) => isShown(message, block) || isNamed(message, block))
}

/** Those that no summary covers which a healthy model wrote from all of it. */
async function lostOf(
  hidden: readonly SaidMessage[],
  { messages }: Context,
  chat: ConversationHandle,
  asked: AskedModel,
): Promise<readonly SaidMessage[]> {
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

function isShown({ text }: SaidMessage, block: Block): boolean {
  return block.text.includes(text)
}

/** Its first words, and in the same block an anchor that opens it. */
function isNamed({ seq, marks: [first = ''] }: SaidMessage, { text }: Block): boolean {
  if (!text.includes(first)) return false
  return [...text.matchAll(/#(\d+)(?:(?: to |[-–])#?(\d+))?/g)].some(
    ([, from, to = from]) => Number(from) <= seq && seq <= Number(to),
  )
}

/** Where the summary ends that the request shows; 0 where it shows none. */
async function summaryEnd(chat: ConversationHandle, blocks: readonly Block[]): Promise<number> {
  const history = blocks.find(({ slot }) => slot === 'history')?.text ?? ''
  const remembered = Number(/#\d+-#(\d+), in short/.exec(history)?.[1] ?? -1) + 1
  const text = blocks.find(({ slot }) => slot === 'summary')?.text ?? ''
  if (!text.includes('summary-depth:')) return remembered
  const summaries = await chat.summaries()
  // One that is cut covers nothing.
  const shown = summaries.find((each) => text.includes(each.text))
  return Math.max(remembered, shown?.covers.to ?? 0)
}

/**
 * What a window that holds the whole history must show whole: the newest messages that the preset
 * keeps, and all of them where the preset changes nothing without a summary and there is none.
 */
function wholeIn(one: Case, said: readonly SaidMessage[]): readonly SaidMessage[] {
  const { keepRecent } = policies[one.policy]
  if (one.windowTokens < 32_000) return []
  const isBroken = one.model !== 'none' && one.model !== 'healthy'
  if (unchanged.includes(one.policy) && isBroken) return said
  // What is remembered takes the place of the messages themselves.
  if (one.remembers) return said.slice(-1)
  const head = (said.at(-1)?.seq ?? 0) + 1
  const newest = 'messages' in keepRecent ? keepRecent.messages : 2
  return said.filter(({ seq }) => seq >= head - newest)
}

const unchanged: readonly PolicyName[] = ['ratio-chain', 'rolling-rows', 'running-rag']

function isWhole(message: SaidMessage, { messages }: Context): boolean {
  return messages.map(blockOf).some((block) => isShown(message, block))
}

function placesOf(messages: readonly SaidMessage[]): string {
  return messages.map(({ seq }) => `#${seq}`).join(' ')
}

function sentence(one: Case, context: Context, what: string): string {
  const { policy, remembers, model, history, windowTokens, settles } = one
  const { tokens, available, decision } = context
  const preset = remembers ? `${policy} with afterReply` : policy
  const head = context.messages.at(-1)?.seq
  return `${preset}, model ${model}, ${history}, window ${windowTokens}, settles ${settles}: after turn of #${head} ${what} in ${tokens} of ${available} tokens (${decision.kind} ${decision.reason})`
}
