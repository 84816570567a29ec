/** The plan of one run: everything that differs between runs, from a fault, a number and a seed. */
import type { PolicyName } from 'throughline'
import { type ModelApiName, type ModelFault, modelFaults } from '../fault-server.ts'
import { chanceOf } from '../kernel/chance.ts'

export interface PlannedRun {
  /** Fault, number and seed. */
  readonly name: string
  readonly fault: ModelFault
  readonly policy: PolicyName
  readonly api: ModelApiName
  readonly transfer: 'stream' | 'whole'
  /** One server per model: the first may fail; `second` says whether the other may. */
  readonly models: 1 | 2
  readonly second: 'healthy' | 'faulty'
  /** The share of requests that fail. */
  readonly chance: number
  readonly withTools: boolean
  /** Whether the size of a response is limited while it is read. */
  readonly bounded: boolean
  readonly hugeBytes: number
  /** The retry delay of a busy server: none, short, or longer than any client waits. */
  readonly retryAfterMs: number
  readonly seed: number
}

const policyNames = [
  'balanced',
  'chat',
  'coding',
  'rule-digest',
  'ratio-chain',
  'rolling-rows',
  'running-rag',
] as const satisfies readonly PolicyName[]

export const apiNames = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
] as const satisfies readonly ModelApiName[]

const smallHugeBytes = 3 * 1024 * 1024
const wholeHugeBytes = 100 * 1024 * 1024

/**
 * 7 policies, 3 APIs and 4 model setups have no common divisor: 84 runs in a row have each
 * combination once. Faults start at different ones, so that a few runs cover many.
 */
export function plannedRun(fault: ModelFault, index: number, seed: number): PlannedRun {
  const turn = index + seed + 5 * modelFaults.indexOf(fault)
  const name = `${fault}:${index}:${seed}`
  const chance = chanceOf(name)
  return {
    name,
    fault,
    policy: policyNames[turn % policyNames.length] ?? 'balanced',
    api: apiNames[turn % apiNames.length] ?? 'openai-chat',
    transfer: turn % 2 === 0 ? 'stream' : 'whole',
    models: turn % 4 < 2 ? 1 : 2,
    second: chance.pick(['healthy', 'faulty']),
    chance: chance.pick([1, 1, 0.5]),
    withTools: chance.once(2),
    bounded: turn % 2 === 1 || chance.once(2),
    hugeBytes: index === 0 ? wholeHugeBytes : smallHugeBytes,
    retryAfterMs: chance.pick([0, 0, 400, 30_000]),
    seed,
  }
}

/** Whether clients of this fault wait until their timeout. */
export function isSlow({ fault }: PlannedRun): boolean {
  return fault === 'hang' || fault === 'hang-after-headers' || fault === 'slow'
}

/** Whether every request fails while faults are armed. */
export function isHopeless({ chance, models, second }: PlannedRun): boolean {
  return chance === 1 && (models === 1 || second === 'faulty')
}
