import { expect, it } from 'vitest'
import { lostMessages } from './lost-messages.ts'

it('no preset loses a user message', { timeout: 30_000 }, async () => {
  const { probes, findings } = await lostMessages.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(0)
})
