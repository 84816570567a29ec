import { describe, expect, it } from 'vitest'
import { commonProblems, wellFormed } from './well-formed.ts'

describe('a value made well-formed', () => {
  it('has no lone surrogates, in texts and in names of fields', () => {
    expect(wellFormed({ 'a\ud800': ['b\udc00', 1, null] })).toEqual({
      'a\ufffd': ['b\ufffd', 1, null],
    })
  })

  it('keeps bytes and URLs unchanged', () => {
    const value = { data: Uint8Array.of(1), url: new URL('https://a.test') }
    expect(wellFormed(value)).toEqual(value)
  })
})

describe('flaws', () => {
  it('are reported with their path', () => {
    expect(commonProblems({ a: [{ b: 'x\ud800' }], c: Number.NaN, d: undefined })).toMatchObject([
      { rule: 'unicode', at: 'a[0].b' },
      { rule: 'json', at: 'c' },
    ])
    expect(commonProblems({ 'a\ud800': 1 })).toMatchObject([{ rule: 'unicode', at: 'a\ufffd' }])
  })

  it('are found in deep and cyclic values, and in values that are shared many times', () => {
    const round: unknown[] = []
    round.push(round, round)
    expect(commonProblems(round)).toMatchObject([{ rule: 'nesting' }, { rule: 'nesting' }])
    let shared: unknown = 'x\ud800'
    for (let depth = 0; depth < 60; depth += 1) shared = [shared, shared]
    expect(commonProblems(shared).map(({ rule }) => rule)).toEqual(['unicode', 'unicode'])
    let deep: unknown = 'x'
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep]
    expect(commonProblems(deep)).toMatchObject([{ rule: 'nesting' }])
  })
})
