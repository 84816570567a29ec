import { expect, it } from 'vitest'
import { hungSummarizer } from './hung-summarizer.ts'

it('the attack hung-summarizer finds nothing', async () => {
  const { probes, findings } = await hungSummarizer.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(0)
})
