/** Parses a caller's policy, completes it from the policy that it extends, and freezes it. */
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
  const named = 'name' in input ? describe(input.name) : 'without a name'
  const given = parseSettings(policySchema, input, `policy ${named}: `)
  const policy = flattenPolicy(completePolicy(policies[given.extends ?? 'balanced'], given))
  const problems = [{}, ...policy.models].map((own) => targetProblem({ ...policy, ...own }))
  const wrong = [slotsProblem(policy, extensionSlots), ...problems].find((each) => each !== null)
  if (wrong !== undefined) throw invalid(describe(policy.name), String(wrong))
  return policy
}

function flattenPolicy({ extends: _, advanced, ...settings }: Preset): Policy {
  const { priorities, ...rules } = advanced.trim
  const trim = { ...rules, priorities: { ...fixedPriorities, ...priorities } }
  return deepFreeze({ ...settings, ...advanced, trim })
}

/** A target at or above the trigger would compact with every request. */
function targetProblem({ triggers, target }: Pick<Policy, 'triggers' | 'target'>): string | null {
  const kept = 'ratio' in target ? target.ratio : target.tokens
  const unit = 'ratio' in target ? 'tokenRatio' : 'tokens'
  const reached = triggers.find((trigger) => trigger.kind === unit && kept >= trigger.at)
  return reached === undefined || !('at' in reached)
    ? null
    : `target (${kept}) must be below the trigger (${reached.at}), or every request compacts`
}

/** Checked here because the schema does not know the slots of the extension. */
function slotsProblem({ slots }: Policy, extensionSlots: readonly string[]): string | null {
  const kinds: readonly string[] = [...policySlots, ...extensionSlots]
  const at = slots.findIndex(({ kind }) => !kinds.includes(kind))
  return at === -1
    ? null
    : `advanced.slots[${at}].kind must be ${listNames(kinds)}, got ${describe(slots[at]?.kind)}`
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
