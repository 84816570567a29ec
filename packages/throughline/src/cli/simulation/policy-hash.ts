/** Names the shipped settings, so that figures of two runs can be told to be of the same policy. */
import { defaults } from '../../defaults.ts'
import type { Policy } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'
import { readPolicy } from '../../toolkit/index.ts'

export function policyHash(policy: Policy = readPolicy('balanced')): string {
  const settings = [Object.entries(defaults).sort(), policy]
  return sha256(JSON.stringify(settings)).slice(0, 16)
}
