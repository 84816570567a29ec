/**
 * Fills the chat model's window with a summarizer of another window, and switches the chat model in the
 * middle: every context is built and fits, and no request to the summarizer exceeds its window.
 */
import {
  createThroughline,
  type MessageInput,
  type PolicyName,
  policies,
  type Throughline,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { strictModel, tokenizer } from './strict-model.ts'

export const windowSizes = [8_000, 32_000, 128_000, 200_000, 1_000_000] as const

export interface WindowRuns {
  readonly seed: number
  /** Per pair of windows. */
  readonly runs: number
  /** Windows of the chat model and of the summarizer. */
  readonly pair: readonly [number, number]
}

export interface WindowReport {
  readonly pair: WindowRuns['pair']
  readonly histories: number
  readonly messages: number
  readonly contexts: number
  readonly compactions: number
  readonly requests: number
  /** The largest request, including its answer, as a share of the summarizer's window. */
  readonly fullest: number
  readonly summaries: number
  /** How often it was not called because the request has no room. */
  readonly passedOver: number
  readonly findings: readonly Finding[]
}

export async function runWindows({ seed, runs, pair }: WindowRuns): Promise<WindowReport> {
  let report: WindowReport = { ...nothingSeen, pair }
  for (let run = 0; run < runs; run += 1)
    report = plus(report, await runHistory(`${seed + run} ${pair}`, pair))
  return report
}

const nothingSeen = {
  histories: 0,
  messages: 0,
  contexts: 0,
  compactions: 0,
  requests: 0,
  fullest: 0,
  summaries: 0,
  passedOver: 0,
  findings: [],
} as const

type Seen = Omit<WindowReport, 'pair'>

function plus(one: WindowReport, other: Seen): WindowReport {
  return {
    pair: one.pair,
    histories: one.histories + other.histories,
    messages: one.messages + other.messages,
    contexts: one.contexts + other.contexts,
    compactions: one.compactions + other.compactions,
    requests: one.requests + other.requests,
    fullest: Math.max(one.fullest, other.fullest),
    summaries: one.summaries + other.summaries,
    passedOver: one.passedOver + other.passedOver,
    findings: [...one.findings, ...other.findings],
  }
}

const names = Object.keys(policies) as [PolicyName, ...PolicyName[]]

async function runHistory(
  name: string,
  [chatWindow, askedWindow]: WindowRuns['pair'],
): Promise<Seen> {
  const chance = chanceOf(`windows ${name}`)
  const policy = chance.pick(names)
  const other = chance.pick(windowSizes)
  const asked = strictModel(askedWindow)
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `${name}, ${policy}, switched to ${other}: ${detail}` })
  const tl = createThroughline({
    store: memory(),
    tokenizer,
    policy,
    models: [
      { id: 'toy/first', contextWindowTokens: chatWindow },
      { id: 'toy/other', contextWindowTokens: other },
    ],
    summarizer: asked.model,
  })
  let passedOver = 0
  tl.on((event) => {
    if (event.kind !== 'summarization-failed') return
    const { passedOver: others } = event.summarization
    if (others.some(({ why }) => why === 'does-not-fit')) passedOver += 1
  })
  const { turns } = windowHistory(name, chatWindow)
  const switchedAt = Math.floor((turns.length * chance.between(50, 90)) / 100)
  const looked = Math.max(1, Math.floor(turns.length / looks))
  const chat = tl.conversation('windows')
  let contexts = 0
  for (const [index, [question, ...rest]] of turns.entries()) {
    if (question === undefined) continue
    await chat.append(question)
    if (index % looked === 0 || index >= turns.length - 2) {
      const model = index >= switchedAt && index % 2 === 0 ? 'toy/other' : 'toy/first'
      contexts += 1
      await look(tl, model, note)
    }
    await chat.append(rest)
    if (index % looked === 0) await tl.settled()
  }
  await tl.settled()
  const receipts = await chat.receipts({ limit: 200 })
  const summaries = await chat.summaries({ limit: 1_000 })
  const messages = (await chat.info())?.head ?? 0
  await tl.close()
  if (passedOver > 0) note('no-room', `${passedOver} summaries were skipped`)
  for (const share of asked.shares)
    if (share > 1) note('oversize', `a request takes ${share.toFixed(3)} of the window`)
  return {
    histories: 1,
    messages,
    contexts,
    compactions: receipts.length,
    requests: asked.shares.length,
    fullest: Math.max(0, ...asked.shares),
    summaries: summaries.length,
    passedOver,
    findings,
  }
}

/** About how many contexts are built for a history. */
const looks = 12

async function look(
  tl: Throughline,
  model: string,
  note: (rule: string, detail: string) => void,
): Promise<void> {
  try {
    const context = await tl.conversation('windows').context({ model, system: 'Be brief.' })
    if (context.tokens > context.available)
      note('budget', `${context.tokens} of ${context.available} tokens`)
  } catch (error) {
    note('dead-end', String(error))
  }
}

/**
 * Fifty compactions of one conversation, each with a summary: none exceeds its limit, the chain is
 * folded in time, and each summary starts where the previous one ends.
 */
