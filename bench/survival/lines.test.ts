import { describe, expect, it } from 'vitest'
import { withoutLineNumbers } from './lines.ts'

describe('line numbers', () => {
  it('are removed only at the start of a line', () => {
    expect(withoutLineNumbers('     1→const a\n    12→const b\nc 3→d')).toBe(
      'const a\nconst b\nc 3→d',
    )
  })
})
