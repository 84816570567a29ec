import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../domain/turn-memory.ts'
import { foldLines } from './fold-history.ts'
import { turnByRules } from './rule-lines.ts'
import { characterCount } from './turn-text.ts'
import { digestOf, entityOf, lineOf, recordOf } from './turns.test-support.ts'

const linesOf = (texts: readonly string[], by?: string) =>
  texts.map((text, index) => lineOf(index + 1, text, by))
const folded = (texts: readonly string[], most: number, by?: string) =>
  foldLines(linesOf(texts, by), most)

/** The line by rules of a turn that created an entity. */
function created(turn: number, user: string, failed = false): HistoryLine {
  const { audit, knows } = recordOf()
  const record = recordOf({
    turn,
    user,
    assistant: `It is there now, and it can be looked at whenever somebody likes to do so.`,
    audit: { ...audit, created: [`t${turn}`] },
    steps: failed ? [digestOf({ status: 'failed' })] : [],
    knows: { ...knows, entities: [entityOf({ id: `t${turn}`, label: `Thing Nr ${turn}` })] },
  })
  return lineOf(turn, turnByRules(record))
}

/** Folds each line into the previous fold. */
function foldedOneByOne(lines: readonly HistoryLine[], most: number): string {
  return lines.reduce((line, next) => {
    const text = foldLines([line, next], most)
    return { from: line.from, to: next.to, text, by: line.by }
  }).text
}

describe('folded lines', () => {
  it('X0-6: are complete after their count if they fit', () => {
    expect(folded(['User asked: a', '', 'b · c'], 31)).toBe('3 turns · User asked: a · b · c')
    expect(folded(['User asked: a long story of it', 'b · c'], 39)).not.toContain('User asked')
    expect(folded(['only'], 9)).toBe('only')
  })

  it('X0-6: have changes as counts and names, and each question once', () => {
    const lines = Array.from({ length: 44 }, (_, index) =>
      created(index + 1, 'work on the household', index % 11 === 0),
    )
    expect(foldLines(lines, 200)).toBe(
      '44 turns · created (44): Thing Nr 35, Thing Nr 36, Thing Nr 37, Thing Nr 38, Thing Nr 39, Thing Nr 40, Thing Nr 41, Thing Nr 42, Thing Nr 43, Thing Nr 44 · failed steps (4) · work on the household',
    )
  })

  it('X0-6: keep their counts through repeated folds', () => {
    const lines = Array.from({ length: 50 }, (_, index) =>
      created(index + 1, `look after room ${index}`, index % 10 === 0),
    )
    const text = foldedOneByOne(lines, 160)
    expect(text).toMatch(/^50 turns · created \(50\): (?:Thing Nr \d+, )+Thing Nr 50 · /)
    expect(text).toContain(' · failed steps (5) · ')
    expect(text).toContain('look after room 49')
    expect(characterCount(text)).toBeLessThanOrEqual(160)
  })

  it('X0-6 S0-037: keep the first line and the rules of the user longest', () => {
    const texts = Array.from({ length: 40 }, (_, index) => `User asked: continue part ${index}`)
    const rule = 'User asked: I am allergic to peanuts. Never use the oven'
    const text = foldedOneByOne(linesOf(texts.with(7, rule)), 200)
    expect(text).toMatch(
      /^40 turns · continue part 0 · I am allergic to peanuts\. Never use the oven · .*part 39$/,
    )
  })

  it('X0-6: keep names from sentences of models, the newest first', () => {
    const texts = Array.from(
      { length: 30 },
      (_, index) => `User asked for a dish; assistant saved Rice Bowl ${index} to the cookbook.`,
    )
    const text = folded(texts, 200, 'a/b')
    expect(text).toMatch(/^30 turns · named: (?:Rice Bowl \d+, )+Rice Bowl 29 · User asked for/)
    const again = foldLines([{ ...lineOf(1, text), to: 31 }, lineOf(31, 'and then Miso Soup')], 150)
    expect(again).toMatch(/^31 turns · named: (?:Rice Bowl \d+, )*Rice Bowl 29, Miso Soup · /)
  })

  it('X0-6: of a model are not parsed for counts', () => {
    const text = 'Told · created (99): Gold · 7 turns'
    expect(folded([text, 'b'], 99, 'a/b')).toBe('2 turns · Told - created (99): Gold - 7 turns · b')
  })

  it('X0-6: have no lone `…`, no double `…` and no duplicates', () => {
    const texts = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? 'User asked: work on the house; and more of it'
        : `…; ${'word; '.repeat(12)}`,
    )
    for (let most = 20; most < 200; most += 1) {
      const text = foldedOneByOne(linesOf(texts), most)
      expect(text).not.toMatch(/(?:^|· )…(?: ·|$)|[;,:…]…/)
      const pieces = text.split(' · ')
      expect(new Set(pieces).size).toBe(pieces.length)
    }
  })

  it('X0-6: are never over the limit and never empty', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem()), { minLength: 2 }),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom('rules', 'a/b'),
        (texts, most, by) => {
          const text = folded(texts, most, by)
          expect(characterCount(text)).toBeLessThanOrEqual(most)
          expect(text).not.toBe('')
        },
      ),
    )
  })
})
