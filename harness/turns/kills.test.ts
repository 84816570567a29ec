import { memory } from 'throughline/stores/memory'
import { expect, it } from 'vitest'
import { auditTurns, killTurns } from './kill-turns.ts'
import { keptTurns, killedPlay } from './killed-play.ts'

it('S0-001 X0-9: a writer that is killed has remembered each turn whole, or not at all', async () => {
  const { findings, figures } = await killTurns({ kills: 2, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.turns).toBeGreaterThanOrEqual(2)
  // Two processes begin, and wait for a machine that may have other work.
}, 120_000)

it('finds turns that are lost, doubled and torn', async () => {
  const play = killedPlay(memory(), 2)
  for (let turn = 0; turn < 6; turn += 1) await play.next(false)
  const sound = await keptTurns(play.engine)
  const rules = (kept: typeof sound, acknowledged: number) =>
    auditTurns(kept, sound, acknowledged).map(({ rule }) => rule)
  expect(rules(sound, 6)).toEqual([])
  expect(rules(sound, 5)).toEqual([])
  expect(rules(sound, 7)).toContain('lost')
  expect(rules(sound, 4)).toContain('doubled')
  expect(rules({ ...sound, steps: sound.steps.slice(1) }, 6)).toContain('torn')
  expect(rules({ ...sound, records: sound.records.toReversed() }, 6)).toContain('torn')
})
