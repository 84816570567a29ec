/** Reads the name of a shipped policy. Needs no schema, so a program that only names one does not load it. */
import type { Policy, PolicyName, Preset } from '../domain/policy.ts'
import { ThroughlineError } from '../errors.ts'
import { policies } from './presets.ts'
import { fixedPriorities } from './presets-data.ts'

/** Throws `CONFIG_INVALID` for an unknown name. */
export function readPreset(name: string): Policy {
  const preset = Object.hasOwn(policies, name) ? policies[name as PolicyName] : null
  if (preset !== null) return flattenPolicy(preset)
  throw invalid(name, `unknown policy; use one of ${Object.keys(policies).join(', ')}`)
}

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

export function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
