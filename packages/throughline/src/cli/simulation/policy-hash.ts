/** Names the shipped settings, so that figures of two runs can be told to be of the same policy. */
import { defaults } from '../../defaults.ts'
import { type Policy, policies } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'

export function policyHash(policy: Policy = policies.balanced): string {
  const settings = [Object.entries(defaults).sort(), policy]
  return sha256(JSON.stringify(settings)).slice(0, 16)
}
