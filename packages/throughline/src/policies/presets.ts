/** The shipped policies, each completed from `balanced`. */
import type { PolicyName, Preset } from '../domain/policy.ts'
import { policyNames } from '../domain/policy-names-data.ts'
import { presetsData } from './presets-data.ts'

/** Objects that are merged field by field; any other value replaces the base value. */
const mergedObjects = ['advanced', 'reserve', 'limits', 'guards', 'trim', 'priorities', 'stub']

/** Fills missing settings from a base policy. Both are already parsed, or shipped. */
export function completePolicy(base: object, settings: object): Preset {
  const fields: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(settings)) {
    const baseValue = fields[name]
    if (value === undefined) continue
    const isMerged =
      mergedObjects.includes(name) && typeof baseValue === 'object' && baseValue !== null
    fields[name] = isMerged ? completePolicy(baseValue, value) : value
  }
  return fields as unknown as Preset
}

/**
 * The shipped policies by name, as data to start your own policy from (`docs/policies.md`).
 *
 * @example
 * const calm = { ...policies.coding, name: 'calm', target: { ratio: 0.25 } }
 * const engine = createThroughline({ policy: calm })
 */
export const policies = Object.fromEntries(
  policyNames.map((name) => [
    name,
    completePolicy({ ...presetsData.balanced, extends: name }, presetsData[name]),
  ]),
) as Readonly<Record<PolicyName, Preset>>
