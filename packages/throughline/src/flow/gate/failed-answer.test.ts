import { describe, expect, it } from 'vitest'
import { passageHashes } from './draft-text.ts'
import { isEcho, isProviderError, isRefusal } from './failed-answer.ts'
import { user } from './gate.test-support.ts'
import { type GateSource, indexSources } from './source-index.ts'

describe('a failed answer', () => {
  it('says within 1200 characters and 4 sentences that no summary is possible', () => {
    const refused = (length: number) =>
      isRefusal('The talk is long. There is nothing to summarize in it'.padEnd(length, ' or so'))
    expect([refused(1_200), refused(1_201)]).toEqual([true, false])
    const after = (sentences: number) =>
      isRefusal(`${'It is long. '.repeat(sentences)}There is nothing to summarize.`)
    expect([after(3), after(4)]).toEqual([true, false])
  })

  it('opens like an error, and has at most 1500 characters and 12 lines', () => {
    const failed = (length: number) => isProviderError('Error: 503 '.padEnd(length, 'at once '))
    expect([failed(1_500), failed(1_501)]).toEqual([true, false])
    const lines = (count: number) => isProviderError(`Error: 503 at${'\nhome'.repeat(count - 1)}`)
    expect([lines(12), lines(13), lines(30)]).toEqual([true, false, false])
  })
})

describe('a copy of messages', () => {
  const index = indexSources([
    ...['Done', 'Look at the clock.', 'One two.\n\nThree four.', '!!!'].map(user),
    { kind: 'summary', role: null, text: 'The clock was wrong.' },
  ])
  it.each([
    ['done.', true],
    ['LOOK at, the clock', true],
    ['One two. Three four.', true],
    ['One two.\n\nThree four.', true],
    ['Done.\n\nLook at the clock.', true],
    ['Done.\n\n\n\nDone.', true],
    ['Done.\n\nLook at the sun.', false],
    ['The sun.\n\nDone.', false],
    ['Three four.', false],
    ['The clock was wrong.', false],
    ['!!!', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isEcho(text, '', index)).toBe(expected)
  })
})

describe('a copy of the prompt', () => {
  const index = indexSources([])

  it('has at least four of its words in a row', () => {
    const prompt = 'Keep every name, number and path as it is written.'
    expect(isEcho('every name number and', prompt, index)).toBe(true)
    expect(isEcho('every name number', prompt, index)).toBe(false)
    expect(isEcho('very name number and', prompt, index)).toBe(false)
    expect(isEcho('every name number an', prompt, index)).toBe(false)
  })
})

describe('a text that is mostly copied', () => {
  const words = Array.from({ length: 4_000 }, (_, at) => `word${at}`)
  const sampled = (from: number, to: number) => [...passageHashes(words.slice(from, to))].length
  const textOf = (from: number, to: number) => words.slice(from, to).join(' ')

  /** The first range of words with this many sampled passages, some of them in its first words. */
  function range(wanted: {
    readonly sampled: number
    readonly copied: number
    /** Whether the first words have this share of all passages. */
    readonly share: (share: number) => boolean
  }) {
    for (let from = 0; from < 3_000; from += 1)
      for (let to = from + 8; sampled(from, to) <= wanted.sampled; to += 1) {
        if (sampled(from, to) < wanted.sampled) continue
        for (let end = from + 8; end < to; end += 1)
          if (
            sampled(from, end) === wanted.copied &&
            wanted.share((end - from - 7) / (to - from - 7))
          )
            return { all: textOf(from, to), start: textOf(from, end), rest: textOf(end, to) }
      }
    throw new Error('there is no such range')
  }

  const anyShare = () => true
  const messages = (...texts: readonly string[]) => indexSources(texts.map(user))
  /** No text is a whole message, nor a part of the prompt. */
  const more = (text: string) => `${text} and something else`

  it('has half of its passages from the prompt', () => {
    const half = range({ sampled: 4, copied: 2, share: anyShare })
    expect(isEcho(half.all, more(half.start), messages())).toBe(true)
    const less = range({ sampled: 5, copied: 2, share: anyShare })
    expect(isEcho(less.all, more(less.start), messages())).toBe(false)
    expect(isEcho(half.all, '', messages(more(half.start)))).toBe(false)
  })

  it('has three sampled passages', () => {
    const copied = (count: number) => {
      const { all } = range({ sampled: count, copied: 1, share: anyShare })
      return isEcho(all, '', messages(more(all)))
    }
    expect([copied(2), copied(3)]).toEqual([false, true])
  })

  it('has 60 % of its passages, also exactly, from messages', () => {
    const enough = range({ sampled: 5, copied: 3, share: (share) => share === 0.6 })
    expect(isEcho(enough.all, '', messages(more(enough.start)))).toBe(true)
    const fewer = range({ sampled: 5, copied: 3, share: (share) => share < 0.6 && share > 0.5 })
    expect(isEcho(fewer.all, '', messages(more(fewer.start)))).toBe(false)
    const fewerSampled = range({ sampled: 5, copied: 2, share: (share) => share > 0.6 })
    expect(isEcho(fewerSampled.all, '', messages(more(fewerSampled.start)))).toBe(false)
  })

  it('may be copied from messages and prompt together', () => {
    const { all, start, rest } = range({ sampled: 6, copied: 4, share: (share) => share > 0.6 })
    expect(isEcho(all, '', messages(more(start)))).toBe(true)
    expect(isEcho(all, more(rest), messages(more(start)))).toBe(true)
    expect(isEcho(all, '', messages(more(rest)))).toBe(false)
    const both = range({ sampled: 9, copied: 4, share: (share) => share < 0.5 })
    expect(isEcho(both.all, more(both.start), messages())).toBe(false)
    expect(isEcho(both.all, '', messages(more(both.rest)))).toBe(false)
    expect(isEcho(both.all, more(both.start), messages(more(both.rest)))).toBe(true)
  })

  it('is measured by its sampled passages alone from 20 of them on', () => {
    const isCopy = (count: number, copied: number) => {
      const wanted = { sampled: count, copied, share: (share: number) => share < 0.58 }
      const { all, start } = range(wanted)
      return isEcho(all, '', messages(more(start)))
    }
    expect([isCopy(19, 12), isCopy(20, 12)]).toEqual([false, true])
  })

  it('is no copy of an earlier summary', () => {
    const { all } = range({ sampled: 6, copied: 4, share: anyShare })
    const summary: GateSource = { kind: 'summary', role: null, text: more(all) }
    expect(isEcho(all, '', indexSources([summary]))).toBe(false)
  })
})
