/** Reads the name of a shipped policy. Needs no schema, so a program that only names one does not load it. */
import type { Policy, PolicyName } from '../domain/policy.ts'
import { ThroughlineError } from '../errors.ts'
import { flattenPolicy } from './flatten-policy.ts'
import { policies } from './presets.ts'

/** Throws `CONFIG_INVALID` for an unknown name. */
export function readPreset(name: string): Policy {
  const preset = Object.hasOwn(policies, name) ? policies[name as PolicyName] : null
  if (preset !== null) return flattenPolicy(preset)
  throw invalid(name, `unknown policy; use one of ${Object.keys(policies).join(', ')}`)
}

export function invalid(name: string, why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `policy ${name}: ${why}`)
}
