import { describe, expect, it } from 'vitest'
import { oneSentence } from './read-sentence.ts'

describe('one sentence', () => {
  it.each([
    'Saved the recipes',
    'Saved version 1.5 of a.ts for Dr. Smith, e.g. the U.S. edition, no. 7.',
    'Saved it for J. Smith vs. Ltd. Partners.',
    '保存了三个食谱。',
    'The user asked "Why? Because." and left.',
    'Found 1 (私が買った本です。) right.',
  ])('is left as it is: %s', (text) => {
    expect(oneSentence(text)).toBe(text)
  })

  it.each([
    ['User asked. Assistant saved.', 'User asked; Assistant saved.'],
    ['Done! It was saved. All is well.', 'Done; It was saved; All is well.'],
    ['One\ntwo\nthree', 'One; two; three'],
    [`${'a'.repeat(2_999)}.`, `${'a'.repeat(2_999)}.`],
    ['User asked\nAssistant saved.', 'User asked; Assistant saved.'],
    ['He said "stop." Then he left.', 'He said "stop"; Then he left.'],
    ['用户提问。助手保存了。', '用户提问；助手保存了。'],
    ['「保存した。」次です。', '「保存した」；次です。'],
    ['  Saved   **Pad Thai**\tnow. ', 'Saved Pad Thai now.'],
    ['Saved 2. 3 are left.', 'Saved 2. 3 are left.'],
  ])('is made of %j', (text, sentence) => {
    expect(oneSentence(text)).toBe(sentence)
  })

  it.each([
    ['nothing', ' \n '],
    ['a list', 'Saved:\n- a\n- b'],
    ['one item', '- Saved a.'],
    ['a numbered list', '1. Saved a.\n2. Saved b.'],
    ['a heading', '## Summary\nSaved it.'],
    ['a table', '| a | b |'],
    ['code', '```\nSaved\n```'],
    ['four sentences', 'One is told. Two are told. Three are told. Four are told.'],
    ['a page', `${'a'.repeat(2_999)}. `],
    ['four lines', 'one\ntwo\nthree\nfour'],
  ])('is not made of %s', (_, text) => {
    expect(oneSentence(text)).toBeNull()
  })
})
