import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedRaces } from './planted.ts'

describe('the harness finds', () => {
  it.each(plantedRaces)('$bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
