/** The policies that pins are attacked under: with a model that lies, and by rules alone. */
import { type PolicyInput, policies } from 'throughline'

// Asked again and again, whatever it has brought before.
const limits = { ...policies.balanced.limits, callsPerHour: 1_000 }
const blocking = { run: { mode: 'blocking' }, limits } as const

const toldByModels: readonly PolicyInput[] = [
  { name: 'structured', ...blocking },
  { name: 'structured, of the system', ...blocking, advanced: { derivedRole: 'system-message' } },
  { name: 'structured, merged', ...blocking, advanced: { derivedRole: 'merged-into-system' } },
  { name: 'running', ...blocking, summarizers: [{ style: 'running' }] },
  { ...policies['ratio-chain'], ...blocking },
  { ...policies['running-rag'], ...blocking },
  { ...policies['rolling-rows'], ...blocking },
  { ...policies['rule-digest'], ...blocking },
]

const toldByRules: readonly PolicyInput[] = ['balanced', 'chat', 'coding', 'rule-digest']

export interface AttackedPolicy {
  readonly policy: PolicyInput
  /** Whether a model tells the past. */
  readonly isTold: boolean
}

const attacked: readonly AttackedPolicy[] = [
  ...toldByModels.map((policy) => ({ policy, isTold: true })),
  ...toldByRules.map((policy) => ({ policy, isTold: false })),
]

/** Chain after chain, one after the other. */
export function attackedPolicy(chain: number): AttackedPolicy {
  return attacked[chain % attacked.length] ?? { policy: 'balanced', isTold: false }
}
