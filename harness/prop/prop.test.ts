import { fit } from 'throughline'
import { expect, it } from 'vitest'
import { randomCase } from './random-case.ts'
import { runGrowing, runSeeds } from './run-seeds.ts'

it('keeps every promise of a context for any history, window and provider', async () => {
  const report = await runSeeds({ seed: 1, runs: 24 })
  expect(report.findings).toEqual([])
  expect(report.requests).toBeGreaterThan(800)
})

it('extends every adapter output of a growing history if the context says so', async () => {
  const findings = []
  for (const seed of [18, 20, 22, 32, 96, 124, 330])
    findings.push(...(await runGrowing(await randomCase(seed), fit)).findings)
  expect(findings).toEqual([])
})