interface ChainReport {
  readonly summaries: number
  readonly mostTokens: number
  readonly mostDepth: number
  readonly generations: number
  readonly findings: readonly Finding[]
}

const compactions = 50
const chatWindow = 8_000
const firstTurns = 40
const turnsBetween = 4
const limits = { 'ratio-chain': 2_000, 'rolling-rows': 500, 'running-rag': 500 } as const
export const chainPolicies = Object.keys(limits) as readonly (keyof typeof limits)[]

export async function runChain(
  policy: keyof typeof limits,
  askedWindow: number,
): Promise<ChainReport> {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `${policy}, summarizer ${askedWindow}: ${detail}` })
  const { model, shares } = strictModel(askedWindow)
  const tl = createThroughline({
    store: memory(),
    tokenizer,
    policy: { ...policies[policy], limits: { ...policies[policy].limits, callsPerHour: 1_000 } },
    models: [{ id: 'toy/chat', contextWindowTokens: chatWindow }],
    summarizer: model,
  })
  const chat = tl.conversation('chain')
  for (let compaction = 0; compaction < compactions; compaction += 1) {
    const turns = compaction === 0 ? firstTurns : turnsBetween
    for (let turn = 0; turn < turns; turn += 1)
      await chat.append(exchange(compaction * firstTurns + turn))
    await chat.compactNextRequest()
    await chat.context({ model: 'toy/chat' })
    await tl.settled()
  }
  const summaries = (await chat.summaries({ limit: 1_000 })).toReversed()
  await tl.close()
  if (summaries.length < compactions) note('chain', `${summaries.length} summaries`)
  for (const [index, { tokens, added, version }] of summaries.entries()) {
    if (tokens > limits[policy]) note('limit', `summary ${version} has ${tokens} tokens`)
    if (added.from !== (summaries[index - 1]?.covers.to ?? 0))
      note('chain', `summary ${version} starts at ${added.from}`)
  }
  if (shares.some((share) => share > 1)) note('oversize', `${Math.max(...shares)} of the window`)
  return {
    summaries: summaries.length,
    mostTokens: Math.max(...summaries.map(({ tokens }) => tokens)),
    mostDepth: Math.max(...summaries.map(({ depth }) => depth)),
    generations: Math.max(...summaries.map(({ generation }) => generation)),
    findings,
  }
}

function exchange(index: number) {
  const plan = 'It goes on with the plan that was agreed, for a while. '.repeat(3)
  return [
    { role: 'user', content: `Please look at part ${index} in src/part-${index}.ts. ${plan}` },
    { role: 'assistant', content: `Part ${index} was looked at, and it holds. ${plan}` },
  ] as const
}

/** A random conversation that fills a window: short talk, long tool output, huge messages. */
interface WindowHistory {
  /** Batches, appended in order. */
  readonly turns: readonly (readonly MessageInput[])[]
}

/** At most one and a half times the window. */
function windowHistory(name: string, windowTokens: number): WindowHistory {
  const chance = chanceOf(name)
  const fullTokens = Math.floor((windowTokens * chance.between(80, 150)) / 100)
  const turns: (readonly MessageInput[])[] = []
  let tokens = 0
  const usual = Math.max(60, Math.floor(windowTokens / chance.between(25, 60)))
  while (tokens < fullTokens) {
    const isGiant = chance.once(20)
    const size = isGiant
      ? Math.floor((windowTokens * chance.between(20, 110)) / 100)
      : chance.between(20, usual * 2)
    turns.push(turnOf(turns.length, size, chance))
    tokens += size
  }
  return { turns }
}

function turnOf(index: number, tokens: number, chance: Chance): readonly MessageInput[] {
  const question = `Please look at part ${index} of the plan, file src/part-${index}.ts.`
  const answer = {
    role: 'assistant',
    content: `Part ${index} was looked at and it holds.`,
  } as const
  const long = longText(index, tokens * charactersPerToken, chance)
  if (chance.once(3)) return [{ role: 'user', content: `${question}\n\n${long}` }, answer]
  if (chance.once(2))
    return [
      { role: 'user', content: question },
      { role: 'assistant', content: long },
    ]
  const callId = `call-${index}`
  const call = {
    type: 'tool-call',
    callId,
    name: 'read_file',
    input: { path: `src/part-${index}.ts` },
  } as const
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: long }] },
    answer,
  ]
}

const charactersPerToken = 4

/** Lines of words; sometimes one huge line without a place to cut. */
function longText(index: number, characters: number, chance: Chance): string {
  if (chance.once(12)) return `part${index}`.repeat(Math.ceil(characters / 6)).slice(0, characters)
  const lines: string[] = []
  for (let length = 0; length < characters; ) {
    const line = `Line ${lines.length} of part ${index} says that ${chance.pick(sentences)}.`
    lines.push(lines.length % 8 === 7 ? `${line}\n` : line)
    length += line.length + 1
  }
  return lines.join('\n').slice(0, characters)
}

const sentences = [
  'the plan goes on as it was agreed',
  'nobody has changed the second half of it',
  'the port of the server is read from the settings',
  'a test is still missing and will be written',
] as const
