import { expect, it } from 'vitest'
import { retryAfterMs } from './language-model-failure.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

it.each([
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '999999999' }, 3_600_000],
  [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': 'Sun, 01 Mar 2099 11:00:00 GMT' }, 3_600_000],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after-ms': '20', 'retry-after': '5' }, 20],
  [{ 'retry-after-ms': 'x', 'retry-after': '5' }, 5_000],
  [{}, null],
])('reads %j', (headers, expected) => {
  expect(retryAfterMs(headers, now)).toBe(expected)
})
