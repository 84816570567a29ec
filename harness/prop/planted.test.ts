import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { planted } from './planted.ts'

describe('the harness finds', () => {
  it.each(planted)('$bug', async (bug) => {
    expect(await foundBug(bug)).not.toBeNull()
  })
})
