/**
 * What it costs to extract facts from messages, relative to counting their tokens: redaction, facts,
 * folding into the ledger, rendering the narrative and the ledger, for as much as one compaction
 * processes. Also what a turn without a compaction does for the ledger.
 *
 * Each run does both in sequence, and the best of several runs counts, in CPU time: otherwise ratios
 * vary on a busy machine.
 */
import {
  createMeter,
  findModel,
  loadGptTokenizer,
  type Meter,
  ThroughlineError,
  type Tokenizer,
} from 'throughline'
import { factsExtractor } from '../packages/throughline/src/flow/history/extract-facts.ts'
import { renderHistoryBlocks } from '../packages/throughline/src/flow/history/render-blocks.ts'
import { noDerivedRows } from '../packages/throughline/src/flow/read/readers.ts'
import { generatedSlices, type Slice, transcriptSlices } from './extract/slices.ts'
import { type Upkeep, upkeepOf } from './extract/upkeep.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'

export interface ExtractPlan {
  readonly sliceTokens: number
  readonly slices: number
  readonly runs: number
}

const shipped: ExtractPlan = { sliceTokens: 200_000, slices: 2, runs: 6 }
const model = 'gpt-4o'

export function measureExtract(options: BenchOptions): Promise<readonly BenchRow[]> {
  return extractRows(options, shipped)
}

export async function extractRows(
  { dataDir, progress }: BenchOptions,
  { sliceTokens, slices, runs }: ExtractPlan,
): Promise<readonly BenchRow[]> {
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null)
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      'bench extract needs gpt-tokenizer: npm install gpt-tokenizer',
    )
  const limits = { tokens: sliceTokens, slices }
  const meter = meterWith(tokenizer)
  const sources =
    dataDir === null
      ? generatedSlices(meter, limits)
      : await transcriptSlices({ dataDir, progress }, meter, limits)
  const rows: BenchRow[] = []
  for (const [source, found] of sources) {
    const costs: Costs[] = []
    for (const slice of found) costs.push(await costsOf(slice, tokenizer, runs))
    rows.push(...rowsOf(source, found, costs, await upkeepOf(found[0]?.inputs ?? [])))
  }
  return rows
}

/** A new meter, whose cache is empty. */
function meterWith(tokenizer: Tokenizer): Meter {
  return createMeter({ card: findModel(model).card, tokenizer })
}

/** Milliseconds, the best of several runs. */
interface Costs {
  readonly count: number
  readonly digest: number
  readonly render: number
}

async function costsOf({ messages }: Slice, tokenizer: Tokenizer, runs: number): Promise<Costs> {
  const log = { read: async ({ from, to }: Range) => messages.slice(from, to) }
  const view = { line: messages.length, keeps: [], stubs: [] }
  let best: Costs = { count: most, digest: most, render: most }
  for (let run = 0; run < runs; run += 1) {
    const meter = meterWith(tokenizer)
    const count = await timed(async () => meter.messages(messages))
    const digest = await timed(() => factsExtractor(log, noDerivedRows)(messages.length))
    const render = await timed(() =>
      renderHistoryBlocks(digest.made, view, { limits, meter: roughly }),
    )
    best = {
      count: Math.min(best.count, count.ms),
      digest: Math.min(best.digest, digest.ms),
      render: Math.min(best.render, render.ms),
    }
  }
  return best
}

interface Range {
  readonly from: number
  readonly to: number
}

const most = Number.POSITIVE_INFINITY
/** The share of the history block in a window of 200,000 tokens. */
const limits = {
  userTextTokens: 6_000,
  recentUserTextTokens: 0,
  repeatsUserText: true,
  summaryTokens: 10_000,
  ledgerTokens: 10_000,
  filesTokens: 0,
  userOpeningsTokens: 0,
  modelSummaryTokens: 10_000,
}
// A rough meter, so that counting the rendered text does not count as rendering.
const roughly = { text: (text: string) => text.length / 4 }

async function timed<Made>(
  make: () => Promise<Made>,
): Promise<{ readonly ms: number; readonly made: Made }> {
  const [before, started] = [process.threadCpuUsage(), performance.now()]
  const made = await make()
  const { user, system } = process.threadCpuUsage(before)
  // The thread clock may be too coarse for short work, and the result is used as a divisor.
  const ms = (user + system) / 1_000 || performance.now() - started
  return { ms, made }
}

function rowsOf(
  source: string,
  slices: readonly Slice[],
  costs: readonly Costs[],
  upkeep: Upkeep,
): readonly BenchRow[] {
  const size = slices.reduce((sum, { tokens }) => sum + tokens, 0)
  const messages = slices.reduce((sum, slice) => sum + slice.messages.length, 0)
  const sum = (part: keyof Costs) => costs.reduce((all, cost) => all + cost[part], 0)
  const row = rowWriter({ source, size, n: messages })
  const digest = sum('digest') / sum('count')
  const touched = upkeep.touches / Math.max(1, upkeep.turns)
  return [
    row('counting', sum('count'), 'ms'),
    row('throughline', digest, '× counting: redact, extract, fold'),
    row('throughline', sum('render') / sum('count'), '× counting: render narrative and ledger'),
    row(
      'throughline',
      (sum('digest') + sum('render')) / sum('count'),
      '× counting: total (at most 1.0)',
    ),
    row(
      'throughline',
      touched * digest,
      '× counting: ledger work in a turn without a compaction (at most 1.0)',
      upkeep.turns,
    ),
  ]
}
