import { expect, it } from 'vitest'
import { defaultRows } from '../../defaults-data.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { policyHash } from './statistics.ts'

it('names the defaults and the shipped policy, whatever the order of the defaults', () => {
  const sorted = defaultRows().toReversed().sort()
  const hashWith = (policy: object) => sha256(JSON.stringify([sorted, policy])).slice(0, 16)
  expect(policyHash()).toBe(hashWith(readPolicy('balanced')))
  expect(policyHash()).not.toBe(
    hashWith({ ...readPolicy('balanced'), keepRecent: { messages: 7 } }),
  )
})
