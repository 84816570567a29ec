import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { arrayLog } from '../read/array-log.ts'
import type { Meaning } from '../read/readers.ts'
import { scanningRecaller } from './message-pieces.ts'
import { type RecallQuery, recall } from './recall.ts'
import { rangesOf, rangeText } from './recalled-text.ts'

/** Words, up to three digits, and each sign: what is around a text costs something. */
const count = (text: string) => text.match(/[a-z]+|\d{1,3}|\s+|./gi)?.length ?? 0
const hourMs = 3_600_000
const filler = (index: number) =>
  `Entry ${index} of the daily list: the gate was opened, the lamps were lit, the yard was swept.`

function begin(messages: Iterable<MessageInput>, meaning: Meaning | null = null) {
  const log = [...messages].map((message, index) => ({ createdAt: index * 1_000, ...message }))
  const reader = arrayLog(log, [], { sha256, messageBytesMax: 1e6 })
  const recaller = scanningRecaller(reader, meaning)
  return async (question: string, changes: Partial<RecallQuery> = {}) => {
    const sought = { question, before: log.length, isHidden: () => true, isAutomatic: false, count }
    const asked = { at: log.length * 1_000, earlier: '' }
    const { tokens = 400 } = changes
    const limits = { tokens, roomTokens: tokens }
    const { pieces, unsearched } = await recall(recaller, reader, {
      ...sought,
      ...asked,
      ...limits,
      ...changes,
    })
    const ranges = rangesOf(pieces)
    return {
      pieces,
      unsearched,
      places: [...new Set(pieces.map(({ message }) => message.seq))],
      text: ranges.map(rangeText).join('\n\n'),
    }
  }
}

/** A long list with something else here and there. */
function listWith(others: Readonly<Record<number, string>>, length = 200): readonly MessageInput[] {
  return Array.from({ length }, (_, index) => ({
    role: 'user',
    content: others[index] ?? filler(index),
  }))
}

