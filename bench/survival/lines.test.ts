import { describe, expect, it } from 'vitest'
import { withoutLineNumbers } from './lines.ts'

describe('line numbers', () => {
  it('are taken off where a line begins with one, and nowhere else', () => {
    expect(withoutLineNumbers('     1→const a\n    12→const b\nc 3→d')).toBe(
      'const a\nconst b\nc 3→d',
    )
  })
})
