import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  sampleKnowledge,
  sampleStep,
  sampleTurn,
} from '../derived/remembered-turns.test-support.ts'
import type { Entity } from './entity.ts'
import { ForgetTurns } from './forget-turns.ts'
import { byRules, type HistoryLine, type TurnKnowledge, type TurnRecord } from './turn-memory.ts'

const nothing: TurnKnowledge = { theme: null, history: [], pending: null, entities: [] }

const { result: _, ...step } = sampleStep()

/** Each turn has two messages and is told by the one three turns behind it. */
function talk(turns: number, changes: (turn: number) => Partial<TurnRecord> = () => ({})) {
  return Array.from({ length: turns }, (_, index) => {
    const turn = index + 1
    const told = turn - 3
    return sampleTurn({
      turn,
      key: `key ${turn}`,
      messages: { from: index * 2, to: index * 2 + 2 },
      user: `asked ${turn}`,
      steps: [step],
      compressed: told < 1 ? null : { turn: told, text: `Sentence ${told}.`, by: 'm' },
      knows: nothing,
      ...changes(turn),
    })
  })
}

const line = (from: number, to: number, text = 'x'.repeat(200)): HistoryLine => {
  return { from, to, text, by: 'm' }
}

/** What stands in the place of each record, and which of them have changed. */
function forgotten(records: readonly TurnRecord[], places: readonly number[], keys = 'kept') {
  const forget = new ForgetTurns(places, keys as 'kept' | 'dropped')
  const taken = records.map((record) => forget.take(record))
  return {
    records: records.map((record, index) => taken[index] ?? record),
    changed: records.filter((_, index) => taken[index] !== null).map(({ turn }) => turn),
  }
}

const historyOf = (history: readonly HistoryLine[], places: readonly number[]) => {
  const records = talk(9, (turn) => (turn === 9 ? { knows: { ...nothing, history } } : {}))
  return forgotten(records, places).records.at(-1)?.knows.history
}

describe('a turn whose messages have changed', () => {
  it('loses its words, and keeps its place, its figures and what it decided', () => {
    const { records, changed } = forgotten(talk(3), [3])
    expect(changed).toEqual([2])
    const [, turn] = talk(3)
    expect(records[1]).toEqual({
      ...turn,
      user: '',
      assistant: '',
      digest: null,
      routing: null,
      entitiesMentioned: [],
      steps: [],
      audit: { ...turn?.audit, created: [], updated: [], deleted: [], errors: [] },
      forgotten: true,
    })
  })

  it('holds the first of its messages and not the one behind its last', () => {
    expect(forgotten(talk(3), [2]).changed).toEqual([2])
    expect(forgotten(talk(3), [4]).changed).toEqual([3])
    expect(forgotten(talk(3), [6]).changed).toEqual([])
    expect(forgotten(talk(3), [1, 4]).changed).toEqual([1, 3])
  })

  it('loses its key only where it is purged', () => {
    expect(forgotten(talk(1), [0]).records[0]?.key).toBe('key 1')
    expect(forgotten(talk(2), [0], 'dropped').records.map(({ key }) => key)).toEqual([
      null,
      'key 2',
    ])
  })

  it('is told by no later one in a sentence, and goes on telling others', () => {
    const { records, changed } = forgotten(talk(8), [8])
    expect(changed).toEqual([5, 8])
    expect(records.map(({ compressed }) => compressed?.turn ?? null)).toEqual([
      null,
      null,
      null,
      1,
      2,
      3,
      4,
      null,
    ])
  })

  it('stays where it has no messages', () => {
    const records = talk(2, (turn) => (turn === 1 ? { messages: { from: 2, to: 2 } } : {}))
    expect(forgotten(records, [2]).changed).toEqual([2])
  })
})

describe('what is known behind a forgotten turn', () => {
  const knowing = (knows: Partial<TurnKnowledge>) =>
    forgotten(
      talk(9, (turn) => (turn === 9 ? { knows: { ...nothing, ...knows } } : {})),
      [8],
    ).records.at(-1)?.knows

  it('is no theme that was made for it or later', () => {
    for (const turn of [4, 5, 6]) {
      const theme = { text: 't', by: 'm', turn }
      expect(knowing({ theme })?.theme).toEqual(turn < 5 ? theme : null)
    }
  })

  it('is no decision that it asked for', () => {
    const { pending } = sampleKnowledge()
    for (const turn of [4, 5, 6]) {
      const asked = pending && { ...pending, turn }
      expect(knowing({ pending: asked })?.pending).toEqual(turn === 5 ? null : asked)
    }
  })

  it('is no entity that it may have brought or changed', () => {
    const [entity] = sampleKnowledge().entities as readonly [Entity]
    const entities = [
      { ...entity, id: 'before', turnCreated: 3, turnUpdated: 4 },
      { ...entity, id: 'created', turnCreated: 5, turnUpdated: 6 },
      { ...entity, id: 'updated', turnCreated: 4, turnUpdated: 5 },
      { ...entity, id: 'around', turnCreated: 4, turnUpdated: 6 },
      { ...entity, id: 'behind', turnCreated: 6, turnUpdated: 7 },
      { ...entity, id: 'named', turnCreated: 3, turnUpdated: 4, turnLastRef: 5 },
    ]
    expect(knowing({ entities })?.entities.map(({ id }) => id)).toEqual([
      'before',
      'behind',
      'named',
    ])
  })

  it('is what it was before it', () => {
    const theme = { text: 't', by: 'm', turn: 9 }
    const records = talk(6, () => ({ knows: { ...nothing, theme } }))
    expect(forgotten(records, [8]).changed).toEqual([5, 6])
  })
})

