import { memory } from 'throughline/stores/memory'
import { expect, it } from 'vitest'
import { auditTurns, killTurns } from './kill-turns.ts'
import { keptTurns, killedPlay } from './killed-play.ts'

it('S0-001 X0-9: a killed writer has stored each turn completely or not at all', async () => {
  const { findings, figures } = await killTurns({ kills: 2, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.turns).toBeGreaterThanOrEqual(2)
  // A busy machine may start the two processes slowly.
}, 120_000)

it('finds lost, doubled and torn turns', async () => {
  const play = killedPlay(memory(), 2)
  for (let turn = 0; turn < 6; turn += 1) await play.next(false)
  const complete = await keptTurns(play.engine)
  const rules = (kept: typeof complete, acknowledged: number) =>
    auditTurns(kept, complete, acknowledged).map(({ rule }) => rule)
  expect(rules(complete, 6)).toEqual([])
  expect(rules(complete, 5)).toEqual([])
  expect(rules(complete, 7)).toContain('lost')
  expect(rules(complete, 4)).toContain('doubled')
  expect(rules({ ...complete, steps: complete.steps.slice(1) }, 6)).toContain('torn')
  expect(rules({ ...complete, records: complete.records.toReversed() }, 6)).toContain('torn')
})
