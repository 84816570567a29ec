/** The policies between which runs change: by rules, by models, at once and in the background. */
import { type PolicyInput, policies } from 'throughline'
import { racePolicies } from '../races/race-policies.ts'

const limits = { timeMs: 2_000, calls: 4, callsPerHour: 500 }

export const simPolicies: readonly [PolicyInput, ...PolicyInput[]] = [
  'balanced',
  'coding',
  'chat',
  ...racePolicies,
  {
    ...policies['rule-digest'],
    name: 'digest',
    limits: { ...policies['rule-digest'].limits, ...limits },
  },
  {
    ...policies['turn-memory'],
    name: 'turns',
    limits: { ...policies['turn-memory'].limits, ...limits },
  },
]
