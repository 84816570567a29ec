/** A caller's policy, parsed, completed from the policy that it extends, and frozen. */
import type { Policy, PolicyName, Preset } from '../domain/policy.ts'
import { describe } from '../domain/text.ts'
import { turnSlots } from '../domain/turn-memory.ts'
import { ThroughlineError } from '../errors.ts'
import { policySchema, policySlots } from './policy-schema.ts'
import { completed, policies } from './presets.ts'
import { fixedPriorities } from './presets-data.ts'
import { listed, parseSettings } from './schema.ts'

/**
 * A policy checked and completed, from a name or an object; `extensionSlots` are
 * those that a context extension fills. Throws `CONFIG_INVALID` for any other.
 *
 * @example
 * console.log(readPolicy('coding').summarizers)
 */
export function readPolicy(input: unknown, extensionSlots: readonly string[] = turnSlots): Policy {
  if (typeof input === 'string') {
    const preset = Object.hasOwn(policies, input) ? policies[input as PolicyName] : null
    if (preset !== null) return flat(preset)
    throw invalid(input, `there is no such policy; there is ${Object.keys(policies).join(', ')}`)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid(describe(input), 'a policy is a name or an object')
  const named = 'name' in input ? describe(input.name) : 'without a name'
  const given = parseSettings(policySchema, input, `policy ${named}: `)
  const policy = flat(completed(policies[given.extends ?? 'balanced'], given))
  const problems = [{}, ...policy.models].map((own) => targetProblem({ ...policy, ...own }))
  const wrong = [slotsProblem(policy, extensionSlots), ...problems].find((each) => each !== null)
  if (wrong !== undefined) throw invalid(describe(policy.name), String(wrong))
  return policy
}

function flat({ extends: _, advanced, ...settings }: Preset): Policy {
  const { priorities, ...rules } = advanced.trim
  const trim = { ...rules, priorities: { ...fixedPriorities, ...priorities } }
  return frozen({ ...settings, ...advanced, trim })
}

/** A compaction that does not get below its trigger would start the next one with every request. */
function targetProblem({ triggers, target }: Pick<Policy, 'triggers' | 'target'>): string | null {
  const kept = 'ratio' in target ? target.ratio : target.tokens
  const unit = 'ratio' in target ? 'tokenRatio' : 'tokens'
  const reached = triggers.find((trigger) => trigger.kind === unit && kept >= trigger.at)
  return reached === undefined || !('at' in reached)
    ? null
    : `target (${kept}) must be below the trigger (${reached.at}), or every request compacts`
}

/** Which slots there are depends on the extension that fills some of them. */
function slotsProblem({ slots }: Policy, extensionSlots: readonly string[]): string | null {
  const kinds: readonly string[] = [...policySlots, ...extensionSlots]
  const at = slots.findIndex(({ kind }) => !kinds.includes(kind))
  return at === -1
    ? null
    : `advanced.slots[${at}].kind must be ${listed(kinds)}, got ${describe(slots[at]?.kind)}`
}

/** A copy: the caller may change its own object later. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, frozen(inner)]))
  return Object.freeze(copy) as Value
}

function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