describe('what a log holds on a question', () => {
  it('finds the message verbatim, with the text around it', async () => {
    const ask = begin(
      listWith({ 70: 'Where does the spare key hang?', 71: 'Behind the blue cupboard.' }),
    )
    const { text } = await ask('the spare key')
    expect(text).toContain('user: Where does the spare key hang?\nuser: Behind the blue cupboard.')
  })

  it.each(['漢', 'ж', 'ก', 'a', '\u0301', '漢 '])(
    'is found for a question of millions of characters, %s',
    async (letter) => {
      const ask = begin(listWith({ 70: `The spare key ${letter.repeat(20)} hangs here.` }))
      const { places } = await ask(`spare key ${letter.repeat(8_000_000)} hangs`)
      expect(places).toContain(70)
    },
  )

  it('says what of a very long log was not searched', async () => {
    const ask = begin(listWith({ 0: 'A spare key.' }, 4_010))
    expect((await ask('spare key')).unsearched).toEqual({ from: 0, to: 10 })
    expect((await ask('spare key', { before: 4 })).unsearched).toEqual({ from: 0, to: 4 })
  })

  it('finds nothing without a match, a question or room', async () => {
    const ask = begin(listWith({}))
    for (const question of ['zeppelin', '', '😀', '"', '\u0000'])
      expect((await ask(question)).places).toEqual([])
    expect((await ask('lamps', { tokens: 59 })).places).toEqual([])
    expect((await ask('lamps', { before: 0 })).places).toEqual([])
    expect((await ask('lamps')).places).not.toEqual([])
  })

  it('automatically finds nothing for common words', async () => {
    const ask = begin(listWith({ 9: 'The zeppelin lands at nine.' }))
    expect((await ask('the yard', { isAutomatic: true })).places).toEqual([])
    expect((await ask('the zeppelin', { isAutomatic: true })).places).toContain(9)
  })

  it('is nothing unasked for a word of courtesy, however rare it is', async () => {
    const ask = begin(listWith({ 9: 'Thanks, go on.' }))
    for (const words of ['thanks', 'Go on.', 'OK, thanks'])
      expect((await ask(words, { isAutomatic: true })).places).toEqual([])
    expect((await ask('thanks')).places).toContain(9)
  })

  it('is found by a part of a name', async () => {
    const ask = begin(listWith({ 33: 'It is written in src/harbour-plan.ts at the end.' }))
    expect((await ask('bour-plan.ts')).places).toContain(33)
  })

  it('is only what is before a place and not seen', async () => {
    const ask = begin(listWith({ 20: 'The anchor is rusty.', 150: 'The anchor is new.' }))
    const before = await ask('anchor', { before: 100 })
    expect(Math.max(...before.places)).toBeLessThan(100)
    expect(before.places).toContain(20)
    const hidden = await ask('anchor', { isHidden: (seq) => seq > 30 })
    expect(Math.min(...hidden.places)).toBeGreaterThan(30)
    expect(hidden.places).toContain(150)
  })

  it('shows a file that was read again once, from the last read', async () => {
    const file = Array.from({ length: 20 }, (_, line) => `the pump number ${line} has valve${line}`)
    const again = (line: string) => [...file, line].join('\n')
    const ask = begin(listWith({ 20: again('old'), 90: again('mid'), 160: again('new') }))
    const { text, places } = await ask('which valve has the pump', { tokens: 4_000 })
    expect(places.filter((seq) => [20, 90, 160].includes(seq))).toEqual([160])
    expect(text.match(/valve7\b/g)).toHaveLength(1)
  })

  it('shows short texts as often as they occur', async () => {
    const ask = begin(listWith({ 20: 'Anchor up.', 120: 'Anchor up.' }))
    expect((await ask('anchor', { tokens: 2_000 })).places).toEqual(
      expect.arrayContaining([20, 120]),
    )
  })

  it('does not reach over a long pause', async () => {
    const talk = (pauseMs: number) =>
      begin(
        Array.from({ length: 60 }, (_, index) => ({
          role: 'user' as const,
          content: index === 30 ? 'The anchor is rusty.' : filler(index),
          createdAt: index * 1_000 + (index > 30 ? pauseMs : 0),
        })),
      )
    const near = await talk(0)('anchor', { tokens: 120 })
    const apart = await talk(2 * hourMs)('anchor', { tokens: 120 })
    expect(near.places).toContain(31)
    expect(apart.places).toContain(30)
    expect(apart.places.filter((seq) => seq > 30)).toEqual([])
  })

  it('cuts a giant to the piece that is meant', async () => {
    const giant = Array.from({ length: 900 }, (_, line) =>
      line === 500 ? 'the zeppelin lands at nine' : `line ${line} of the yard book`,
    ).join('\n')
    const ask = begin(listWith({ 50: giant }))
    const { text, places } = await ask('zeppelin', { tokens: 700 })
    expect(places).toContain(50)
    expect(text).toContain('the zeppelin lands at nine')
    expect(count(text)).toBeLessThanOrEqual(700)
  })

  it('cuts a message to the part that is meant, if only a part fits', async () => {
    const words = (start: number) =>
      Array.from({ length: 25 }, (_, index) => `word${start + index}`).join(' ')
    const message = `${words(0)}. The zeppelin lands at nine. ${words(100)}.`
    const ask = begin([{ role: 'user', content: message }])
    const { text } = await ask('zeppelin', { tokens: 70 })
    expect(text).toContain('The zeppelin lands at nine.')
    expect(text).not.toContain('word0 ')
    expect(count(text)).toBeLessThanOrEqual(70)
  })

  it('names no tool and no role twice, and keeps the order of the log', async () => {
    const script = build()
      .user('Look at the pump.')
      .calls('read', { path: 'pump.ts' })
      .result('export const pump = 7')
      .says('The pump is number 7.')
    const { places } = await begin(script)('pump')
    expect(places).toEqual([0, 1, 2, 3])
  })
})

describe('a follow-up', () => {
  const others = { 20: 'The anchor is rusty.', 21: 'The rope is new.', 90: 'The mast is oak.' }

  it('is searched by the words of the turn before', async () => {
    const ask = begin(listWith(others))
    const asked = { isAutomatic: true, earlier: 'How is the anchor?' }
    for (const question of ['And the other one?', 'what about those?', 'And the others?'])
      expect((await ask(question, asked)).places).toContain(20)
    expect((await ask('And the other one?', { isAutomatic: true })).places).toEqual([])
  })

  it('has its own word first', async () => {
    const ask = begin(listWith(others))
    const asked = { isAutomatic: true, earlier: 'How is the anchor?', tokens: 60 }
    expect((await ask('And the mast?', asked)).places).toContain(90)
  })

  it('is neither a question of its own nor small talk', async () => {
    const ask = begin(listWith(others))
    const asked = { isAutomatic: true, earlier: 'How is the anchor?' }
    expect((await ask('Is the mast made of oak?', asked)).places).not.toContain(20)
    for (const talk of ['OK?', 'Thanks, go on.', 'And now?', 'And then?!', ''])
      expect((await ask(talk, asked)).places).toEqual([])
  })
})

