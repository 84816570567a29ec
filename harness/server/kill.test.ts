import { expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedKills, runKills } from './kill.ts'
import { runLoad } from './load.ts'

it('loses nothing acknowledged, and sends events once, when it is killed', async () => {
  const { findings, figures } = await runKills({ kills: 3, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.messages).toBeGreaterThan(10)
})

it.each(plantedKills)('finds $bug', async (bug) => {
  expect(await foundBug(bug)).not.toBeNull()
})

it('answers many connections without an error, and reports the figures', async () => {
  const size = { seconds: 0.8, connections: 20, largest: 100, rate: 20, seed: 1 }
  const { errors, latencies, server, bare } = await runLoad(size, () => {})
  expect(errors).toBe(0)
  expect(Object.keys(latencies)).toContain('append')
  expect([server.length > 5, bare.every(({ requests }) => requests > 0)]).toEqual([true, true])
})
