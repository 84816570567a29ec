/** Names the shipped settings, so that figures of two runs can be told to be of the same policy. */
import { defaults } from '../defaults.ts'
import { sha256 } from '../system.ts'

export function policyHash(): string {
  return sha256(JSON.stringify(Object.entries(defaults).sort())).slice(0, 16)
}
