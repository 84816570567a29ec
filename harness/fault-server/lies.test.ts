import { describe, expect, it } from 'vitest'
import { lieAbout } from './lies.ts'

const truth =
  'The server in src/listen/port.ts took 48213 since 8f3c2a1b9d4e5f60; order-77120 is open.'

describe('a lying model', () => {
  it('keeps the sentence and changes exact values by a character', () => {
    const { text, invented } = lieAbout(truth, '', 'a')
    expect(text).not.toBe(truth)
    expect(text).toHaveLength(truth.length)
    expect(text.startsWith('The server in ')).toBe(true)
    expect(invented.length).toBeGreaterThanOrEqual(3)
    const changed = [...text].filter((letter, index) => letter !== truth[index]).length
    expect(changed).toBe(invented.length)
  })

  it('lists the values it invented, which are in no source', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const { text, invented } = lieAbout(truth, `${truth} 48214 48215 48216`, `${seed}`)
      expect(invented.length).toBeGreaterThanOrEqual(3)
      for (const name of invented) {
        expect(text).toContain(name)
        expect(`${truth} 48214 48215 48216`).not.toContain(name)
      }
    }
  })

  it('invents the same values for the same seed only', () => {
    expect(lieAbout(truth, '', 'a')).toEqual(lieAbout(truth, '', 'a'))
    expect(lieAbout(truth, '', 'a')).not.toEqual(lieAbout(truth, '', 'b'))
  })

  it('adds a sentence if there is no exact value', () => {
    const { text, invented } = lieAbout('All is well.', '', 'a')
    expect(text.startsWith('All is well. The change is in src/')).toBe(true)
    expect(invented).toHaveLength(3)
    for (const name of invented) expect(text).toContain(name)
  })

  it('keeps the structure of JSON, with its fields and numbers', () => {
    const json = JSON.stringify({ file48213: [truth, 'All is well.'], count: 12345, none: null })
    const { text, invented } = lieAbout(json, '', 'a')
    const lied = JSON.parse(text)
    expect(Object.keys(lied)).toEqual(['file48213', 'count', 'none'])
    expect(lied.file48213[0]).not.toBe(truth)
    expect(lied).toMatchObject({ count: 12345, none: null })
    for (const name of invented) expect(text).toContain(name)
    const plain = lieAbout('{"text":"All is well.","more":"Yes."}', '', 'a')
    expect(JSON.parse(plain.text)).toMatchObject({
      text: expect.stringContaining(plain.invented[0] ?? 'none'),
      more: 'Yes.',
    })
  })

  it('does not change a short number inside another name', () => {
    const { text, invented } = lieAbout('Port 4821 and id x4821y77 and 4821.', '', 'a')
    for (const name of invented) expect(text).toContain(name)
    const [, first, second] = /Port (\S+) .* and (\S+)\.$/.exec(text) ?? []
    expect(first).toBe(second)
  })
})
