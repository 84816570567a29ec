/** From the settings of a policy, as a user writes them, to the policy that the stages read. */
import type { Policy, Preset } from '../domain/policy.ts'
import { fixedPriorities } from './balanced-data.ts'

export function flattenPolicy({ extends: _, advanced, ...settings }: Preset): Policy {
  const { priorities, ...rules } = advanced.trim
  const trim = { ...rules, priorities: { ...fixedPriorities, ...priorities } }
  return deepFreeze({ ...settings, ...advanced, trim })
}

/** Copies, because the caller may change its object later. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(deepFreeze)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deepFreeze(inner)]))
  return Object.freeze(copy) as Value
}
