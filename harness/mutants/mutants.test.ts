import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutantLists, mutated } from './mutant.ts'

const home = join(import.meta.dirname, '../..')

describe('a mutant', () => {
  it('applies only if its text occurs exactly once', () => {
    expect(mutated('a >= b', { find: '>=', replace: '>' })).toBe('a > b')
    expect(mutated('a > b', { find: '>=', replace: '>' })).toBeNull()
    expect(mutated('a >= b >= c', { find: '>=', replace: '>' })).toBeNull()
    expect(mutated('aaa', { find: 'aa', replace: 'b' })).toBeNull()
    expect(mutated('a >= b', { find: '>=', replace: '>=' })).toBeNull()
    // Replacement patterns are not expanded.
    expect(mutated('a >= b', { find: '>=', replace: '$&' })).toBe('a $& b')
  })

  it.each(Object.values(mutantLists).flat())('applies: $name', (mutant) => {
    expect(mutated(readFileSync(join(home, mutant.file), 'utf8'), mutant)).not.toBeNull()
    for (const test of mutant.tests) expect(existsSync(join(home, test)), test).toBe(true)
  })
})
