import { describe, expect, it } from 'vitest'
import { NameCounts, nameHash, UniqueNames } from './names.ts'

describe('NameCounts', () => {
  it('counts like a map, for any number of names', () => {
    const counts = new NameCounts()
    const expected = new Map<string, number>()
    for (let index = 0; index < 50_000; index += 1) {
      const name = `name-${(index * 7_919) % 20_011}`
      expected.set(name, (expected.get(name) ?? 0) + 1)
      if (counts.add(name) !== expected.get(name)) throw new Error(`counted wrong: ${name}`)
    }
    expect(counts.has('name-0')).toBe(true)
    expect(counts.has('name')).toBe(false)
    expect(counts.has('')).toBe(false)
  })

  it('gives similar names different hashes', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `line:${index}`)
    const hashes = new Set(names.map(nameHash))
    expect(hashes.size).toBe(names.length)
    expect([...hashes].every((hash) => Number.isSafeInteger(hash) && hash > 0)).toBe(true)
  })
})

describe('UniqueNames', () => {
  it('numbers repeated names within their scope', () => {
    const names = new UniqueNames()
    expect(['a', 'a', 'a#2', 'a', 'b'].map((name) => names.take(name))).toEqual([
      ...['a', 'a#2', 'a#2#2', 'a#3', 'b'],
    ])
    expect([names.take('a', 'x'), names.take('a', 'x')]).toEqual(['a', 'a#2'])
  })
})
