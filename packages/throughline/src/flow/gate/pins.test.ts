import { describe, expect, it } from 'vitest'
import { contradictsPins } from './gate.ts'

const pin = 'Never change tables, columns, indexes, views.'
const contradicts = (text: string, ...pins: readonly string[]) => contradictsPins(text, pins)

describe('a sentence against a pin', () => {
  it('has 75 % of its words, without its negation', () => {
    // The words are change, tables, columns, indexes and views.
    expect(contradicts('You may change tables, columns, indexes.', pin)).toBe(true)
    expect(contradicts('You may change tables, columns.', pin)).toBe(false)
    const four = 'Never change tables, columns, views.'
    expect(contradicts('You may change tables, columns.', four)).toBe(true)
    expect(contradicts('Never change tables, columns, indexes.', pin)).toBe(false)
  })

  it('adds a negation, or has another number', () => {
    const limit = 'Send 5 messages each second.'
    expect(contradicts('Do not send messages each second.', limit)).toBe(true)
    expect(contradicts('Send 50 messages each second.', limit)).toBe(true)
    expect(contradicts('Send 5 messages each second to 3 people.', limit)).toBe(false)
    expect(contradicts('Send messages each second.', limit)).toBe(false)
  })

  it('is not much longer than the pin', () => {
    const rest = (count: number) =>
      Array.from({ length: count }, (_, at) => `word${String.fromCharCode(97 + at)}`).join(' ')
    const start = 'Change tables columns indexes views'
    expect(contradicts(`${start} ${rest(7)}.`, pin)).toBe(true)
    expect(contradicts(`${start} ${rest(8)}.`, pin)).toBe(false)
  })

  it('is compared with pins of at least 3 words', () => {
    expect(contradicts('Change tables.', 'Never change tables.')).toBe(false)
    expect(contradicts('Change tables, columns.', 'Never change tables, columns.')).toBe(true)
    expect(contradicts('Change tables, columns.')).toBe(false)
    // Words of three letters and more.
    expect(contradicts('You may add cat, dog.', 'Never add cat, dog.')).toBe(true)
    expect(contradicts('Go up to it or in.', 'Never go up to it or in.')).toBe(false)
  })

  it('may be anywhere in a text, and the pin one of several', () => {
    const text = 'All is well. You may change tables, columns, indexes, views. Bye.'
    expect(contradicts(text, 'Always greet people first.', pin)).toBe(true)
  })
})
