import { describe, expect, it } from 'vitest'
import { plantedBugs } from './planted.ts'
import { runSessions } from './run-sessions.ts'

describe('the sessions find', () => {
  it.each(plantedBugs)('$id: $bug', async ({ rule, planted, session: first = 0 }) => {
    const runs = { seed: 1, first, sessions: 40, turns: 20 }
    const { findings } = await runSessions({ ...runs, planted, until: rule })
    expect(findings.map((finding) => finding.rule)).toContain(rule)
  })
})
