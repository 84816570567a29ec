/** The policies that we ship, complete, and what completes one from another. */
import { type PolicyName, type Preset, policyNames } from '../domain/policy.ts'
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

/**
 * The policies that we ship, by name, as data to start your own from (`docs/policies.md`).
 *
 * @example
 * const calm = { ...policies.coding, name: 'calm', target: { ratio: 0.25 } }
 * const engine = createThroughline({ policy: calm })
 */
export const policies = Object.fromEntries(
  policyNames.map((name) => [
    name,
    completed({ ...presetsData.balanced, extends: name }, presetsData[name]),
  ]),
) as Readonly<Record<PolicyName, Preset>>
