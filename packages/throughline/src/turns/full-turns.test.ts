import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryLine, TurnMemory } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { buildMemory } from './turn-context.ts'
import { historyOf, recordsOf } from './turn-records.test-support.ts'

function remembered(turns: number, history: readonly HistoryLine[], fullTurns: number) {
  return buildMemory(recordsOf(turns, { history }), [], { ...turnRules, fullTurns })
}

/** The turns that a memory describes, in order. */
function describedTurns({ history, recentTurns }: TurnMemory): readonly number[] {
  const lines = history.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, at) => from + at),
  )
  return [...lines, ...recentTurns.map(({ turn }) => turn)]
}

const upTo = (turns: number) => Array.from({ length: turns }, (_, index) => index + 1)

describe('turns that are shown in full', () => {
  it('S0-016 S0-064: include turns without a history line after the limit fell from ten to one', () => {
    const memory = remembered(15, historyOf(5), 1)
    expect(memory.recentTurns.map(({ turn }) => turn)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    expect(memory.history).toEqual(historyOf(5))
  })

  it('S0-016 S0-064: drop their history lines after the limit rose from one to ten', () => {
    const memory = remembered(15, historyOf(14), 10)
    expect(memory.recentTurns.map(({ turn }) => turn)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    expect(memory.history).toEqual(historyOf(5))
  })

  it('S0-016: start after a line that covers several turns', () => {
    const folded = { from: 1, to: 9, text: 'Eight turns.', by: 'rules' }
    const memory = remembered(12, [folded, ...historyOf(11).slice(8)], 10)
    expect(memory.recentTurns.map(({ turn }) => turn)).toEqual([9, 10, 11, 12])
    expect(memory.history).toEqual([folded])
    expect(remembered(10, [folded], 10).history).toEqual([])
  })

  it('S0-016: are at most fifty, and one line replaces the others', () => {
    const memory = remembered(80, historyOf(10), 1)
    expect(memory.recentTurns.map(({ turn }) => turn)).toEqual(upTo(80).slice(-50))
    expect(memory.history.at(-1)).toMatchObject({ from: 11, to: 31 })
    expect(describedTurns(memory)).toEqual(upTo(80))
    expect(remembered(80, historyOf(10), 60).recentTurns).toHaveLength(60)
  })

  it('S0-016: and history lines describe every turn once, under any rules', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 })
    fc.assert(
      fc.property(
        lengths,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (lines, full, fullTurns) => {
          let from = 1
          const history = lines.map((length) => {
            const line = { from, to: from + length, text: 'Told.', by: 'rules' }
            from = line.to
            return line
          })
          const turns = from - 1 + full
          const memory = remembered(turns, history, fullTurns)
          expect(describedTurns(memory)).toEqual(upTo(turns))
          expect(memory.recentTurns.at(-1)?.turn).toBe(turns)
        },
      ),
    )
  })
})
