import { expect, it } from 'vitest'
import { shellWord } from './safe-text.ts'

it.each([
  ['invoice-7', 'invoice-7'],
  ['deep/a~3490b45a425c', 'deep/a~3490b45a425c'],
  ['talk#2', 'talk#2'],
  ['my talk', "'my talk'"],
  ['a$(touch x)`id`', "'a$(touch x)`id`'"],
  ["it's", "'it'\\''s'"],
  ['~root', "'~root'"],
  ['#1', "'#1'"],
])('writes %s so that a shell takes it as one word', (text, word) => {
  expect(shellWord(text)).toBe(word)
})
