import { describe, expect, it } from 'vitest'
import { shownLinesIn } from './file-changes.ts'

describe('shownLinesIn', () => {
  it.each([
    ['an arrow', '    40→one\n    41→\n    42→\tthree'],
    ['a tab', '    40\tone\n    41\t\n    42\t\tthree'],
    ['a bar', '00040| one\n00041| \n00042| \tthree'],
    ['a colon', 'L40: one\nL41: \nL42: \tthree'],
  ])('removes line numbers that end in %s, and nothing else', (_, text) => {
    expect(shownLinesIn(text, 1)).toEqual([{ firstLine: 40, lines: ['one', '', '\tthree'] }])
  })

  it('removes lines that the client adds around them', () => {
    const [shown] = shownLinesIn('<file>\n1→a\n2→b\n3→c\n4→d\n5→e\n</file>', 1)
    expect(shown).toEqual({ firstLine: 1, lines: ['a', 'b', 'c', 'd', 'e'] })
  })

  it('keeps numbers that are not consecutive: they belong to the file', () => {
    const text = '10: ten\n30: thirty\n20: twenty\n7: seven'
    expect(shownLinesIn(text, 5)).toEqual([{ firstLine: 5, lines: text.split('\n') }])
  })

  it('keeps lines without numbers as they are', () => {
    expect(shownLinesIn('a\n\nb\n', null)).toEqual([{ firstLine: null, lines: ['a', '', 'b'] }])
  })
})
