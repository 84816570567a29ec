import { expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedKills, runKills } from './kill.ts'

it('loses nothing acknowledged, and sends events once, when it is killed', async () => {
  const { findings, figures } = await runKills({ kills: 3, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.messages).toBeGreaterThan(10)
})

it.each(plantedKills)('finds $bug', async (bug) => {
  expect(await foundBug(bug)).not.toBeNull()
})
