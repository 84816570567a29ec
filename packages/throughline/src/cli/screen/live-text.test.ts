import { expect, it } from 'vitest'
import { liveText } from './progress.ts'

function shown(text: string, { width = 20, size = 1 } = {}): string {
  const live = liveText({ width })
  let out = ''
  for (let from = 0; from < text.length; from += size)
    out += live.add(text.slice(from, from + size))
  return out + live.end()
}

it.each([1, 3, 100])('breaks between words, for chunks of %i characters', (size) => {
  const text = 'One two three four five six.\n\nA list:\n- seven eight nine ten'
  expect(shown(text, { size })).toBe(
    'One two three four\nfive six.\n\nA list:\n- seven eight nine\nten',
  )
})

it('prints a word when it is complete', () => {
  const live = liveText({ width: 20 })
  expect([live.add('thr'), live.add('ough'), live.add('line '), live.add('x'), live.end()]).toEqual(
    [...['', '', 'throughline', '', ' x']],
  )
})

it('leaves code as it is', () => {
  const fenced = '```sh\ncurl https://example.test/a b c d e f\n```\nwords behind it are broken'
  expect(shown(fenced)).toBe(
    '```sh\ncurl https://example.test/a b c d e f\n```\nwords behind it are\nbroken',
  )
  expect(shown('    an indented line of code')).toBe('    an indented line of code')
})

it('breaks scripts without spaces anywhere', () => {
  expect(shown('日本語のテキストは空白なしで')).toBe('日本語のテキストは\n空白なしで')
})

it('removes control sequences', () => {
  const hostile = 'a\u001b[2Jb \u001b]0;title\u0007c \u0000\u009b31md \u202ee\r\nf'
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
  for (const size of [1, 2, 5, 100]) expect(shown(hostile, { size })).not.toMatch(obeyed)
})