describe('a question with a date', () => {
  const day = 86_400_000
  const now = Date.UTC(2026, 2, 6, 9)
  const daily = Array.from({ length: 120 }, (_, index) => ({
    role: 'user' as const,
    content: filler(index),
    createdAt: now - (120 - index) * day,
  }))
  const ofDay = (date: number) => daily.findIndex(({ createdAt }) => createdAt === date)

  it.each([
    ['yesterday', Date.UTC(2026, 2, 5, 9)],
    ['three days ago', Date.UTC(2026, 2, 3, 9)],
    ['2 weeks ago', Date.UTC(2026, 1, 20, 9)],
    ['last Monday', Date.UTC(2026, 2, 2, 9)],
    ['on February 11th', Date.UTC(2026, 1, 11, 9)],
    ['on 24 December 2025', Date.UTC(2025, 11, 24, 9)],
    ['on the 24th of Dec', Date.UTC(2025, 11, 24, 9)],
    ['on 2026-01-02', Date.UTC(2026, 0, 2, 9)],
  ])('finds the messages of that day: %s', async (date, at) => {
    const { pieces } = await begin(daily)(`what was swept ${date}?`, { at: now, tokens: 120 })
    const best = pieces.toSorted((left, right) => right.worth - left.worth)[0]
    expect(best?.message.seq).toBe(ofDay(at))
    expect(best?.words).toContain(new Date(at).toISOString().slice(0, 10))
  })

  it('may name a date that does not exist', async () => {
    const ask = begin(daily)
    for (const question of ['swept 999 weeks ago', 'swept on May 99', 'swept on 0 May 0000'])
      expect((await ask(question, { at: Number.NaN })).places).not.toEqual([])
  })
})

describe('a hit', () => {
  it('says which words found it, as the question has them', async () => {
    const ask = begin(listWith({ 70: 'Ada moved the Anchors to src/harbour-plan.ts.' }))
    const { pieces } = await ask('Who is moving anchors of rbour?')
    const hit = pieces.find(({ message }) => message.seq === 70)
    expect(hit).toMatchObject({ words: ['moving', 'anchors'], names: ['rbour'], neighbours: [] })
  })

  it('is explained by its neighbours if it has none of the words', async () => {
    const ask = begin(listWith({ 70: 'The anchor is rusty.' }))
    const { pieces } = await ask('anchor', { isAutomatic: true, tokens: 400 })
    const near = pieces.find(({ message }) => message.seq === 71)
    expect(near).toMatchObject({ words: [], names: [], neighbours: ['#70'], meaning: null })
  })
})

describe('the room for what is recalled', () => {
  const word = fc.constantFrom('anchor', 'rope', 'harbour', 'yard', 'lamp', 'gate', 'the', 'of')
  const text = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => `${words.join(' ')}.`)
  const giant = text.map((words) => `${words}\n`.repeat(60))
  const message = fc.record({
    content: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: giant }),
    author: fc.constantFrom('review desk', 'harbour master of the northern yard', undefined),
    pause: fc.constantFrom(0, 1_000, 2 * hourMs),
  })

  it('is never exceeded by the recalled text, and nothing is shown twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 60, max: 1_500 }),
        fc.integer({ min: 1, max: 5 }),
        async (given, tokens, hiddenStep) => {
          let at = 0
          const ask = begin(
            given.map(({ content, author, pause }) => {
              at += pause
              return { role: 'user' as const, content, author, createdAt: at }
            }),
          )
          // Gaps between hidden messages make more ranges.
          const isHidden = (seq: number) => hiddenStep === 1 || seq % hiddenStep !== 0
          const { pieces, text: recalled } = await ask('anchor rope', { tokens, isHidden })
          expect(count(recalled)).toBeLessThanOrEqual(tokens)
          const keys = pieces.map(({ message: { seq }, from }) => seq * 1e7 + from)
          expect(keys).toEqual([...new Set(keys)].sort((left, right) => left - right))
        },
      ),
      { numRuns: 150 },
    )
  })
})
