import { describe, expect, it } from 'vitest'
import { outlineOf } from './code-outline.ts'

describe('outlineOf', () => {
  it('names exports and counts imports, in text with line numbers', () => {
    const text = [
      "     1→import { a } from './a.ts'",
      "     2→import type { b } from './b.ts'",
      "     3→import './c.ts'",
      '     4→export const first = 1',
      '     5→export async function second() {}',
      '     6→export interface Third {}',
      '     7→export { x, y as fourth, type Fifth }',
      '     8→export class Sixth {}',
    ].join('\n')
    expect(outlineOf('src/x.ts', text)).toEqual({
      exports: ['first', 'second', 'Third', 'x', 'fourth'],
      importCount: 3,
    })
  })

  it('reads imports over several lines, and those of older modules', () => {
    const text =
      "import {\n  a,\n  b,\n} from './a.ts'\nconst fs = require('fs')\nexport * from './a.ts'"
    expect(outlineOf('x.js', text)).toEqual({ exports: [], importCount: 2 })
  })

  it('is none for other files', () => {
    expect(outlineOf('x.py', 'import os\nexport const a')).toBeNull()
    expect(outlineOf('x.ts', 'const a = 1')).toBeNull()
  })
})
