/**
 * Histories that fill the window of the chat, with a summarizer of another window, and the
 * model of the chat switched in the middle: every context is made and fits, and no request
 * to the summarizer is larger than its window.
 */
import { createThroughline, type PolicyName, policies, type Throughline } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { strictModel, tokenizer } from './strict-model.ts'
import { windowHistory } from './window-history.ts'

export const windowSizes = [8_000, 32_000, 128_000, 200_000, 1_000_000] as const

export interface WindowRuns {
  readonly seed: number
  /** Of each pair of windows. */
  readonly runs: number
  /** Of the chat and of the summarizer. */
  readonly pair: readonly [number, number]
}

export interface WindowReport {
  readonly pair: WindowRuns['pair']
  readonly histories: number
  readonly messages: number
  readonly contexts: number
  readonly compactions: number
  readonly requests: number
  /** The largest request, with what it may be answered, of the summarizer's window. */
  readonly fullest: number
  readonly summaries: number
  /** Times that it was not asked because it has no room for what it would be asked. */
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
  if (passedOver > 0) note('no-room', `for ${passedOver} summaries`)
  for (const share of asked.shares)
    if (share > 1) note('oversize', `a request of ${share.toFixed(3)} of the window`)
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

/** Contexts that are made of a history, about. */
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
