import { describe, expect, it } from 'vitest'
import { processorMs } from './processor-time.test-support.ts'
import { searchedNames } from './searched-names.ts'
import { trialSizes } from './trial-sizes.test-support.ts'

describe('names that people ask for by a part of them', () => {
  it.each([
    ['paths', 'See ./src/flow/recall.ts.', ['src/flow/recall.ts']],
    ['paths of Windows', 'in C:\\logs\\a.txt', ['C:\\logs\\a.txt']],
    ['identifiers', '(parseHeader, snake_case)', ['parseHeader', 'snake_case']],
    ['hashes and versions', 'deadbeef12 at v1.2.3', ['deadbeef12', 'v1.2.3']],
    ['addresses', 'ask ada@example.org:', ['ada@example.org']],
    ['modules and times', 'node:sqlite at 12:30', ['node:sqlite', '12:30']],
    ['scripts with digits', '東京2号館', ['東京2号館']],
  ])('%s', (_, text, names) => {
    expect(searchedNames(text)).toEqual(names)
  })

  it('are no plain words, and no signs alone', () => {
    expect(searchedNames('Plain words, well-known ones… and so on. ---- ....')).toEqual([])
  })

  it('are each told once, well formed, bounded in length and number', () => {
    expect(searchedNames('a_bc a_bc')).toEqual(['a_bc'])
    const many = Array.from({ length: 900 }, (_, index) => `name_${index}`).join(' ')
    expect(searchedNames(many).length).toBe(100)
    const [long] = searchedNames(`${'𝒳'.repeat(99)}_${'𝒳'.repeat(200)}`)
    expect(long?.isWellFormed()).toBe(true)
    expect(long?.length).toBeLessThanOrEqual(200)
  })

  it.each(['.', '/', `${'.'.repeat(255)}x`, 'a', '_', '東', '\ud83d'])(
    'are found in a time that grows with the length only: %j',
    (unit) => {
      const size = trialSizes.hostileCharacters
      const text = unit.repeat(size / unit.length)
      expect(processorMs(() => searchedNames(text), size / 500)).toBeLessThan(
        Math.max(60, size / 500),
      )
    },
  )
})
