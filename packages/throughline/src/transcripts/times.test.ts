import { expect, it } from 'vitest'
import { timeOf } from './times.ts'

it('parses the time formats of transcripts, as UTC if no zone is given', () => {
  const noon = Date.UTC(2023, 4, 8, 12, 5)
  expect(timeOf('2023-05-08T12:05:00.000Z')).toBe(noon)
  expect(timeOf('2023-05-08T14:05:00+02:00')).toBe(noon)
  expect(timeOf('2023-05-08T12:05:00.000000')).toBe(noon)
  expect(timeOf('2023-05-08 12:05:00')).toBe(noon)
  expect(timeOf('2023/05/08 (Mon) 12:05')).toBe(noon)
  expect(timeOf('12:05 pm on 8 May, 2023')).toBe(noon)
  expect(timeOf('12:05 am on 8 May, 2023')).toBe(noon - 12 * 3_600_000)
  expect(timeOf('2023-05-08')).toBe(Date.UTC(2023, 4, 8))
  expect(timeOf(noon)).toBe(noon)
})

it('returns undefined for values that are not times', () => {
  for (const value of [
    '',
    'yesterday',
    '1:00 pm on 8 Moy, 2023',
    '1950-01-01',
    -1,
    1e300,
    null,
    {},
  ])
    expect(timeOf(value)).toBeUndefined()
})
