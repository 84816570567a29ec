import { describe, expect, it } from 'vitest'
import { turnRules } from '../domain/turn-rules-data.ts'
import { buildMemory } from './turn-context.ts'
import {
  historyOf,
  nothingKnown,
  proposed,
  recordsOf,
  savedEntity,
  stepRecord,
} from './turn-records.test-support.ts'

describe('the turn memory', () => {
  it('is empty before the first turn', () => {
    expect(buildMemory([], [], turnRules)).toEqual({
      ...{ turn: 0, to: 0, recentTurns: [], history: [], theme: null },
      ...{ activeEntities: [], entities: [], steps: [], stepDigests: [], pending: null },
    })
  })

  it('S0-015 S0-021 S0-064: has the last three turns, oldest first, each with answer and digest', () => {
    const digest = { text: 'In short.', by: 'house-model' }
    const records = recordsOf(5, {}, (turn) => (turn === 4 ? { digest } : {}))
    const { turn, to, recentTurns } = buildMemory(records, [], turnRules)
    expect([turn, to]).toEqual([5, 10])
    expect(recentTurns.map((each) => each.turn)).toEqual([3, 4, 5])
    expect(recentTurns[1]).toEqual({
      ...{ turn: 4, user: 'Question 4?', assistant: 'Answer 4.', assistantSummary: 'In short.' },
      timestamp: '2026-11-15T21:04:00.000Z',
      ...{ routing: null, decision: 'plan_direct', entitiesMentioned: [] },
      messages: { from: 6, to: 8 },
    })
    const compressed = recordsOf(5, { history: historyOf(3) })
    const two = buildMemory(compressed, [], { ...turnRules, fullTurns: 2 })
    expect(two.recentTurns.map((each) => each.turn)).toEqual([4, 5])
  })

  it('S0-016 S0-017 S0-020 S0-058: has theme, history and pending decision of the newest turn', () => {
    const theme = { text: 'Soups', by: 'm', turn: 5 }
    const knows = {
      theme,
      history: historyOf(2),
      pending: proposed(),
      entities: [savedEntity('a')],
    }
    expect(buildMemory(recordsOf(5, knows), [], turnRules)).toMatchObject(knows)
    const older = recordsOf(5, knows).slice(1)
    expect(buildMemory(older, [], turnRules)).toMatchObject(nothingKnown)
  })

  it('S0-018 S0-052: has only entities of a database as active', () => {
    const entities = [
      savedEntity('a'),
      savedEntity('b', { source: 'db_write', turnLastRef: 2 }),
      savedEntity('c', { source: 'generate' }),
      savedEntity('d', { state: 'pending' }),
      savedEntity('e', { state: 'inactive' }),
      savedEntity('temp_1'),
    ]
    const { activeEntities } = buildMemory(recordsOf(1, { entities }), [], turnRules)
    expect(activeEntities.map(({ id }) => id)).toEqual(['b', 'a'])
  })

  it('S0-019 S0-065 B0-1: has the last three steps in full, and digests of earlier ones', () => {
    const steps = [3, 4, 5].flatMap((turn) => [stepRecord(turn, 0), stepRecord(turn, 1)])
    const records = recordsOf(5, {}, (turn) => ({
      steps: steps.filter((step) => step.turn === turn),
    }))
    const memory = buildMemory(records, steps.toReversed(), turnRules)
    const keys = (some: readonly { readonly turn: number; readonly step: number }[]) =>
      some.map(({ turn, step }) => `${turn}.${step}`)
    expect(keys(memory.steps)).toEqual(['4.1', '5.0', '5.1'])
    expect(keys(memory.stepDigests)).toEqual(['3.0', '3.1', '4.0'])
  })

  it('ends before a turn whose messages were edited', () => {
    const forgotten = (turn: number) => (turn === 4 ? { forgotten: true } : {})
    expect(buildMemory(recordsOf(5, {}, forgotten), [], turnRules).to).toBe(6)
    expect(buildMemory(recordsOf(7, {}, forgotten), [], turnRules).to).toBe(14)
  })

  it('has no timestamp if the clock returns none', () => {
    const [record] = buildMemory(
      recordsOf(1, {}, () => ({ at: 9e15 })),
      [],
      turnRules,
    ).recentTurns
    expect(record?.timestamp).toBe('')
  })
})
