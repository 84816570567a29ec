import { expect, it } from 'vitest'
import { runSessions } from './run-sessions.ts'

it('S0-001 S0-014: behind every turn of a session all is known that should be, and nothing else', async () => {
  const { findings, figures } = await runSessions({ seed: 56, first: 0, sessions: 4, turns: 20 })
  expect(findings).toEqual([])
  // The sessions were worth something.
  expect(Math.min(...Object.values(figures))).toBeGreaterThan(0)
})
