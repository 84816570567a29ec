import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Part } from '../../domain/message.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { type Builder, build } from '../../testing/build.ts'
import type { Candidates } from '../project/records.ts'
import { candidatesOf, meter, rankedBy, words } from './candidates.test-support.ts'
import { assertTiled } from './select-options.ts'
import { Selection } from './selection.ts'

const fixed = { tokens: 50, wire: 70 }
const quotes = { olderTokens: 7, maxTokens: 90 }

const textOf = (parts: readonly Part[] = []) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

/** A talk with steps, the last of which is in work. */
function session(tokens: readonly number[]): Builder {
  const start = build().user('Begin.').says('Yes.')
  return tokens.reduce(
    (talk, size, at) =>
      at % 4 === 0
        ? talk.user(words(size))
        : at % 4 === 1
          ? talk.says(words(size))
          : talk.calls('run', { at }).result(words(size)),
    start,
  )
}

type Act = (selection: Selection, at: number, tokens: number) => void

/** Without an undo. */
const acts: Readonly<Record<string, Act>> = {
  shorten: (selection, at, tokens) => selection.shorten(at, tokens, 1),
  leaveOut: (selection) => selection.leaveOutOldest(),
  restore: (selection) => void selection.restoreUnit(),
  collapse: (selection, at, tokens) => selection.collapseUnit(at, tokens),
  lengthen: (selection, at, tokens) => void selection.lengthen(at, tokens, () => true),
  refuse: (selection, at, tokens) => void selection.lengthen(at, tokens, () => false),
  makeStubs: (selection) => selection.makeStubs(),
}

const anyAct = fc.tuple(
  fc.constantFrom(...Object.keys(acts)),
  fc.nat({ max: 24 }),
  fc.integer({ min: 0, max: 400 }),
)

/** The selection has the size of what it shows, and describes each message once. */
function assertConsistent(loaded: Candidates, selection: Selection): void {
  selection.makeStubs()
  const { quoted, selected, total } = selection
  expect(selected.size).toEqual(total)
  assertTiled(loaded, selected, addSizes([fixed, quoted]))
}

