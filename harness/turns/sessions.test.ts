import { expect, it } from 'vitest'
import { runSessions } from './run-sessions.ts'

it('S0-001 S0-014: after every turn of a session the memory is as expected', async () => {
  const { findings, figures } = await runSessions({ seed: 56, first: 0, sessions: 4, turns: 20 })
  expect(findings).toEqual([])
  // The sessions covered every case.
  expect(Math.min(...Object.values(figures))).toBeGreaterThan(0)
})
