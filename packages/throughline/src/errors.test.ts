import { expect, it } from 'vitest'
import {
  type ErrorCode,
  errorTable,
  isNotInstalled,
  isThroughlineError,
  ThroughlineError,
} from './errors.ts'

it('carries a code, whether to retry, and its cause', () => {
  const cause = new Error('disk')
  const error = new ThroughlineError('STORE_FULL', 'no room', { cause })
  expect(error).toMatchObject({ code: 'STORE_FULL', retryable: true, message: 'no room', cause })
})

it('says whether to retry as the table does', () => {
  for (const [code, { retryable }] of Object.entries(errorTable))
    expect(new ThroughlineError(code as ErrorCode, 'x').retryable, code).toBe(retryable)
})

it('is known across two copies of the package', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('throughline.error')]: true })
  expect(isThroughlineError(foreign)).toBe(true)
  expect([isThroughlineError(new Error('x')), isThroughlineError(null)]).toEqual([false, false])
})

it('says in every row what to do, in a sentence', () => {
  for (const [code, row] of Object.entries(errorTable)) {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)+$/)
    expect([row.meaning, row.whatToDo].every((text) => text.endsWith('.'))).toBe(true)
    expect(row.exitCode).toBeGreaterThanOrEqual(64)
  }
})

it.each([
  "Failed to resolve module specifier 'gpt-tokenizer/encoding/o200k_base'",
  'The specifier “gpt-tokenizer” was a bare specifier, but was not remapped to anything.',
  "Module name, 'gpt-tokenizer' does not resolve to a valid URL.",
  'No such module "gpt-tokenizer".',
])('knows that a package is not installed where errors have no code: %s', (message) => {
  expect(isNotInstalled(new TypeError(message))).toBe(true)
  expect(isNotInstalled(new TypeError(`it failed: ${message}`))).toBe(false)
})