describe('a selection in progress', () => {
  it('always has the size of what it shows, whatever is done', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
        fc.array(anyAct, { maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        (sizes, done, plansStubs, hasTask) => {
          const from = hasTask ? 1 : 0
          const loaded = candidatesOf(session(sizes), hasTask ? { from, task: 0 } : { pins: [1] })
          const selection = new Selection(loaded, fixed, meter, { plansStubs, quotes })
          for (const [name, at, tokens] of done) acts[name]?.(selection, at, tokens)
          assertConsistent(loaded, selection)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is as before once a change is undone', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 12 }), fc.nat({ max: 6 }), (done, unit) => {
        const loaded = candidatesOf(session([30, 200, 250, 40, 90]))
        const selection = new Selection(loaded, fixed, meter, { quotes })
        for (const [name, at, tokens] of done) acts[name]?.(selection, at, tokens)
        const state = () => structuredClone([selection.selected, selection.quoted, selection.kept])
        const before = state()
        const isLeftOut = unit < selection.firstUnit
        const undo = isLeftOut ? selection.keepOpening(unit, 40) : selection.restoreUnit()
        undo?.()
        expect(state()).toEqual(before)
      }),
      { numRuns: 200 },
    )
  })

  it('measures the rest of the log from any unit, as if the units before were left out', () => {
    const loaded = candidatesOf(session([30, 200, 250, 40, 90]))
    const selection = new Selection(loaded, fixed, meter, { quotes })
    const sizes = selection.units.map((_, unit) => selection.sizeFrom(unit, fixed))
    const left = selection.units.map((unit, at) => {
      const size: Size = selection.total
      expect(selection.tokensOf(unit)).toBeGreaterThan(0)
      if (!(unit.opensTurn && unit.inCurrentTurn)) selection.leaveOutOldest()
      return at <= selection.units.findIndex(({ inCurrentTurn }) => inCurrentTurn) ? size : null
    })
    for (const [at, size] of left.entries()) if (size !== null) expect(sizes[at]).toEqual(size)
  })

  it('quotes user messages before the first unit, up to a limit, without those that are kept', () => {
    const loaded = candidatesOf(build().user(words(20)).says('a').user(words(30)).says('b'))
    const [first, , second] = loaded.candidates.map(({ size }) => size.tokens)
    const quoted = (maxTokens: number, units: number) => {
      const selection = new Selection(loaded, noSize, meter, {
        quotes: { olderTokens: 5, maxTokens },
      })
      for (let unit = 0; unit < units; unit += 1) selection.leaveOutOldest()
      return selection.quoted.tokens
    }
    const [one, two] = [5 + (first ?? 0), 5 + (first ?? 0) + (second ?? 0)]
    expect([0, 1, 2].map((units) => quoted(1_000, units))).toEqual([5, one, one])
    // The opening of the current turn is kept, not quoted.
    expect(quoted(1_000, 4)).toBe(one)
    expect(two).toBeGreaterThan(one)
    expect([quoted(10, 2), quoted(0, 2)]).toEqual([10, 0])
  })

  it('shortens no pinned message, none that is left out, and none that would hardly be shorter', () => {
    const loaded = candidatesOf(build().user(words(300)).says(words(300)).user(words(300)), {
      pins: [1],
    })
    const selection = new Selection(loaded, noSize, meter)
    const { tokens } = selection.sizeOf(2)
    selection.leaveOutOldest()
    for (const at of [0, 1]) selection.shorten(at, 20, 1)
    selection.shorten(2, 20, tokens)
    expect(selection.stubbed).toEqual([])
    selection.shorten(2, 20)
    expect(selection.stubbed).toEqual([2])
    const saved = tokens - selection.sizeOf(2).tokens
    const stubbedIfSaves = (leastTokens: number) => {
      const other = new Selection(loaded, noSize, meter)
      other.shorten(2, 20, leastTokens)
      return other.stubbed.length
    }
    expect([saved, saved + 1].map(stubbedIfSaves)).toEqual([1, 0])
  })

  it('keeps the lines of a long request that name the files in work, and those alone', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `Then look at step${at}1.ts, too.`)
    const plan = lines.with(150, 'Last, correct x1.ts itself.').join('\n')
    const loaded = candidatesOf(
      build().user(plan).calls('edit_file', { path: 'src/x1.ts' }).result('done').says('Next.'),
    )
    const { tracked } = rankedBy(loaded, readPolicy('balanced').trim)
    const selection = new Selection(loaded, noSize, meter, { tracked })
    selection.shorten(0, 400)
    expect(textOf(selection.selected.stubs[0]?.parts)).toContain('correct x1.ts itself')
  })

  it('grows a stub as far as it fits, to the whole message in the end', () => {
    const loaded = candidatesOf(build().user('a').says(words(400)).user('b'))
    const selection = new Selection(loaded, noSize, meter)
    const whole = selection.total
    selection.shorten(1, 40)
    const short = selection.total
    expect(selection.lengthen(1, 200, () => false)).toBe(false)
    expect(selection.total).toEqual(short)
    expect(selection.lengthen(1, 200, () => true)).toBe(true)
    expect(selection.total.tokens).toBeGreaterThan(short.tokens)
    expect(selection.stubbed).toEqual([1])
    expect(selection.lengthen(1, 10_000, () => true)).toBe(true)
    expect([selection.total, selection.stubbed]).toEqual([whole, []])
    expect(selection.lengthen(1, 10_000, () => true)).toBe(false)
  })

  it('lists the units that are shown as one text, newest first', () => {
    const loaded = candidatesOf(session([30, 30, 300, 300, 30, 30, 300]))
    const selection = new Selection(loaded, noSize, meter)
    const steps = selection.units.flatMap(({ from, to }, unit) => (to - from > 1 ? [unit] : []))
    for (const unit of steps) selection.collapseUnit(unit, 60)
    expect(selection.collapsedUnits).toEqual(steps.toReversed())
    for (const _ of selection.units.slice(0, (steps[0] ?? 0) + 1)) selection.leaveOutOldest()
    expect(selection.collapsedUnits).toEqual(steps.slice(1).toReversed())
  })
})
