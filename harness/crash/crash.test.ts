import { expect, it } from 'vitest'
import { crash } from './crash.ts'

it('loses nothing acknowledged and writes nothing twice when the writer is killed', async () => {
  const report = await crash({ kills: 6, seed: 1 })
  expect(report).toMatchObject({ lost: 0, duplicates: 0, torn: 0, problems: [], sound: true })
  expect(report.acknowledgedTurns).toBeGreaterThan(20)
})

it('finds a writer that acknowledges before it writes', async () => {
  expect((await crash({ kills: 300, seed: 2, plant: 'ack-first' })).lost).toBeGreaterThan(0)
})

it('finds a writer that sends a turn in doubt without its key', async () => {
  expect((await crash({ kills: 300, seed: 3, plant: 'no-key' })).duplicates).toBeGreaterThan(0)
})

it('finds a writer that commits a turn in pieces', async () => {
  expect((await crash({ kills: 300, seed: 4, plant: 'torn' })).torn).toBeGreaterThan(0)
})
