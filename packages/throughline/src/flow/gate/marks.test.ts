import { describe, expect, it } from 'vitest'
import { assistant, user } from './gate.test-support.ts'
import { marksOf } from './marks.ts'
import { type GateSource, indexSources } from './source-index.ts'
import type { Topic } from './topic.ts'

const topic: Topic = {
  ...{ evidence: 9, isOtherLanguage: false, exactEvidence: 0, termCount: 9, sharedTermCount: 9 },
}

/** `kind text` of each mark. */
function marked(text: string, sources: readonly GateSource[] = [], about: Partial<Topic> = {}) {
  const marks = marksOf(text, indexSources(sources), { ...topic, ...about })
  return marks.map(({ kind, text: words }) => `${kind} ${words}`.trim())
}

describe('a mark of the whole draft', () => {
  it('warns of little evidence, or of another language', () => {
    expect(marked('fine', [], { evidence: 2 })).toEqual([])
    expect(marked('fine', [], { evidence: 1.9 })).toEqual(['little-in-common'])
    expect(marked('fine', [], { evidence: 1.9, isOtherLanguage: true })).toEqual(['other-language'])
  })
})

describe('marks of names', () => {
  it.each([
    ['see quiet-hours.ts', 'quiet-hours.ts'],
    ['it calls `getHours()` now', 'getHours()'],
    ['on api.example.org today', 'api.example.org'],
    ['they met Anna Berg there', 'Anna Berg'],
    ['it was REM-4821 then', 'REM-4821'],
  ])('in %j find %s, unless the sources have all its words', (text, name) => {
    expect(marked(text)).toEqual([`unknown-name ${name}`])
    expect(marked(text, [user(text)])).toEqual([])
    expect(marked(text, [user(text.toLowerCase())])).toEqual([])
  })

  it('need every word of a name', () => {
    expect(marked('they met Anna Berg there', [user('Anna is here')])).toEqual([
      'unknown-name Anna Berg',
    ])
    expect(marked('they met Anna Berg there', [user('a berg, and anna')])).toEqual([])
  })

  it('are none of other values', () => {
    expect(marked('it took 44210 ms on 2031-05-06')).toEqual([])
  })

  it('list a name once, and 40 marks at most', () => {
    expect(marked('they met Berg and Berg')).toEqual(['unknown-name Berg'])
    const names = Array.from({ length: 50 }, (_, at) => `file-${at}.ts`)
    expect(marked(`see ${names.slice(0, 40).join(' ')}`)).toHaveLength(40)
    expect(marked(`see ${names.join(' ')}`)).toHaveLength(40)
  })

  it.each([
    ['# About Berg', false],
    ['## about Berg today', false],
    ['fine.\n# About Berg\nfine', false],
    ['**about Berg**', false],
    ['**about Berg**:', false],
    ['about Berg and others:', false],
    ['about Berg and others: fine', true],
    ['about Berg', true],
    ['fine:\nabout Berg', true],
    ['about Berg\nfine:', true],
    // The first word of a line after its number or a deep indentation.
    ['fine\n12 Berg is there', false],
    ['fine\n            Berg is there', false],
    ['fine\n12 Berg Town: fine', false],
    ['fine\n12 Berg Town*: fine', false],
    ['fine\n12 Berg Town**: fine', false],
    ['fine\n12 Berg Town is there', true],
    ['fine\n12 Berg Town is: there', true],
    ['fine\nin Berg: fine', true],
  ])('pass over headings and labels: %j is marked: %s', (text, isMarked) => {
    expect(marked(text).length).toBe(Number(isMarked))
  })

  it('see a heading only near the name', () => {
    const heading = (length: number) => `fine.\n# ${'so '.repeat(50).slice(0, length)}`
    expect(marked(`${heading(117)} Berg`)).toEqual([])
    expect(marked(`${heading(118)} Berg`)).toEqual(['unknown-name Berg'])
    expect(marked(`${heading(150)} Berg`)).toEqual(['unknown-name Berg'])
  })
})