describe('a line of the history', () => {
  it('says of a forgotten turn that it was changed, and where its messages stand', () => {
    expect(historyOf([line(1, 2), line(2, 3), line(3, 4)], [2])).toEqual([
      line(1, 2),
      { from: 2, to: 3, text: 'Turn 2 was changed (#2-#3).', by: byRules },
      line(3, 4),
    ])
  })

  it('of several turns is told by rules from the sentences of the others', () => {
    expect(historyOf([line(1, 5), line(5, 7)], [4])).toEqual([
      {
        from: 1,
        to: 5,
        text: 'Sentence 1. Sentence 2. Sentence 4. Turn 3 was changed (#4-#5).',
        by: byRules,
      },
      line(5, 7),
    ])
  })

  it('of turns that are all forgotten has no words', () => {
    const [told] = historyOf([line(2, 5)], [2, 3, 4, 5, 6, 7]) ?? []
    expect(told?.text).toBe('Turns 2 to 4 were changed (#2-#7).')
  })

  it('of some that are forgotten says how many', () => {
    const [told] = historyOf([line(1, 5)], [0, 4]) ?? []
    expect(told?.text).toBe('Sentence 2. Sentence 4. 2 of these turns were changed (within #0-#5).')
  })

  it('is told from lines of single turns where nothing else told them', () => {
    const records = talk(9, (turn) => ({
      compressed: null,
      knows: {
        ...nothing,
        history:
          turn === 9
            ? [line(1, 4)]
            : [1, 2, 3]
                .slice(0, Math.max(0, turn - 3))
                .map((of) => line(of, of + 1, `Line ${of}.`)),
      },
    }))
    expect(forgotten(records, [2]).records.at(-1)?.knows.history[0]?.text).toBe(
      'Line 1. Line 3. Turn 2 was changed (#2-#3).',
    )
  })

  it('keeps the newest sentences within what it had, and one in any case', () => {
    const told = (characters: number) => historyOf([line(1, 6, 'x'.repeat(characters))], [0])?.[0]
    const note = 'Turn 1 was changed (#0-#1).'
    const two = `Sentence 4. Sentence 5. ${note}`
    expect(told(two.length)?.text).toBe(two)
    expect(told(two.length - 1)?.text).toBe(`Sentence 5. ${note}`)
    expect(told(1)?.text).toBe(`Sentence 5. ${note}`)
  })

  it('tiles the turns as before, has no word of what is forgotten, and does not grow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 45 }), { minLength: 1, maxLength: 12 }),
        (lengths, places) => {
          const history: HistoryLine[] = []
          let from = 1
          for (const length of lengths) {
            const told = Array.from({ length }, (_, index) => `Sentence ${from + index}.`)
            history.push(line(from, from + length, told.join(' ')))
            from += length
          }
          const records = talk(from + 6, (turn) =>
            turn === from + 6 ? { knows: { ...nothing, history } } : {},
          )
          const sorted = places.toSorted((left, right) => left - right)
          const once = forgotten(records, sorted).records
          const after = once.at(-1)?.knows.history ?? []
          expect(after.map((each) => [each.from, each.to])).toEqual(
            history.map((each) => [each.from, each.to]),
          )
          const text = after.map((each) => each.text).join(' ')
          const words = text.split('. ').join('.|').split('|')
          for (const { turn, forgotten: isForgotten } of once)
            if (isForgotten) expect(words).not.toContain(`Sentence ${turn}.`)
          expect(forgotten(once, sorted).records).toEqual(once)
        },
      ),
    )
  })
})

describe('a long conversation', () => {
  it('is forgotten in a time that grows with it and not faster', () => {
    const time = (turns: number) => {
      const records = talk(turns, (turn) => ({
        knows: {
          ...nothing,
          history: turn < 8 ? [] : [line(1, turn - 4), line(turn - 4, turn - 3)],
        },
      }))
      const started = performance.now()
      expect(forgotten(records, [0]).changed.length).toBeGreaterThan(turns - 10)
      return performance.now() - started
    }
    time(500)
    expect(time(8_000)).toBeLessThan(Math.max(400, time(1_000) * 40))
  })
})
