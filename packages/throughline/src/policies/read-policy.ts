/** How a caller's own policy becomes one of ours: checked, completed, frozen. */
import { describe } from '../domain/describe.ts'
import type { Policy } from '../domain/policy.ts'
import { turnRules, turnSlots } from '../domain/turn-rules.ts'
import { ThroughlineError } from '../errors.ts'
import { type PolicyName, policies } from '../policies.ts'
import { type Fields, isFields } from './field-checks.ts'
import { policyProblem } from './policy-problem.ts'
import { completedSummarizer } from './summarizers-problem.ts'

const { balanced } = policies

/**
 * A policy checked and completed, from a name or an object; `extensionSlots` are
 * those that a context extension fills. Throws `CONFIG_INVALID` for any other.
 *
 * @example
 * console.log(readPolicy('coding').summarizers)
 */
export function readPolicy(input: unknown, extensionSlots: readonly string[] = turnSlots): Policy {
  if (typeof input === 'string') {
    if (Object.hasOwn(policies, input)) return policies[input as PolicyName]
    throw invalid(input, `there is no such policy; there is ${Object.keys(policies).join(', ')}`)
  }
  if (!isFields(input)) throw invalid(describe(input), 'a policy is a name or an object')
  const policy = completed(input)
  const wrong = policyProblem(policy, extensionSlots)
  if (wrong !== null) throw invalid(describe(policy.name), wrong)
  // A copy: the caller may change its own object later.
  return copyOf(policy)
}

function completed(input: Fields): Policy {
  const given = defined(input)
  const { guards, trim, narrative, limits, summarizers, run, turns } = given
  return {
    ...balanced,
    ...given,
    ...(isFields(guards) && { guards: { ...balanced.guards, ...defined(guards) } }),
    ...(isFields(limits) && { limits: { ...balanced.limits, ...defined(limits) } }),
    ...(Array.isArray(summarizers) && { summarizers: summarizers.map(completedSummarizer) }),
    ...(isFields(run) &&
      run['mode'] === 'background' && { run: { ...background, ...defined(run) } }),
    ...(isFields(trim) && { trim: completedTrim(trim) }),
    ...(isFields(turns) && { turns: { ...turnRules, ...defined(turns) } }),
    ...(isToolLines(narrative) && { narrative: { errorDetails: true, ...defined(narrative) } }),
  } as Policy
}

const background = { mode: 'background', waitMs: 10_000 } as const

function isToolLines(narrative: unknown): narrative is Fields {
  return isFields(narrative) && narrative['style'] === 'tool-lines'
}

function completedTrim(trim: Fields): Fields {
  const { priorities, ...rules } = defined(trim)
  return {
    ...balanced.trim,
    ...rules,
    priorities: isFields(priorities)
      ? { ...balanced.trim.priorities, ...defined(priorities) }
      : (priorities ?? balanced.trim.priorities),
  }
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function copyOf(policy: Policy): Policy {
  try {
    return deepFrozen(structuredClone(policy))
  } catch (cause) {
    throw Object.assign(invalid(describe(policy.name), 'must be plain JSON'), { cause })
  }
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) deepFrozen(inner)
  return Object.freeze(value)
}

function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
