import { expect, it } from 'vitest'
import { hungSummarizer } from './hung-summarizer.ts'

it('a summarizer that never answers delays at most one request', async () => {
  const { probes, findings } = await hungSummarizer.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(0)
})
