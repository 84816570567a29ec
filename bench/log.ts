/**
 * What it costs to append a turn, in short and long logs.
 *
 * A turn is three messages in one commit, hashed and counted. For comparison the same run alternates
 * with a bare node:sqlite insert of the same rows with one SHA-256 and the same counting, at the same
 * durability: the minimum for any program that stores its messages.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { median, quantile } from '../packages/throughline/src/cli/simulation/statistics.ts'
import type { MessageInput } from '../packages/throughline/src/domain/message.ts'
import { estimator } from '../packages/throughline/src/tokenizers/estimate.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { openBareLog } from './turn/bare-log.ts'
import { messagesPerTurn, turnMessages } from './turn/messages.ts'

const sizes = [100, 1_000, 10_000, 100_000]
const turnsMeasured = 400
const turnsToWarmUp = 60

interface Keeper {
  fill(messages: number): Promise<void>
  keep(turn: number): Promise<void>
  close(): Promise<void>
}

export async function measureLog({ dataDir }: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench log generates its own turns: leave out --data',
    )
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const pairs = sizes.map((size) => ({
    size,
    ours: throughlineKeeper(join(folder, `${size}-ours.db`)),
    bare: bareKeeper(join(folder, `${size}-bare.db`)),
  }))
  const keepers = pairs.flatMap(({ ours, bare }) => [ours, bare])
  for (const { size, ours, bare } of pairs)
    for (const keeper of [ours, bare]) await keeper.fill(size)
  const times = await timeInTurns(keepers)
  for (const keeper of keepers) await keeper.close()
  rmSync(folder, { recursive: true })
  const timesOf = (keeper: Keeper) => times.get(keeper) ?? []
  const shortest = median(pairs.slice(0, 1).flatMap(({ ours }) => timesOf(ours)))
  return pairs.flatMap(({ size, ours, bare }) =>
    rowsOf(size, timesOf(ours), timesOf(bare), shortest),
  )
}

function rowsOf(
  size: number,
  ours: readonly number[],
  bare: readonly number[],
  shortest: number,
): readonly BenchRow[] {
  const row = rowWriter({ source: 'generated turns of 3 messages', size, n: turnsMeasured })
  return [
    row('throughline', median(ours), 'µs per turn, median'),
    row('throughline', quantile(ours, 0.95), 'µs per turn, p95'),
    row('bare node:sqlite', median(bare), 'µs per turn, median'),
    row('throughline', median(ours) / median(bare), '× bare node:sqlite'),
    row('throughline', median(ours) / shortest, '× the shortest log'),
  ]
}

/** Microseconds of each turn; all logs alternate, so that noise affects all of them. */
async function timeInTurns(
  keepers: readonly Keeper[],
): Promise<ReadonlyMap<Keeper, readonly number[]>> {
  const times = new Map(keepers.map((keeper): [Keeper, number[]] => [keeper, []]))
  for (let turn = 0; turn < turnsToWarmUp + turnsMeasured; turn += 1)
    for (const [keeper, measured] of times) {
      const started = performance.now()
      await keeper.keep(turn)
      const microseconds = (performance.now() - started) * 1_000
      if (turn >= turnsToWarmUp) measured.push(microseconds)
    }
  return times
}

function throughlineKeeper(file: string): Keeper {
  const tl = createThroughline({ store: sqlite(file) })
  const chat = tl.conversation('bench')
  return {
    fill: async (messages) => {
      const perBatch = 999
      for (let done = 0; done < messages; done += perBatch) {
        const turns = Math.min(perBatch, messages - done) / messagesPerTurn
        await chat.append(
          Array.from({ length: turns }, (_, turn) => turnMessages(-done - turn)).flat(),
        )
      }
    },
    keep: async (turn) => {
      const messages = turnMessages(turn)
      await chat.append(messages)
      countAll(messages)
    },
    close: () => tl.close(),
  }
}

function bareKeeper(file: string): Keeper {
  const { database, writeAt } = openBareLog(file)
  let seq = 0
  const write = (messages: readonly MessageInput[]) => {
    for (const message of messages) {
      writeAt(seq, message)
      seq += 1
    }
  }
  return {
    fill: async (messages) => {
      database.exec('BEGIN')
      for (let turn = 0; turn < messages / messagesPerTurn; turn += 1) write(turnMessages(-turn))
      database.exec('COMMIT')
    },
    keep: async (turn) => {
      const messages = turnMessages(turn)
      database.exec('BEGIN IMMEDIATE')
      write(messages)
      database.exec('COMMIT')
      countAll(messages)
    },
    close: async () => database.close(),
  }
}

function countAll(messages: readonly MessageInput[]): number {
  return messages.reduce(
    (sum, message) => sum + estimator.count(JSON.stringify(message.content)),
    0,
  )
}
