import { describe, expect, it } from 'vitest'
import type { ExactValueKind } from '../../extract/literals/exact-values.ts'
import { tool, user } from './gate.test-support.ts'
import { type GateSource, indexSources, messageSource, unsupportedValues } from './source-index.ts'

/** The values of a text that sources with another text do not have. */
const missing = (text: string, ...sources: readonly string[]) =>
  unsupportedValues(text, indexSources(sources.map(tool))).map(({ text: value }) => value)

describe('the values of sources', () => {
  it.each([
    // A number with its unit.
    ['It took 44210.', 'took 44210ms'],
    ['It has 44210.', '44210px wide'],
    // What was written around a value, in JSON, on a terminal or in an address.
    ['Kept as 8c41f7e09b2d.', '{"log":"done\\n8c41f7e09b2d\\tok"}'],
    ['Kept as 8c41f7e09b2d.', '{"log":"\\x1b[31m8c41f7e09b2d"}'],
    ['Kept as 8c41f7e09b2d.', '\u001b[31m8c41f7e09b2d\u001b[0m'],
    ['Kept as 8c41f7e09b2d.', 'q=%228c41f7e09b2d%22'],
    // Rounded, or with other separators.
    ['It was 81.5385.', '81.538461'],
    ['It was 81.53846.', '81.538461'],
    ['It was 12.34500.', '12.345001'],
    ['It was 1204331.', '1,204,331'],
    ['It was 1204331.', '1 204 331.50'],
    // Round numbers in short.
    ['It costs 140,000.', '140K'],
    ['It costs 130,000,000.', '130m'],
    ['It costs 130,000,000.', '130M'],
    ['It costs 120,000,000,000.', '120b'],
    ['It costs 2,000,000,000.', 'two billion'],
    // The start of a hash.
    ['Kept as 8c41f7e.', '8c41f7e09b2d'],
    ['Kept as 8C41F7E.', '8c41f7e09b2d'],
    ['Kept as 8c41f7e09b2d.', '8C41F7E09B2D'],
    ['Kept as 8c41f7e.', '8C41F7E'],
    ['Ask ann@mail.example.', 'ann@mail.example'],
    ['It is v4.17.21.', '4.17.21'],
    ['Run 8a1b0c20-cfda-febe-e0be-e4f72bf504de.', '8A1B0C20-cfda-febe-e0be-e4f72bf504de'],
  ])('support %j by %j', (text, source) => {
    expect(missing(text, source)).toEqual([])
  })

  it.each([
    ['It took 44210.', 'took 44210years', '44210'],
    ['It took 44210.', 'took 44211ms', '44210'],
    ['It was 81.5386.', '81.538461', '81.5386'],
    ['It was 81.53842.', '81.538461', '81.53842'],
    ['It was 81.5385.', 'took 81.5384 s', '81.5385'],
    ['It costs 140,000.', '140m', '140000'],
    ['It costs 130,000,000.', '130k', '130000000'],
    ['It costs 120,000,000,000.', '120m', '120000000000'],
    ['Kept as 8c41f7e09b2d.', '8c41f7e', '8c41f7e09b2d'],
    ['Kept as c41f7e0.', '8c41f7e09b2d', 'c41f7e0'],
    ['Ask ann@mail.example.', 'bob@mail.example', 'ann@mail.example'],
    ['It is 4.17.21.', '4.17.2', '4.17.21'],
    ['In src/late.ts.', 'src soon.ts', 'src/late.ts'],
  ])('do not support %j by %j', (text, source, value) => {
    expect(missing(text, source)).toEqual([value])
  })

  it('may be anywhere in the sources, and are known by kind', () => {
    expect(missing('Kept as 8c41f7e09b2d in 44210.', 'built 8c41f7e09b2d', '44210 ms')).toEqual([])
    const { values } = indexSources([
      tool('built 8c41f7e09b2d in src/late.ts for ann@mail.example'),
    ])
    expect([...(values.get('hash') ?? [])]).toEqual(['8c41f7e09b2d'])
    expect([...(values.get('path') ?? [])]).toEqual(['src/late.ts'])
    expect([...(values.get('email') ?? [])]).toEqual(['ann@mail.example'])
  })

  it.each<[ExactValueKind, string, string, boolean]>([
    // In a path, an address is one of its parts.
    ['email', 'ann@mail.example', 'inbox/ann@mail.example', true],
    // The release of a version, without its suffix.
    ['version', '4.17.21-rc1', '4.17.21', true],
    ['version', '4.17.22-rc1', '4.17.21', false],
    // A dot before three digits may separate thousands.
    ['number', '12.345', 'took 12345 ms', true],
    ['number', '12.34', 'took 1234 ms', false],
    ['number', '12.345', 'took 12346 ms', false],
    // Rounded up, also to a digit that a source does not have.
    ['number', '81.5381', '81.538096', true],
    ['number', '81.5380', '81.537996', false],
    // Parts of a key must be neighbours, unless they are plain words.
    ['key', 'rem-4821', 'rem 4821', false],
    ['key', 'rem-4821', 'rem-4821', true],
    ['key', 'alpha-beta', 'alpha then beta', true],
    ['key', 'alpha-beta', 'alpha', false],
    ['key', 'alpha-beta', 'beta', false],
    // Seven characters of a hash, and only of a hash.
    ['hash', '8c41f7e', '8c41f7e09b2d', true],
    ['hash', '8c41f7', '8c41f7e09b2d', false],
    ['hash', 'abcdefa', 'abcdefaz1234', false],
    ['url', 'docs.example/a1b2', 'https://docs.example/a1b2/c3', true],
    ['url', 'docs.example/a1b3', 'https://docs.example/a1b2/c3', false],
  ])('have the %s %s in %j: %s', (kind, text, source, expected) => {
    expect(indexSources([tool(source)]).hasValue({ kind, text, at: 0 })).toBe(expected)
  })

  it.each(['path', 'url'] as const)('have a %s with any number of segments', (kind) => {
    const segments = Array.from({ length: 60 }, (_, at) => `s${at}`).join('/')
    const index = indexSources([tool(`see docs.example/${segments} there`)])
    const has = (text: string) => index.hasValue({ kind, text, at: 0 })
    expect(has(`docs.example/${segments}`)).toBe(true)
    expect(has(`docs.example/${segments}/s99`)).toBe(false)
  })

  it('are a list of words if no path of the sources has one of them', () => {
    const isKnown = (text: string, ...sources: readonly string[]) =>
      indexSources(sources.map(tool)).hasValue({ kind: 'path', text, at: 0 })
    expect(isKnown('current/stale/gone', 'nothing')).toBe(true)
    expect(isKnown('current/stale/gone', 'see src/stale/x.ts')).toBe(false)
    expect(isKnown('current/stale/gone', 'see src/stale/x.ts', 'current or gone')).toBe(true)
    expect(isKnown('current/stale/gone', 'see src/stale')).toBe(false)
    expect(isKnown('current/stale/gone', 'stale')).toBe(true)
    expect(isKnown('/current/stale', 'nothing')).toBe(false)
    expect(isKnown('current/stale.ts', 'current, stale, ts')).toBe(false)
    expect(isKnown('on/off', 'nothing')).toBe(false)
  })
})

