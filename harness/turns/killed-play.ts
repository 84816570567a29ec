/**
 * A session that is the same in every process: the writer that is killed plays it on a file, and
 * whoever looks at the file afterwards plays it again beside.
 */
import type { Store } from 'throughline'
import {
  afterReply,
  rememberedTurns,
  type StepRecord,
  stepResult,
  type TurnRecord,
  turnRules,
} from 'throughline/turns'
import { chanceOf } from '../kernel/chance.ts'
import { AgentsWorld } from './agents-world.ts'
import { drawnTurn } from './drawn-turn.ts'
import { saidModel } from './said-model.ts'
import { type SessionEngine, sessionEngine } from './session-engine.ts'

const killedId = 'killed'

export interface KilledPlay {
  readonly engine: SessionEngine
  /** Draws the next turn, and remembers it unless it is known to be remembered. */
  next(isRemembered: boolean): Promise<number>
}

/** Of a bug that is put in: `no-key`, a turn in doubt is sent again without its key. */
export function killedPlay(store: Store, seed: number, bug = ''): KilledPlay {
  const name = `killed ${seed}`
  const drawer = {
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
    model: seed % 2 === 0 ? null : saidModel(['tells']).model,
  })
  const chat = engine.chat(killedId)
  return {
    engine,
    next: async (isRemembered) => {
      turn += 1
      const { input, messages } = drawnTurn(drawer, turn)
      if (isRemembered) return turn
      if (messages.length > 0) await chat.append(messages, { key: `messages-${turn}` })
      await afterReply(chat, input, bug === 'no-key' ? {} : { key: `turn-${turn}` })
      return turn
    },
  }
}

export interface KeptTurns {
  /** The first first. */
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
