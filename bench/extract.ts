/**
 * What it costs to read messages for what has to be remembered of them, beside what it costs
 * to count them: secrets taken out, facts, the fold to the ledger, the narrative and the text
 * of the ledger, for as much as a compaction takes at once. And what a turn does for that
 * which compacts nothing.
 *
 * Both are done in one run, one after the other, and of several the best is taken, in time of
 * the processor: on a machine with other work, ratios of hours do not agree otherwise.
 */
import {
  createMeter,
  findModel,
  loadGptTokenizer,
  type Meter,
  ThroughlineError,
  type Tokenizer,
} from 'throughline'
import { factsExtractor } from '../packages/throughline/src/flow/past/extract-facts.ts'
import { renderPast } from '../packages/throughline/src/flow/past/render-past.ts'
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
    throw new ThroughlineError('TOKENIZER_MISSING', 'the measure of extracting needs gpt-tokenizer')
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

/** A new one has counted nothing yet. */
function meterWith(tokenizer: Tokenizer): Meter {
  return createMeter({ card: findModel(model).card, tokenizer })
}

/** Milliseconds, the best of several runs. */
interface Costs {
  readonly count: number
  readonly digest: number
  readonly tell: number
}

async function costsOf({ messages }: Slice, tokenizer: Tokenizer, runs: number): Promise<Costs> {
  const log = { read: async ({ from, to }: Range) => messages.slice(from, to) }
  const view = { line: messages.length, keeps: [], stubs: [] }
  let best: Costs = { count: most, digest: most, tell: most }
  for (let run = 0; run < runs; run += 1) {
    const meter = meterWith(tokenizer)
    const count = await timed(async () => meter.messages(messages))
    const digest = await timed(() => factsExtractor(log, noDerivedRows)(messages.length))
    const tell = await timed(() => renderPast(digest.made, view, { limits, meter: roughly }))
    best = {
      count: Math.min(best.count, count.ms),
      digest: Math.min(best.digest, digest.ms),
      tell: Math.min(best.tell, tell.ms),
    }
  }
  return best
}

interface Range {
  readonly from: number
  readonly to: number
}

const most = Number.POSITIVE_INFINITY
/** What a window of 200,000 tokens gives to the past. */
const limits = {
  saidTokens: 6_000,
  repeatsSaid: true,
  summaryTokens: 10_000,
  ledgerTokens: 10_000,
  filesTokens: 0,
  namesTokens: 0,
  writtenTokens: 10_000,
}
// That what is told is counted as well is a cost of counting.
const roughly = { text: (text: string) => text.length / 4 }

async function timed<Made>(
  make: () => Promise<Made>,
): Promise<{ readonly ms: number; readonly made: Made }> {
  const [before, started] = [process.threadCpuUsage(), performance.now()]
  const made = await make()
  const { user, system } = process.threadCpuUsage(before)
  // The clock of a thread may tick too seldom to see it, and nothing is so many times zero.
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
    row('throughline', digest, 'times counting: secrets, facts, fold'),
    row('throughline', sum('tell') / sum('count'), 'times counting: narrative, ledger text'),
    row(
      'throughline',
      (sum('digest') + sum('tell')) / sum('count'),
      'times counting: all of it (at most 1.0)',
    ),
    row(
      'throughline',
      touched * digest,
      'times counting: for the ledger in a turn that compacts nothing (at most 1.0)',
      upkeep.turns,
    ),
  ]
}
