/** The world of a run: a store, two replaceable engines on it, and the expected state. */
import {
  type ConversationHandle,
  createThroughline,
  isThroughlineError,
  type Throughline,
  type ThroughlineError,
} from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { tokenizer } from '../races/strict-model.ts'
import { type ExpectedLog, emptyLog } from './expected.ts'
import { type SimEngine, simEngine, simPolicies } from './sim-engine.ts'
import { type Planted, type SimDatabase, type SimStore, simStore } from './sim-store.ts'
import type { Stage } from './stage.ts'
import type { Drawing } from './step-append.ts'

/** Places of engines: a discarded engine gets a successor there. */
export type Slot = 0 | 1

/** The result of a call: an answer, a coded refusal, or silence with an unknown outcome. */
type Answer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly error: ThroughlineError }
  | { readonly kind: 'doubt' }

export interface World {
  readonly stage: Stage
  readonly store: SimStore
  readonly planted: Planted
  readonly logs: ExpectedLog[]
  readonly findings: Finding[]
  readonly drawing: Drawing
  engine(slot: Slot): SimEngine
  /** Calls the current engine. A thrown value that is not a coded error is a finding. */
  ask<Value>(slot: Slot, work: (tl: Throughline) => Promise<Value>): Promise<Answer<Value>>
  /** A conversation without scheduling, for checks. */
  look(id: string): ConversationHandle
  /** Starts another engine with that policy; the previous one is discarded in the middle of its work. */
  replace(slot: Slot, policyAt?: number): void
  /** Kills the process: both engines, and of a file keeps what a kill leaves. */
  kill(): void
  /** The same within a database call, some calls from now; null cancels. */
  killIn(calls: number | null): void
  /** Marks of blocks that an attacker has seen. */
  seen(marks: readonly string[]): void
  close(): Promise<void>
}

export function createWorld(stage: Stage, planted: Planted, database: SimDatabase | null): World {
  const { chance, trace } = stage
  const kind = chance.once(3) ? 'sqlite' : 'memory'
  trace.note(`store ${database === null ? kind : 'postgres'}`)
  const store = simStore(database ?? kind, planted)
  let [started, names] = [0, 0]
  let marks: readonly string[] = []
  const first = chance.below(simPolicies.length)
  // Mostly the same policy, so that contexts of one engine extend those of the other.
  const policies: [number, number] = [
    first,
    chance.once(3) ? chance.below(simPolicies.length) : first,
  ]
  const findings: Finding[] = []
  const begin = (slot: Slot): SimEngine => {
    started += 1
    return simEngine(stage, store, started, policies[slot], findings)
  }
  const engines: [SimEngine, SimEngine] = [begin(0), begin(1)]
  const successors = () => {
    stage.count('kills')
    for (const slot of [0, 1] as const) {
      engines[slot].drop()
      engines[slot] = begin(slot)
    }
  }
  return {
    ...{ stage, store, planted, findings, logs: [emptyLog('c0')] },
    drawing: {
      chance,
      nextName: () => {
        names += 1
        return `zeb${names}qu`
      },
      get marks() {
        return marks
      },
    },
    engine: (slot) => engines[slot],
    ask: async (slot, work) => {
      const engine = engines[slot]
      const failures = engine.failures()
      try {
        const value = await Promise.race([work(engine.tl), engine.gone.then(() => gone)])
        if (value !== gone) return { kind: 'done', value: value as never }
        stage.count('unanswered')
        return { kind: 'doubt' }
      } catch (error) {
        const isOurs = isThroughlineError(error)
        const hasFailed = engine.failures() > failures || store.hasFailed()
        if (isOurs && error.code.startsWith('STORE_') && hasFailed) {
          stage.count('store failures')
          return { kind: 'doubt' }
        }
        if (isOurs) return { kind: 'refused', error }
        findings.push({ rule: 'error', detail: String((error as Error).stack ?? error) })
        return { kind: 'doubt' }
      }
    },
    look: (id) => createThroughline({ store: store.looking(), tokenizer }).conversation(id),
    replace: (slot, policyAt) => {
      stage.count('discarded engines')
      policies[slot] = policyAt ?? policies[slot]
      engines[slot].drop()
      engines[slot] = begin(slot)
    },
    kill: () => {
      store.kill()
      successors()
    },
    killIn: (calls) => store.killIn(calls, successors),
    seen: (given) => {
      marks = given
    },
    close: () => store.close(),
  }
}

const gone = Symbol('gone')
