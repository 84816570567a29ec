/**
 * What a request costs while the model that writes summaries hangs. At the soft watermark no request
 * waits for it; the same run alternates with the same conversations and a model that answers. At the
 * hard watermark, where a request would not fit, it waits as long as the policy says, and no longer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createThroughline,
  type MessageInput,
  type Throughline,
  ThroughlineError,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { createFaultServer } from '../harness/fault-server.ts'
import { median, quantile } from '../packages/throughline/src/cli/simulation/statistics.ts'
import type { ConversationHandle } from '../packages/throughline/src/conversation/handle.ts'
import { truthfulSummary } from '../packages/throughline/src/testing/truthful-summary.test-support.ts'
import { httpModel } from './http-model.ts'
import type { BenchOptions, BenchRow } from './report.ts'

export interface HangPlan {
  readonly windowTokens: number
  /** Conversations that reach the soft watermark … */
  readonly soft: number
  /** … and the number of requests after that … */
  readonly requestsAfter: number
  /** … and conversations that reach the hard watermark. */
  readonly hard: number
  readonly waitMs: number
}

const shipped: HangPlan = {
  windowTokens: 32_768,
  soft: 40,
  requestsAfter: 5,
  hard: 8,
  waitMs: 1_000,
}

export async function measureHang({ dataDir }: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench hang generates its own conversations: leave out --data',
    )
  return hangRows(shipped)
}

export async function hangRows(plan: HangPlan): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const answering = await createFaultServer({ answers: truthfulSummary })
  const hanging = await createFaultServer({ faults: () => 'hang' })
  const healthy = engineOn(join(folder, 'healthy.db'), answering.url, plan)
  const hung = engineOn(join(folder, 'hung.db'), hanging.url, plan)
  try {
    const soft = await softTimes([healthy, hung], plan)
    const hard = await hardTimes(hung, plan)
    return rowsOf(plan, soft, hard)
  } finally {
    // Hanging requests end first: closing would wait for them.
    await hanging.close()
    await answering.close()
    for (const engine of [healthy, hung]) await engine.close()
    rmSync(folder, { recursive: true })
  }
}

const model = 'bench/chat'

function engineOn(file: string, url: string, plan: HangPlan): Throughline {
  return createThroughline({
    store: sqlite(file),
    policy: { name: 'hang', run: { mode: 'background', waitMs: plan.waitMs } },
    models: [{ id: model, contextWindowTokens: plan.windowTokens, tokenizer: 'o200k_base' }],
    summarizer: httpModel(url),
  })
}

interface SoftTimes {
  /** Milliseconds of each context, for the two engines. */
  readonly healthy: readonly number[]
  readonly hung: readonly number[]
  /** Requests of the second engine that continued without the summary they need. */
  readonly pending: number
}

async function softTimes(
  engines: readonly [Throughline, Throughline],
  plan: HangPlan,
): Promise<SoftTimes> {
  const times: readonly [number[], number[]] = [[], []]
  let pending = 0
  for (let chat = 0; chat < plan.soft; chat += 1) {
    const chats = engines.map((engine) => engine.conversation(`soft ${chat}`))
    let turns = 0
    for (const each of chats) turns = await fillTo(each, atTrigger)
    for (let request = 0; request <= plan.requestsAfter; request += 1)
      for (const [index, each] of chats.entries()) {
        const [question, ...reply] = talkTurn(turns + request)
        await each.append(question)
        const started = performance.now()
        const { decision } = await each.context({ model })
        times[index === 0 ? 0 : 1].push(performance.now() - started)
        if (index === 1 && decision.reason === 'summary-pending') pending += 1
        await each.append(reply)
      }
  }
  return { healthy: times[0], hung: times[1], pending }
}

/** Duration of a context, and its CPU time: the difference is waiting. */
interface HardTime {
  readonly ms: number
  readonly busyMs: number
}

/** Contexts that would not fit: half wait for a job, half for their own call. */
async function hardTimes(engine: Throughline, plan: HangPlan): Promise<readonly HardTime[]> {
  const times: HardTime[] = []
  for (let chat = 0; chat < plan.hard; chat += 1) {
    const each = engine.conversation(`hard ${chat}`)
    const turns = await fillTo(each, chat % 2 === 0 ? atTrigger : belowTrigger)
    await each.append(talkTurn(turns)[0])
    // At the soft watermark a job starts, which hangs.
    const { available, tokens } = await each.context({ model })
    await each.append({ role: 'user', content: wordsOf(available - tokens, turns) })
    const busy = process.cpuUsage()
    const started = performance.now()
    await each.context({ model })
    const { user, system } = process.cpuUsage(busy)
    times.push({ ms: performance.now() - started, busyMs: (user + system) / 1_000 })
  }
  return times
}

/** Relative to the tokens that trigger a compaction. */
const atTrigger = 1
const belowTrigger = 0.8

/** Adds turns until the next request reaches this share of its trigger; returns their number. */
async function fillTo(chat: ConversationHandle, ratio: number): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    await chat.append(talkTurn(turn))
    const { tokens, budget } = await chat.context({ model })
    if (tokens + turnTokens >= budget.triggerTokens * ratio) return turn + 1
  }
}

/** Approximate tokens of a turn. */
const turnTokens = 330

function talkTurn(turn: number): readonly [MessageInput, MessageInput] {
  return [
    { role: 'user', content: `Question ${turn}: ${wordsOf(turnTokens / 2, turn)}` },
    { role: 'assistant', content: `Answer ${turn}: ${wordsOf(turnTokens / 2, turn + 1)}` },
  ]
}

const plain = 'the plan goes on with what was agreed and nobody has changed the rest of it'.split(
  ' ',
)

/** About one token per word. */
function wordsOf(tokens: number, from: number): string {
  const words = Array.from(
    { length: Math.floor(tokens) },
    (_, at) => plain[(from + at) % plain.length],
  )
  return `${words.join(' ')}.`
}

function rowsOf(
  { windowTokens, waitMs }: HangPlan,
  { healthy, hung, pending }: SoftTimes,
  hard: readonly HardTime[],
): readonly BenchRow[] {
  const row = (source: string, method: string, value: number, unit: string, n: number) => ({
    source,
    method,
    size: windowTokens,
    value,
    unit,
    n,
  })
  const soft = (method: string, value: number, unit: string) =>
    row('soft watermark', method, value, unit, hung.length)
  const waited = hard.map(({ ms }) => ms)
  const busy = hard.map(({ busyMs }) => busyMs)
  const ofHard = (value: number, unit: string) =>
    row('hard watermark', 'throughline, model hangs', value, unit, hard.length)
  return [
    soft('throughline, model answers', median(healthy), 'ms per context, median'),
    soft('throughline, model answers', quantile(healthy, 0.95), 'ms per context, p95'),
    soft('throughline, model hangs', median(hung), 'ms per context, median'),
    soft('throughline, model hangs', quantile(hung, 0.95), 'ms per context, p95'),
    soft('throughline, model hangs', pending, 'contexts without their pending summary'),
    soft('throughline, model hangs', median(hung) / median(healthy), '× healthy, median'),
    soft(
      'throughline, model hangs',
      quantile(hung, 0.95) / quantile(healthy, 0.95),
      '× healthy, p95',
    ),
    ofHard(waitMs, 'ms that the policy waits'),
    ofHard(median(waited), 'ms per context, median'),
    ofHard(Math.max(...waited), 'ms per context, maximum'),
    ofHard(Math.max(...waited) - waitMs, 'ms longer than the policy waits, maximum'),
    ofHard(Math.max(...busy), 'CPU ms per context, maximum'),
  ]
}
