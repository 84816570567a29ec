/** The policies that we ship, and how a caller's own becomes one of ours. */
import { resolveAmount } from './domain/amount.ts'
import type { SlotKind } from './domain/context.ts'
import { describe } from './domain/describe.ts'
import type { Policy } from './domain/policy.ts'
import { ThroughlineError } from './errors.ts'

const balanced: Policy = {
  name: 'balanced',
  // Long enough for nearly every reply, and never so much that a small window is all reserve.
  reserve: { tokens: 4_096, ratioMax: 0.25 },
  margin: { ratio: 0.02 },
  // Rare, deep cuts: each break costs the provider's cache, so there are few of them.
  trigger: { ratio: 0.75 },
  target: { ratio: 0.35 },
  keepRecent: { messages: 6 },
  // Enough to tell what a result was; a page of it at most.
  stub: { tokens: { ratio: 0.01 }, least: 24, most: 256 },
  slots: [
    { kind: 'system' },
    { kind: 'profile', share: { ratio: 0.1 } },
    { kind: 'pins' },
    { kind: 'earlier' },
    { kind: 'recent' },
    { kind: 'retrieved', share: { ratio: 0.25 } },
    { kind: 'current' },
  ],
  derivedRole: 'user-message',
}

export const policies = { balanced } as const satisfies Record<string, Policy>

export type PolicyName = keyof typeof policies

/** A name, or a policy in which what is left out is as in `balanced`. */
export type PolicyInput = PolicyName | (Partial<Policy> & { readonly name: string })

export function readPolicy(input: unknown): Policy {
  if (typeof input === 'string') {
    if (Object.hasOwn(policies, input)) return policies[input as PolicyName]
    throw invalid(input, `there is no such policy; there is ${Object.keys(policies).join(', ')}`)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid(describe(input), 'a policy is a name or an object')
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const policy = { ...balanced, ...Object.fromEntries(given) } as Policy
  const wrong = problemOf(policy)
  if (wrong !== null) throw invalid(describe(policy.name), wrong)
  // A copy: the caller may change its own object later.
  return copyOf(policy)
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

const slotKinds: readonly SlotKind[] = balanced.slots.map(({ kind }) => kind)
const derivedRoles = ['user-message', 'system-message', 'merged-into-system']

function problemOf(policy: Policy): string | null {
  for (const field of Object.keys(policy))
    if (!Object.hasOwn(balanced, field)) return `has no field "${field}"`
  if (typeof policy.name !== 'string' || policy.name === '') return 'needs a name'
  const { reserve, keepRecent, stub, slots } = policy
  if (!isCount(reserve?.tokens) || !isRatio(reserve.ratioMax))
    return 'reserve is { tokens: a whole number, ratioMax: 0 to 1 }'
  if (!isCount(keepRecent?.messages) || keepRecent.messages < 2)
    return 'keepRecent.messages must be at least 2: a question and its answer'
  if (!isCount(stub?.least) || !isCount(stub?.most) || stub.most < stub.least)
    return 'stub needs whole numbers least <= most'
  if (!derivedRoles.includes(policy.derivedRole))
    return `derivedRole must be one of ${derivedRoles.join(', ')}`
  return slotsProblem(slots) ?? amountsProblem(policy)
}

function slotsProblem(slots: unknown): string | null {
  if (!Array.isArray(slots)) return 'slots must be an array'
  const kinds = slots.map((slot) => (slot as { kind?: unknown } | null)?.kind)
  const missing = slotKinds.find((kind) => kinds.filter((found) => found === kind).length !== 1)
  if (missing !== undefined || kinds.length !== slotKinds.length)
    return `slots must hold each of ${slotKinds.join(', ')} once`
  if (kinds[0] !== 'system') return 'the system slot must be the first'
  if (kinds.indexOf('current') !== kinds.length - 1) return 'the current slot must be the last'
  return null
}

function amountsProblem(policy: Policy): string | null {
  const amounts = [
    policy.margin,
    policy.trigger,
    policy.target,
    policy.stub.tokens,
    ...policy.slots.flatMap(({ share }) => (share === undefined ? [] : [share])),
  ]
  for (const amount of amounts) {
    if (typeof amount !== 'object' || amount === null) return 'an amount is { tokens } or { ratio }'
    resolveAmount(amount, 0)
  }
  const { trigger, target } = policy
  if ('ratio' in trigger && 'ratio' in target && target.ratio >= trigger.ratio)
    return `target (${target.ratio}) must be below trigger (${trigger.ratio}), or every request begins an epoch`
  if ('tokens' in trigger && 'tokens' in target && target.tokens >= trigger.tokens)
    return `target (${target.tokens}) must be below trigger (${trigger.tokens}), or every request begins an epoch`
  return null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isRatio(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
