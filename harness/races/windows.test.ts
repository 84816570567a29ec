import { describe, expect, it } from 'vitest'
import { findingLine } from '../kernel/finding.ts'
import { chainPolicies, runChain, runWindows } from './windows.ts'

describe('a summarizer whose window differs from the chat model', () => {
  it.each([
    [8_000, 8_000],
    [8_000, 1_000_000],
    [200_000, 8_000],
  ] as const)('receives only requests that fit: chat %i, summarizer %i', async (...pair) => {
    const { findings, compactions, summaries } = await runWindows({ seed: 1, runs: 3, pair })
    expect(findings.map(findingLine)).toEqual([])
    expect(Math.min(compactions, summaries)).toBeGreaterThan(0)
  })

  it.each(chainPolicies)('fifty compactions with %s stay within their limits', async (policy) => {
    const { findings, mostDepth } = await runChain(policy, 8_000)
    expect(findings.map(findingLine)).toEqual([])
    expect(mostDepth).toBeLessThan(3)
  })
})