describe('marks of quotes', () => {
  const quoting = 'they said "never ask me again" to us'

  it('find a quote that no source has', () => {
    expect(marked(quoting)).toEqual(['unknown-quote never ask me again'])
    expect(marked(quoting, [user('fine'), user('So never ask me again!')])).toEqual([])
    expect(marked(quoting, [user('Never, ask me again')])).toHaveLength(1)
  })

  it('need three words', () => {
    expect(marked('they said "one two" to us')).toEqual([])
    expect(marked('they said "one two three" to us')).toEqual(['unknown-quote one two three'])
  })

  it('look at 20 quotes', () => {
    const quotes = (count: number) =>
      Array.from({ length: count }, (_, at) => `"one two three${at}"`).join(' and ')
    expect(marked(`they said ${quotes(20)}`)).toHaveLength(20)
    expect(marked(`they said ${quotes(21)}`)).toHaveLength(20)
    // Known and short ones: only quotes with three words are counted.
    expect(marked(`they said ${'"one two" and '.repeat(30)}"one two three"`)).toHaveLength(1)
    const known = [user('one two three')]
    const repeated = (count: number) => `they said ${'"one two three" and '.repeat(count)}"a b c"`
    expect([marked(repeated(19), known), marked(repeated(20), known)]).toEqual([
      ['unknown-quote a b c'],
      [],
    ])
  })
})

describe('marks of proposals', () => {
  const proposal = 'I suggest to rename tables, columns, indexes and views.'
  const done = 'Tables, columns and indexes were renamed.'

  it('need 60 % of the words of a proposal of the assistant', () => {
    expect(marked(done, [assistant(proposal)])).toEqual([`proposal-as-done ${done}`])
    // Three of five words.
    const three = 'Tables, columns and indexes were changed.'
    expect(marked(three, [assistant(proposal)])).toEqual([`proposal-as-done ${three}`])
    expect(marked('Tables and columns were changed.', [assistant(proposal)])).toEqual([])
    expect(marked(done, [user(proposal)])).toEqual([])
    expect(marked(done, [assistant('Tables, columns and indexes are large.')])).toEqual([])
  })

  it('need an action that is not left open', () => {
    expect(marked('Tables, columns and indexes are large.', [assistant(proposal)])).toEqual([])
    expect(marked(`Not yet: ${done}`, [assistant(proposal)])).toEqual([])
  })

  it('ignore proposals of fewer than three words, and words of three letters', () => {
    const marksFor = (short: string) =>
      marked('Tables, columns were renamed, sum max.', [assistant(short)]).length
    expect(marksFor('I suggest to rename tables.')).toBe(0)
    expect(marksFor('I suggest to rename tables, sum, max.')).toBe(0)
    expect(marksFor('I suggest to rename tables, columns.')).toBe(1)
  })

  it('compare the first five letters of words', () => {
    const suggested = [assistant('I suggest to migrate schedules, calendars.')]
    expect(marked('Migration of schedule and calendar was done.', suggested)).toHaveLength(1)
    expect(marked('Migrants of scheme and calm was done.', suggested)).toHaveLength(0)
    const renaming = [assistant('I suggest to rename tables, columns, indexes.')]
    expect(marked('Tablets, column, indexing were renamed.', renaming)).toHaveLength(1)
    expect(marked('Cables and volumes were renamed.', renaming)).toHaveLength(0)
    const sorting = [assistant('I suggest to sort rows, keys.')]
    expect(marked('Rows and keys were sorted.', sorting)).toHaveLength(1)
  })

  it('look at the last 30 messages of the assistant', () => {
    const later = (count: number) => Array.from({ length: count }, () => assistant('fine'))
    const users = Array.from({ length: 40 }, () => user('fine'))
    expect(marked(done, [assistant(proposal), ...users, ...later(29)])).toHaveLength(1)
    expect(marked(done, [assistant(proposal), ...later(30)])).toHaveLength(0)
  })

  it('have at most 200 characters of a sentence', () => {
    const rest = Array.from({ length: 60 }, (_, at) => `so${at}`).join(' ')
    const long = `${done.slice(0, -1)} ${rest}.`
    expect(marked(long, [assistant(proposal)])).toEqual([`proposal-as-done ${long.slice(0, 200)}`])
  })
})
