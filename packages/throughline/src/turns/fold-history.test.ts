import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { charactersOf, foldHistory, linesToFold } from './fold-history.ts'
import { lineOf } from './turns.test-support.ts'

const rulesOf = (historyCharacters: number) => ({ ...turnRules, historyCharacters })
const drawn = (lines: readonly HistoryLine[]) =>
  lines.map(({ from, to, by, text }) => `${from}-${to} ${by}: ${text}`).join('\n')

/** Lines that cover the turns from 1 on without a gap. */
const tiling = fc
  .array(
    fc.record({
      turns: fc.integer({ min: 1, max: 4 }),
      text: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.lorem({ maxCount: 30 }),
        fc.constantFrom('', '…', 'a · b', '字'.repeat(120), '👨‍👩‍👧'.repeat(20)),
      ),
    }),
    { maxLength: 14 },
  )
  .map((lines) => {
    let from = 1
    return lines.map(({ turns, text }) => {
      const line = { from, to: from + turns, text, by: 'a/b' }
      from = line.to
      return line
    })
  })

function expectTiled(lines: readonly HistoryLine[], to: number): void {
  expect(lines[0]?.from).toBe(1)
  for (const [index, line] of lines.entries()) {
    expect(line.to).toBe(lines[index + 1]?.from ?? to)
    expect(line.to).toBeGreaterThan(line.from)
  }
}

describe('the history with one more line', () => {
  const history = Array.from({ length: 10 }, (_, index) =>
    lineOf(index + 1, `User asked: dish ${index + 1}; assistant saved it`),
  )
  const line = lineOf(11, 'User asked: dish 11; assistant saved it', 'a/b')
  const all = charactersOf([...history, line])

  it('S0-040 X0-6: keeps its lines unchanged within the limit', () => {
    expect(foldHistory(history, line, rulesOf(all), null)).toEqual([...history, line])
    expect(foldHistory(history, line, rulesOf(all), 'In short.')).toEqual([...history, line])
    expect(foldHistory([], line, rulesOf(all), null)).toEqual([line])
  })

  it('X0-6: is folded by rules if it is one character over', () => {
    expect(drawn(foldHistory(history, line, rulesOf(all - 1), null))).toMatchInlineSnapshot(`
      "1-7 rules: 6 turns · dish 1; assistant saved it · dish 5; assistant saved it · dish 6; assistant saved it
      7-8 rules: User asked: dish 7; assistant saved it
      8-9 rules: User asked: dish 8; assistant saved it
      9-10 rules: User asked: dish 9; assistant saved it
      10-11 rules: User asked: dish 10; assistant saved it
      11-12 a/b: User asked: dish 11; assistant saved it"
    `)
  })

  it('X0-6: takes the fold of a model, with the name of the model', () => {
    expect(
      drawn(foldHistory(history, line, rulesOf(all - 1), 'Dishes 1 to 6 were saved.')),
    ).toMatchInlineSnapshot(`
      "1-7 a/b: Dishes 1 to 6 were saved.
      7-8 rules: User asked: dish 7; assistant saved it
      8-9 rules: User asked: dish 8; assistant saved it
      9-10 rules: User asked: dish 9; assistant saved it
      10-11 rules: User asked: dish 10; assistant saved it
      11-12 a/b: User asked: dish 11; assistant saved it"
    `)
  })

  it('X0-6: takes the fold of a model that just fits', () => {
    const kept = charactersOf([...history.slice(6), line])
    const most = all - 1
    const fold = 'a'.repeat(most - kept)
    expect(foldHistory(history, line, rulesOf(most), fold)[0]).toMatchObject({
      text: fold,
      by: 'a/b',
    })
    expect(foldHistory(history, line, rulesOf(most), `${fold}a`)[0]).toMatchObject({ by: 'rules' })
  })

  it('X0-6: uses the whole limit if not even the newest line fits', () => {
    const long = lineOf(11, 'word '.repeat(60))
    const [only, ...others] = foldHistory(history, long, rulesOf(100), null)
    expect(others).toEqual([])
    expect(only?.text.length).toBeGreaterThan(60)
  })

  it('X0-6: is folded by rules too if the fold of the model is too long', () => {
    const folded = foldHistory(history, line, rulesOf(all - 1), 'Dish. '.repeat(200))
    expect(charactersOf(folded)).toBeLessThan(all)
    expect(folded[0]).toMatchObject({ from: 1, by: 'rules' })
    expectTiled(folded, 12)
  })

  it('X0-6: has room after a fold, so that not every turn folds', () => {
    const { historyCharacters } = turnRules
    let lines: readonly HistoryLine[] = []
    let folds = 0
    for (let turn = 1; turn <= 200; turn += 1) {
      const next = foldHistory(
        lines,
        lineOf(turn, `Turn ${turn} is over. `.padEnd(150, 'ab ')),
        turnRules,
        null,
      )
      if (next.length <= lines.length) folds += 1
      lines = next
      expect(charactersOf(lines)).toBeLessThanOrEqual(historyCharacters)
    }
    expectTiled(lines, 201)
    expect(folds).toBeLessThan(200 / 3)
    expect(charactersOf(lines)).toBeGreaterThan(historyCharacters / 2)
    // The first turn and the newest turns are still there.
    expect(lines[0]?.text).toMatch(/^19\d turns · Turn 1 is over\. ab.*… · Turn 19\d is/)
    expect(lines.at(-1)?.text).toHaveLength(150)
  })

  it('X0-6: keeps the newest lines up to two fifths of the limit', () => {
    const lines = Array.from({ length: 10 }, (_, index) => lineOf(index + 1, 'a'.repeat(100)))
    expect(linesToFold(lines, rulesOf(1_000))).toHaveLength(6)
    expect(linesToFold(lines, rulesOf(999))).toHaveLength(7)
    expect(linesToFold(lines, rulesOf(100))).toHaveLength(10)
    expect(linesToFold(lines, rulesOf(9_000))).toHaveLength(0)
  })

  it('X0-6: covers the same turns within the limit, for any lines and any fold', () => {
    fc.assert(
      fc.property(
        tiling,
        fc.oneof(fc.constant('Pad Thai 7'), fc.lorem({ maxCount: 60 })),
        fc.oneof(fc.nat(120), fc.nat(3_000)),
        fc.option(fc.lorem({ maxCount: 100 })),
        (lines, text, most, folded) => {
          const turn = lines.at(-1)?.to ?? 1
          const newest = lineOf(turn, text, 'a/b')
          const result = foldHistory(lines, newest, rulesOf(most), folded)
          expectTiled(result, turn + 1)
          expect(charactersOf(result)).toBeLessThanOrEqual(most)
          expect(result.every((line) => line.text.isWellFormed())).toBe(true)
          const byRules = result.filter(({ by }) => by === 'rules')
          if (most > 0) expect(byRules.every((line) => line.text.trim() !== '')).toBe(true)
          // The newest names are kept if they fit with a `…`.
          if (charactersOf([newest]) < most) expect(result.at(-1)).toEqual(newest)
          // The kept lines are the newest ones.
          const kept = result.slice(1)
          if (kept.length > 0) expect([...lines, newest].slice(-kept.length)).toEqual(kept)
          expect(foldHistory(lines, newest, rulesOf(most), folded)).toEqual(result)
        },
      ),
      { numRuns: 300 },
    )
  })
})
