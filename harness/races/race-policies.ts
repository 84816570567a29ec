/** The policies between which runs change: in the background and blocking, of several designs. */
import { type PolicyInput, policies } from 'throughline'

// Short, as the time of a schedule is.
const limits = { timeMs: 2_000, calls: 3, callsPerHour: 200 }
const background = { mode: 'background', waitMs: 300 } as const

const slots = policies.balanced.advanced.slots.map((slot) =>
  slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
)

const ahead = {
  ...policies.balanced,
  triggers: [{ kind: 'tokenRatio', at: 0.6, reset: 0.5, of: 'free' }],
  advanced: { slots },
  limits,
  run: background,
} as const

export const racePolicies: readonly PolicyInput[] = [
  { ...ahead, name: 'ahead' },
  { ...ahead, name: 'ahead, often', triggers: [{ kind: 'messages', since: 8 }] },
  { ...ahead, name: 'ahead, or not at all', advanced: { slots, onFailure: 'no-change' } },
  { ...policies['rolling-rows'], name: 'rows', limits, run: background },
  { ...policies['running-rag'], name: 'resources', limits, run: background },
  { ...policies['ratio-chain'], name: 'blocking', limits },
]
