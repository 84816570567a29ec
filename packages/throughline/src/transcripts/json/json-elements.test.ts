import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choose, formatPath, JsonElementScanner } from './json-elements.ts'
import { choosePatterns } from './raw-json.ts'

function scan(chunks: readonly string[], choose: Choose): string[] {
  const scanner = new JsonElementScanner(choose)
  const events = [...chunks.flatMap((chunk) => scanner.push(chunk)), ...scanner.end()]
  return events.map((event) =>
    event.kind === 'problem'
      ? `problem ${event.line}: ${event.reason}`
      : `${event.line} ${formatPath(event.path)}${event.complete ? '' : ' broken off'} = ${event.text}`,
  )
}

describe('JsonElementScanner', () => {
  it('emits the exact text of the values at a path', () => {
    const text = '{ "a": 1,\n "list": [ {"x": 1e400, "x":[2]} ,\n "s\\"]", 12, null ] }'
    expect(scan([text], choosePatterns(['list', '*']))).toEqual([
      '2 list[0] = {"x": 1e400, "x":[2]}',
      '3 list[1] = "s\\"]"',
      '3 list[2] = 12',
      '3 list[3] = null',
    ])
  })

  it('finds the same values wherever the text is split into chunks', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(40)), (value, cuts) => {
        const text = `{"before":${value},"wanted":[${value},${value}],"after":"\\\\"}`
        const chunks: string[] = []
        let rest = text
        for (const cut of cuts) {
          chunks.push(rest.slice(0, cut))
          rest = rest.slice(cut)
        }
        const wanted = choosePatterns(['wanted', '*'], ['after'])
        expect(scan([...chunks, rest], wanted)).toEqual([
          `1 wanted[0] = ${value.trim()}`,
          `1 wanted[1] = ${value.trim()}`,
          '1 after = "\\\\"',
        ])
      }),
      { numRuns: 200 },
    )
  })

  it('reports where the structure breaks, and emits the truncated value', () => {
    const wanted = choosePatterns(['list', '*'])
    expect(scan(['{"list":[1,\n2 3]}'], wanted)).toEqual([
      '1 list[0] = 1',
      '2 list[1] = 2',
      'problem 2: expected a comma and found "3"',
    ])
    expect(scan(['{"list":[1,{"a":\n'], wanted)).toEqual([
      '1 list[0] = 1',
      '1 list[1] broken off = {"a":\n',
      'problem 2: the text ends inside list[1]',
    ])
    expect(scan(['hello'], wanted)).toEqual([
      'problem 1: expected an object or an array and found "h"',
    ])
    expect(scan(['{"list":[,]}'], wanted)).toEqual(['problem 1: expected a value and found ","'])
    expect(scan(['{list:[]}'], wanted)).toEqual([
      'problem 1: expected a key in quotes and found "l"',
    ])
    expect(scan(['{"list" []}'], wanted)).toEqual(['problem 1: expected a colon and found "["'])
  })

  it('loses one value to an unclosed quote, not the rest of the file', () => {
    expect(scan(['[\n{"a":"x\n},\n{"a":"y"}\n]'], choosePatterns(['*']))).toEqual([
      '2 [0] = {"a":"x\n}',
      '4 [1] = {"a":"y"}',
    ])
  })

  it('refuses a value that nests too deep, and continues after it', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(scan([`[${deep},7]`], choosePatterns(['*']))).toEqual([
      'problem 1: [0] nests deeper than 512 levels',
      '1 [1] = 7',
    ])
    expect(scan([`{"a":${deep},"b":1}`], choosePatterns(['b']))).toEqual(['1 b = 1'])
    expect(scan(['['.repeat(100_000)], () => 'enter').at(-1)).toMatch(/the text ends inside/)
  })

  it('separates consecutive documents', () => {
    const scanner = new JsonElementScanner(choosePatterns(['a']))
    const events = [...scanner.push('{"a":1}\n{}{"a":2}'), ...scanner.end()]
    expect(events.map((event) => event.kind === 'element' && [event.root, event.text])).toEqual([
      [0, '1'],
      [2, '2'],
    ])
  })
})
