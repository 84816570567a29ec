/**
 * A session that is the same in every process: the killed writer runs it on a file, and the check
 * runs it again for comparison.
 */

import { existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import type { Store } from 'throughline'
import {
  afterReply,
  rememberedTurns,
  type StepRecord,
  stepResult,
  type TurnRecord,
  turnRules,
} from 'throughline/turns'
import { copyDatabase } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import { AgentsWorld } from './agents-world.ts'
import { randomTurn } from './random-turn.ts'
import { type SessionEngine, sessionEngine } from './session-engine.ts'
import { unreliableModel } from './unreliable-model.ts'

const killedId = 'killed'

export interface KilledPlay {
  readonly engine: SessionEngine
  /** Generates the next turn, and remembers it unless it is known to be stored. */
  next(isRemembered: boolean): Promise<number>
}

/** The planted bug `no-key` sends an unacknowledged turn again without its key. */
export function killedPlay(store: Store, seed: number, bug = ''): KilledPlay {
  const name = `killed ${seed}`
  const generator = {
    chance: chanceOf(name),
    world: new AgentsWorld(chanceOf(`world ${name}`)),
    secrets: [],
    responseCharacters: turnRules.responseCharacters,
    appended: 8,
  }
  let turn = 0
  const engine = sessionEngine({
    ...{ store, rules: turnRules, planted: {}, windowTokens: 16_000 },
    now: () => Date.UTC(2026, 0, 1) + turn * 60_000,
    model: seed % 2 === 0 ? null : unreliableModel(['answers']).model,
  })
  const chat = engine.chat(killedId)
  return {
    engine,
    next: async (isRemembered) => {
      turn += 1
      const { input, messages } = randomTurn(generator, turn)
      if (isRemembered) return turn
      if (messages.length > 0) await chat.append(messages, { key: `messages-${turn}` })
      await afterReply(chat, input, bug === 'no-key' ? {} : { key: `turn-${turn}` })
      return turn
    },
  }
}

export interface KeptTurns {
  /** Oldest first. */
  readonly records: readonly TurnRecord[]
  readonly steps: readonly (StepRecord | null)[]
}

export async function keptTurns(engine: SessionEngine): Promise<KeptTurns> {
  const chat = engine.chat(killedId)
  const records = (await rememberedTurns(chat, { limit: 10_000 })).toReversed()
  const steps = await Promise.all(
    records.flatMap((record) =>
      record.steps.map(({ turn, step }) => stepResult(chat, { turn, step })),
    ),
  )
  return { records, steps }
}

/** A copy of a database as a crash may leave it: perhaps with a truncated write-ahead log. */
export function crashedCopy(file: string, copy: string, chance: Chance): string {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true })
  copyDatabase(file, copy)
  const log = `${copy}-wal`
  if (existsSync(log) && chance.once(2)) {
    const { size } = statSync(log)
    const least = Math.max(Math.floor(size / 2), syncedBytes(log, `${copy}-shm`))
    if (least < size) truncateSync(log, chance.between(least, size))
  }
  // The shared index belonged to the crashed process.
  rmSync(`${copy}-shm`, { force: true })
  return copy
}

const logHeader = 32
const frameHeader = 24
/** The offset in the index of the number of frames that were copied into the file. */
const backfilledAt = 96

/** Frames that were copied into the file were synced before, so a crash cannot lose them. */
function syncedBytes(log: string, index: string): number {
  const header = readFileSync(log).subarray(0, logHeader)
  if (header.length < logHeader || !existsSync(index)) return 0
  const frames = readFileSync(index).readUInt32LE(backfilledAt)
  return logHeader + frames * (frameHeader + header.readUInt32BE(8))
}
