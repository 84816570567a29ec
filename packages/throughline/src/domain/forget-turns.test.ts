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

/** Each turn has two messages, and the turn three later has a sentence about it. */
function talk(turns: number, changes: (turn: number) => Partial<TurnRecord> = () => ({})) {
  return Array.from({ length: turns }, (_, index) => {
    const turn = index + 1
    const described = turn - 3
    return sampleTurn({
      turn,
      key: `key ${turn}`,
      messages: { from: index * 2, to: index * 2 + 2 },
      user: `asked ${turn}`,
      steps: [step],
      compressed:
        described < 1 ? null : { turn: described, text: `Sentence ${described}.`, by: 'm' },
      knows: nothing,
      ...changes(turn),
    })
  })
}

const line = (from: number, to: number, text = 'x'.repeat(200)): HistoryLine => {
  return { from, to, text, by: 'm' }
}

/** The records after forgetting, and which of them have changed. */
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
  it('loses its text, and keeps its place, its figures and its decision', () => {
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

  it('includes its first message, and not the one after its last', () => {
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

  it('loses the sentence of a later turn about it, and keeps its own sentence about another', () => {
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

describe('the knowledge after a forgotten turn', () => {
  const knowing = (knows: Partial<TurnKnowledge>) =>
    forgotten(
      talk(9, (turn) => (turn === 9 ? { knows: { ...nothing, ...knows } } : {})),
      [8],
    ).records.at(-1)?.knows

  it('has no theme of that turn or a later one', () => {
    for (const turn of [4, 5, 6]) {
      const theme = { text: 't', by: 'm', turn }
      expect(knowing({ theme })?.theme).toEqual(turn < 5 ? theme : null)
    }
  })

  it('has no pending decision of that turn', () => {
    const { pending } = sampleKnowledge()
    for (const turn of [4, 5, 6]) {
      const asked = pending && { ...pending, turn }
      expect(knowing({ pending: asked })?.pending).toEqual(turn === 5 ? null : asked)
    }
  })

  it('has no entity that the turn may have created or changed', () => {
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

  it('keeps what was known before that turn', () => {
    const theme = { text: 't', by: 'm', turn: 9 }
    const records = talk(6, () => ({ knows: { ...nothing, theme } }))
    expect(forgotten(records, [8]).changed).toEqual([5, 6])
  })
})

describe('a line of the history', () => {
  it('reports that a forgotten turn was changed, and where its messages are', () => {
    expect(historyOf([line(1, 2), line(2, 3), line(3, 4)], [2])).toEqual([
      line(1, 2),
      { from: 2, to: 3, text: 'Turn 2 was changed (#2-#3).', by: byRules },
      line(3, 4),
    ])
  })

  it('about several turns is rewritten by rules from the sentences of the other turns', () => {
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

  it('about forgotten turns only has no sentences', () => {
    const [rewritten] = historyOf([line(2, 5)], [2, 3, 4, 5, 6, 7]) ?? []
    expect(rewritten?.text).toBe('Turns 2 to 4 were changed (#2-#7).')
  })

  it('about some forgotten turns states their number', () => {
    const [rewritten] = historyOf([line(1, 5)], [0, 4]) ?? []
    expect(rewritten?.text).toBe(
      'Sentence 2. Sentence 4. 2 of these turns were changed (within #0-#5).',
    )
  })

  it('is rewritten from lines of single turns where there are no other sentences', () => {
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

  it('keeps the newest sentences up to its old length, and at least one', () => {
    const rewritten = (characters: number) =>
      historyOf([line(1, 6, 'x'.repeat(characters))], [0])?.[0]
    const note = 'Turn 1 was changed (#0-#1).'
    const two = `Sentence 4. Sentence 5. ${note}`
    expect(rewritten(two.length)?.text).toBe(two)
    expect(rewritten(two.length - 1)?.text).toBe(`Sentence 5. ${note}`)
    expect(rewritten(1)?.text).toBe(`Sentence 5. ${note}`)
  })

  it('covers the same turns, contains no forgotten text, and does not grow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 45 }), { minLength: 1, maxLength: 12 }),
        (lengths, places) => {
          const history: HistoryLine[] = []
          let from = 1
          for (const length of lengths) {
            const sentences = Array.from({ length }, (_, index) => `Sentence ${from + index}.`)
            history.push(line(from, from + length, sentences.join(' ')))
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
  it('is forgotten in linear time', () => {
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
