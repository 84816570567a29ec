/**
 * What a turn costs: three messages in one commit, and the context for the next request, in short and
 * long logs, with small and large windows.
 *
 * For comparison the same run alternates with the minimum: a bare node:sqlite insert of the same rows
 * with one SHA-256 each, at the same durability, the new text counted once, and as many of the newest
 * rows read and parsed as the context shows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, quantile } from '../packages/throughline/src/cli/simulation/statistics.ts'
import { ThroughlineError } from '../packages/throughline/src/errors.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import {
  type MinimumKeeper,
  minimumKeeper,
  type ThroughlineKeeper,
  throughlineKeeper,
} from './turn/keepers.ts'
import { messagesPerTurn } from './turn/messages.ts'

export interface TurnPlan {
  readonly sizes: readonly number[]
  readonly windows: readonly number[]
  readonly turnsMeasured: number
  readonly turnsToWarmUp: number
}

const shipped: TurnPlan = {
  sizes: [100, 1_000, 10_000, 100_000],
  windows: [8_192, 131_072],
  turnsMeasured: 400,
  turnsToWarmUp: 60,
}

export async function measureTurn({ dataDir }: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench turn generates its own turns: leave out --data',
    )
  return turnRows(shipped)
}

export async function turnRows(plan: TurnPlan): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const pairs: Pair[] = []
  try {
    for (const windowTokens of plan.windows)
      for (const size of plan.sizes) pairs.push(await openPair(folder, size, windowTokens, plan))
    await timeInTurns(pairs, plan)
  } finally {
    for (const { ours, minimum } of pairs) {
      await ours.close()
      minimum.close()
    }
    rmSync(folder, { recursive: true })
  }
  return pairs.flatMap((pair) => rowsOf(pair, shortestLike(pair, pairs)))
}

/** A log shorter than the window shows less, so it is not comparable with longer ones. */
function shortestLike(pair: Pair, pairs: readonly Pair[]): Pair {
  const ofWindow = pairs.filter(({ windowTokens }) => windowTokens === pair.windowTokens)
  return ofWindow.find(({ times }) => times.allShown === 0) ?? ofWindow[0] ?? pair
}

interface Pair {
  readonly size: number
  readonly windowTokens: number
  readonly chats: number
  readonly ours: ThroughlineKeeper
  readonly minimum: MinimumKeeper
  readonly times: Times
}

/** Microseconds of each turn, and how many messages it showed. */
interface Times {
  readonly ours: number[]
  readonly contexts: number[]
  readonly minimum: number[]
  readonly shown: number[]
  /** Turns in which the whole log was shown. */
  allShown: number
  lastShown: number
}

async function openPair(
  folder: string,
  size: number,
  windowTokens: number,
  { turnsMeasured, turnsToWarmUp }: TurnPlan,
): Promise<Pair> {
  // Enough chats that none grows to twice its nominal size.
  const chats = Math.ceil(((turnsMeasured + turnsToWarmUp) * messagesPerTurn) / size)
  const file = (name: string) => join(folder, `${windowTokens}-${size}-${name}.db`)
  const ours = throughlineKeeper(file('ours'), windowTokens)
  const minimum = minimumKeeper(file('minimum'), await ours.tokenizer())
  await ours.fill({ count: chats, messages: size })
  minimum.fill({ count: chats, messages: size })
  const times = { ours: [], contexts: [], minimum: [], shown: [], allShown: 0, lastShown: 0 }
  return { size, windowTokens, chats, ours, minimum, times }
}

/** All pairs alternate, so that noise of the machine affects all of them. */
async function timeInTurns(pairs: readonly Pair[], plan: TurnPlan): Promise<void> {
  for (let turn = 0; turn < plan.turnsToWarmUp + plan.turnsMeasured; turn += 1)
    for (const { chats, ours, minimum, times } of pairs) {
      const chat = turn % chats
      const floorTurn = () => {
        const started = performance.now()
        minimum.turn(chat, turn + 1, times.lastShown)
        return (performance.now() - started) * 1_000
      }
      // The first to count a text pays for the tokenizer's cache.
      const floorFirst = turn % 2 === 0 ? floorTurn() : null
      const started = performance.now()
      const { shown, isAll, contextMicroseconds } = await ours.turn(chat, turn + 1)
      const ended = performance.now()
      times.lastShown = shown
      const floorMicroseconds = floorFirst ?? floorTurn()
      if (turn < plan.turnsToWarmUp) continue
      times.ours.push((ended - started) * 1_000)
      times.contexts.push(contextMicroseconds)
      times.minimum.push(floorMicroseconds)
      times.shown.push(shown)
      if (isAll) times.allShown += 1
    }
}

function rowsOf({ size, windowTokens, times }: Pair, shortest: Pair): readonly BenchRow[] {
  const source = `turns of 3 messages, window ${windowTokens.toLocaleString('en-US')}`
  const row = rowWriter({ source, size, n: times.ours.length })
  const shown = times.shown.reduce((sum, messages) => sum + messages, 0) / times.shown.length
  const appends = times.ours.map((microseconds, at) => microseconds - (times.contexts[at] ?? 0))
  return [
    row('throughline', shown, 'messages shown, average'),
    row('throughline', median(times.ours), 'µs per turn, median'),
    row('throughline', quantile(times.ours, 0.95), 'µs per turn, p95'),
    row('throughline', median(appends), 'µs to append, median'),
    row('throughline', median(times.contexts), 'µs for the context, median'),
    row('minimum', median(times.minimum), 'µs per turn, median'),
    row('minimum', quantile(times.minimum, 0.95), 'µs per turn, p95'),
    row('throughline', median(times.ours) / median(times.minimum), '× minimum'),
    row(
      'throughline',
      median(times.ours) / median(shortest.times.ours),
      '× the shortest log that fills the window',
    ),
  ]
}
