/** Parses a caller's policy, completes it from the policy that it extends, and freezes it. */
import type { Trigger } from '../domain/decision.ts'
import type { Policy, PolicyName, Preset } from '../domain/policy.ts'
import { describe } from '../domain/text.ts'
import { turnSlots } from '../domain/turn-memory.ts'
import { ThroughlineError } from '../errors.ts'
import { policySchema, policySlots } from './policy-schema.ts'
import { completePolicy, policies } from './presets.ts'
import { fixedPriorities } from './presets-data.ts'
import { listNames, parseSettings } from './schema.ts'

/**
 * Checks and completes a policy, given by name or as an object; `extensionSlots` are the slots of
 * a context extension. Throws `CONFIG_INVALID` for an invalid policy.
 *
 * @example
 * console.log(readPolicy('coding').summarizers)
 */
export function readPolicy(input: unknown, extensionSlots: readonly string[] = turnSlots): Policy {
  if (typeof input === 'string') {
    const preset = Object.hasOwn(policies, input) ? policies[input as PolicyName] : null
    if (preset !== null) return flattenPolicy(preset)
    throw invalid(input, `unknown policy; use one of ${Object.keys(policies).join(', ')}`)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid(describe(input), 'a policy is a name or an object')
  const name = 'name' in input ? describe(input.name) : 'without a name'
  const settings = parseSettings(policySchema, input, `policy ${name}: `)
  const policy = flattenPolicy(completePolicy(policies[settings.extends ?? 'balanced'], settings))
  const problem = slotsProblem(policy, extensionSlots) ?? targetsProblem(policy)
  if (problem !== null) throw invalid(describe(policy.name), problem)
  return policy
}

function flattenPolicy({ extends: _, advanced, ...settings }: Preset): Policy {
  const { priorities, ...rules } = advanced.trim
  const trim = { ...rules, priorities: { ...fixedPriorities, ...priorities } }
  return deepFreeze({ ...settings, ...advanced, trim })
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

/** Copies, because the caller may change its object later. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(deepFreeze)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deepFreeze(inner)]))
  return Object.freeze(copy) as Value
}

function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
