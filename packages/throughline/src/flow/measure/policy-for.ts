/** A policy as it is for one model. */
import type { ModelOverride, Policy } from '../../domain/policy.ts'

/** The names: the one that was asked for, and the one that the model is known by. */
export function policyFor(policy: Policy, names: readonly string[]): Policy {
  const override = policy.models.find(({ match }) => names.some((name) => matches(match, name)))
  return override === undefined ? policy : { ...policy, ...givenOf(override) }
}

function givenOf({ match: _, ...fields }: ModelOverride): Partial<Policy> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Pieces between the stars, found one behind the other: no pattern takes longer than its text. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
