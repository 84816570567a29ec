import { describe, expect, it } from 'vitest'
import { study, survivalOf } from '../../../../../bench/survival/study.ts'
import { type ScoredMessage, survivalAlong } from './survival-along.ts'

const message = (place: number): ScoredMessage => ({
  isAssistant: place % 2 === 1,
  text: `name_${place} name_${place - 1} name_${(place * 7) % (place + 1)} name_${(place * place) % 97}`,
})
const messages = Array.from({ length: 200 }, (_, place) => message(place))

describe('survival along a conversation', () => {
  it('is what the measure says for a cut at the same place', () => {
    const along = survivalAlong(messages, '')
    for (const place of [30, 31, 90, 120]) {
      const seen = study(messages.slice(0, place), messages.slice(place, place + 60), '')
      const replacement = messages
        .slice(Math.floor(place * 0.7), place)
        .map(({ text }) => text)
        .join('\n')
      const survived = along(place, replacement)
      expect(survived?.needed).toBe(seen.needed.size)
      expect((survived?.shown ?? 0) / (survived?.needed ?? 1)).toBe(survivalOf(seen, replacement))
      // The replacement is a tail itself.
      expect(survived?.inTail).toBe(survived?.shown)
    }
  })

  it('says nothing where next to nothing is needed', () => {
    expect(survivalAlong(messages, '')(199, '')).toBeNull()
  })
})
