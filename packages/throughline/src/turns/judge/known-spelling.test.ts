import { describe, expect, it } from 'vitest'
import { KnownSpelling } from './exact-names.ts'

describe('the spelling of a name in a source', () => {
  const spelling = new KnownSpelling([
    'Pad Thai, then',
    'the CRÈME BRÛLÉE and 保存了红烧肉。',
    'sub-zero_mode',
  ])

  it.each([
    ['Pad Thai', 'Pad Thai'],
    ['pad thai', 'Pad Thai'],
    ['Thai', 'Thai'],
    ['Crème Brûlée', 'CRÈME BRÛLÉE'],
    ['creme-brulee', 'CRÈME BRÛLÉE'],
    ['红烧肉', '红烧肉'],
    ['Sub Zero', 'sub-zero'],
    ['SUB ZERO MODE', 'sub-zero_mode'],
    ['…', '…'],
    ['Tha', null],
    ['ad Thai', null],
    ['Pad Thai soup', null],
    ['then the', null],
    ['红烧鱼', null],
  ])('B0-2: %j: %j', (name, spelled) => {
    expect(spelling.of(name)).toBe(spelled)
  })

  it('B0-2: is searched further if the first match is inside a word', () => {
    expect(new KnownSpelling(['Thailand, Thai']).of('Thai')).toBe('Thai')
    expect(new KnownSpelling(['inThai Thai']).of('Thai')).toBe('Thai')
    expect(new KnownSpelling(['Thailand']).of('Thai')).toBeNull()
    expect(new KnownSpelling(['inThai']).of('Thai')).toBeNull()
  })
})