describe('the words of sources', () => {
  const index = indexSources([
    user('The Designer moved it.'),
    { kind: 'summary', role: null, text: 'An older summary.' },
  ])

  it('are found in lower case, or by their first five letters', () => {
    expect([index.hasWord('designer'), index.hasWord('design')]).toEqual([true, false])
    expect([index.hasStem('designed'), index.hasStem('desig'), index.hasStem('desi')]).toEqual([
      ...[true, true, false],
    ])
  })

  it('are found as they are written, from 2 to 128 letters', () => {
    const has = (word: string) => indexSources([user(`src/${word}`)]).hasWord(word)
    expect(['K8', 'x'.repeat(128), 'x'.repeat(129)].map(has)).toEqual([true, true, false])
  })

  it('of a message are compared up to 2000 characters', () => {
    const long = 'word '.repeat(400)
    const one = indexSources([user(`${long}alpha`)])
    expect(one.hasMessage(`${long}beta`)).toBe(true)
    expect(one.hasMessage(`other ${long}beta`)).toBe(false)
    expect(one.hasMessage(long.slice(5))).toBe(false)
  })

  it('are one message only if a message has them all', () => {
    expect(index.hasMessage('the designer: moved it')).toBe(true)
    expect(index.hasMessage('The Designer moved')).toBe(false)
    // A summary may be repeated.
    expect(index.hasMessage('An older summary.')).toBe(false)
  })

  it('are counted as terms once each', () => {
    const twice = indexSources([user('zebra zebra'), user('zebra giraffe')])
    expect(twice.termCount).toBe(2)
  })
})

it('a system message is no message that a summary replaces', () => {
  const system: GateSource = { kind: 'system', role: null, text: 'Be brief.' }
  expect(messageSource('system', 'Be brief.')).toEqual(system)
  expect(messageSource('tool', 'ok')).toEqual(tool('ok'))
})
