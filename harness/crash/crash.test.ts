import { expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { crash, planted } from './crash.ts'

it('loses nothing acknowledged and writes nothing twice when the writer is killed', async () => {
  const { findings, figures } = await crash({ kills: 6, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.turns).toBeGreaterThan(20)
})

it.each(planted)('finds $bug', async (bug) => {
  expect(await foundBug(bug)).not.toBeNull()
})
