import { expect, it } from 'vitest'
import { safeExcerpt } from './safe-excerpt.ts'

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'

it('is one line without what moves a cursor', () => {
  expect(safeExcerpt(' one\r\n\ttwo\u001B[2Jthree\u202Efour \u2028five ')).toBe(
    'one two [2Jthree four five',
  )
})

it('is at most 200 characters, and cuts no character in two', () => {
  for (const text of ['x'.repeat(201), `${'x'.repeat(198)}😀 and more`, '😀'.repeat(300)]) {
    const excerpt = safeExcerpt(text)
    expect(excerpt.length).toBeLessThanOrEqual(200)
    expect(excerpt.isWellFormed()).toBe(true)
    expect(excerpt.endsWith('…')).toBe(true)
  }
  expect(safeExcerpt('x'.repeat(200))).toBe('x'.repeat(200))
})

it('shows no part of a secret, wherever it stands', () => {
  for (let before = 0; before < 260; before += 7)
    expect(safeExcerpt(`${'a '.repeat(before)}${key}`)).not.toMatch(/sk-p|abcdefgh/)
  // Where redacting makes room for what was cut.
  expect(safeExcerpt(`${`${key} `.repeat(75)}${key}`)).not.toMatch(/abcdefgh/)
})

it('shows the beginning of a long text that has no blanks', () => {
  expect(safeExcerpt('語'.repeat(9_000))).toBe(`${'語'.repeat(199)}…`)
  expect(safeExcerpt('_'.repeat(9_000))).toBe(`${'_'.repeat(199)}…`)
})

it.each([
  ['Incorrect API key provided: house-12.', 'Incorrect API key provided: [redacted: API key]'],
  ['{"x-api-key": "house-12"}', '{"x-api-key": "[redacted: API key]"}'],
  ['Authorization: Bearer house-12', 'Authorization: Bearer [redacted: API key]'],
  ['$& and {messages} stay', '$& and {messages} stay'],
])('takes out what is named a key: %s', (text, expected) => {
  expect(safeExcerpt(text)).toBe(expected)
})

it('takes no longer for a long text than for its beginning', () => {
  const timeOf = (times: number) => {
    const text = 'api key '.repeat(times)
    const tries = Array.from({ length: 5 }, () => {
      const started = performance.now()
      safeExcerpt(text)
      return performance.now() - started
    })
    return Math.min(...tries)
  }
  expect(timeOf(5_000_000)).toBeLessThan(20 * timeOf(50_000) + 5)
})
