import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedBugs } from './planted.ts'

describe('the sessions find', () => {
  it.each(plantedBugs)('$id: $bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
