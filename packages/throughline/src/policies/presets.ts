/** The policies that we ship, complete, and what completes one from another. */
import type { PolicyName, Preset } from '../domain/policy.ts'
import { presetsData } from './presets-data.ts'

/** The parts that are completed field by field; any other value is taken as a whole. */
const completedParts = ['advanced', 'reserve', 'limits', 'guards', 'trim', 'priorities', 'stub']

/** A policy with what another has where it says nothing. Both were parsed, or are ours. */
export function completed(base: object, given: object): Preset {
  const fields: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(given)) {
    const before = fields[name]
    if (value === undefined) continue
    const isPart = completedParts.includes(name) && typeof before === 'object' && before !== null
    fields[name] = isPart ? completed(before, value) : value
  }
  return fields as unknown as Preset
}

function preset(name: PolicyName): Preset {
  return completed({ ...presetsData.balanced, extends: name }, presetsData[name])
}

/** What no policy has otherwise: instructions and the task outlast all, and output of tools goes first. */
export const fixedPriorities = {
  system: 100,
  instructions: 90,
  task: 80,
  'recent-turn': 60,
  'recent-file': 50,
  'stale-output': 30,
  summarized: 20,
} as const

/**
 * The policies that we ship, by name, as data to start your own from (`docs/policies.md`).
 *
 * @example
 * const calm = { ...policies.coding, name: 'calm', target: { ratio: 0.25 } }
 * const engine = createThroughline({ policy: calm })
 */
export const policies: Readonly<Record<PolicyName, Preset>> = {
  balanced: preset('balanced'),
  chat: preset('chat'),
  coding: preset('coding'),
  'rule-digest': preset('rule-digest'),
  'ratio-chain': preset('ratio-chain'),
  'rolling-rows': preset('rolling-rows'),
  'running-rag': preset('running-rag'),
  'turn-memory': preset('turn-memory'),
}
