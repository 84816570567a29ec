/** Parses a caller's policy, completes it from the policy that it extends, and freezes it. */
import type { Trigger } from '../domain/decision.ts'
import type { Policy } from '../domain/policy.ts'
import { describe } from '../domain/text.ts'
import { turnSlots } from '../domain/turn-memory.ts'
import { flattenPolicy } from './flatten-policy.ts'
import { policySchema, policySlots } from './policy-schema.ts'
import { completePolicy, policies } from './presets.ts'
import { invalid, readPreset } from './read-preset.ts'
import { listNames, parseSettings } from './schema.ts'

/**
 * Checks and completes a policy, given by name or as an object; `extensionSlots` are the slots of
 * a context extension. Throws `CONFIG_INVALID` for an invalid policy.
 *
 * @example
 * console.log(readPolicy('coding').summarizers)
 */
export function readPolicy(input: unknown, extensionSlots: readonly string[] = turnSlots): Policy {
  if (typeof input === 'string') return readPreset(input)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid(describe(input), 'a policy is a name or an object')
  const name = 'name' in input ? describe(input.name) : 'without a name'
  const settings = parseSettings(policySchema, input, `policy ${name}: `)
  const policy = flattenPolicy(completePolicy(policies[settings.extends ?? 'balanced'], settings))
  const problem = slotsProblem(policy, extensionSlots) ?? targetsProblem(policy)
  if (problem !== null) throw invalid(describe(policy.name), problem)
  return policy
}

/** A target at or above the trigger would compact with every request. */
function targetsProblem(policy: Policy): string | null {
  for (const override of [{}, ...policy.models]) {
    const { triggers, target } = { ...policy, ...override }
    const size = 'ratio' in target ? target.ratio : target.tokens
    const kind = 'ratio' in target ? 'tokenRatio' : 'tokens'
    for (const trigger of triggers) {
      if (trigger.kind !== kind) continue
      const at = trigger.kind === 'tokens' ? trigger.at : lowestRatio(trigger)
      if (size >= at)
        return `target (${size}) must be below the trigger (${at}), or every request compacts`
    }
  }
  return null
}

function lowestRatio({ at, withoutModel = at }: Trigger & { readonly kind: 'tokenRatio' }): number {
  return Math.min(at, withoutModel)
}

/** Checked here because the schema does not know the slots of the extension. */
function slotsProblem({ slots }: Policy, extensionSlots: readonly string[]): string | null {
  const kinds: readonly string[] = [...policySlots, ...extensionSlots]
  const index = slots.findIndex(({ kind }) => !kinds.includes(kind))
  return index === -1
    ? null
    : `advanced.slots[${index}].kind must be ${listNames(kinds)}, got ${describe(slots[index]?.kind)}`
}
