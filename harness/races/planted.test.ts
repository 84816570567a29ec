import { describe, expect, it } from 'vitest'
import { plantedRaces } from './planted.ts'
import { runRaces } from './run-races.ts'

describe('the harness finds', () => {
  it.each(plantedRaces)('$bug', async ({ rule, planted }) => {
    const { findings } = await runRaces({ seed: 1, runs: 40, planted, until: rule })
    expect(findings.map((finding) => finding.rule)).toContain(rule)
  })
})
