import { expect, it } from 'vitest'
import { roleEscalation } from './role-escalation.ts'

it('keeps what users, files and tools supplied out of the system role', async () => {
  const { probes, findings } = await roleEscalation.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(1_000)
})
