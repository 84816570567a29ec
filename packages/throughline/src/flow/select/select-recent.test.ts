import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSizes, noSize } from '../../domain/context.ts'
import { build } from '../../testing/build.ts'
import type { Candidates } from '../project/records.ts'
import { candidatesOf, options, words } from './candidates.test-support.ts'
import type { SelectOptions } from './select-options.ts'
import { selectRecent } from './select-recent.ts'

/** Questions and answers of so many tokens each. */
function talk(exchanges: number, tokens: number): Candidates {
  let talking = build()
  for (let index = 0; index < exchanges; index += 1)
    talking = talking.user(`${index} ${words(tokens)}`).says(`${index} ${words(tokens)}`)
  return candidatesOf(talking)
}

const keeping = (
  given: Candidates,
  keepRecent: SelectOptions['keepRecent'],
  limits: Partial<SelectOptions['limits']> = {},
): SelectOptions => {
  const whole = options(given, 100_000, 50_000)
  return { ...whole, keepRecent, limits: { ...whole.limits, ...limits } }
}

describe('keeping only the newest messages', () => {
  it('S1-058, S4-032: leaves out everything before the tail, however much room there is', () => {
    const given = talk(25, 10)
    expect(selectRecent(given, keeping(given, { messages: 10 }))).toMatchObject({
      line: 40,
      keeps: [],
      stubs: [],
    })
  })

  it('X1-5: begins with a question, and not with an answer whose question is gone', () => {
    const given = talk(10, 10)
    expect(selectRecent(given, keeping(given, { messages: 5 })).line).toBe(14)
    const running = candidatesOf([...build().user('a').says('b').user('c').says('d').user('e')])
    expect(selectRecent(running, keeping(running, { messages: 2 })).line).toBe(2)
  })

  it('S1-062, S1-063: halves the tail until it is below the trigger, and no further than 2', () => {
    const given = talk(12, 100)
    const lineAt = (triggerTokens: number) =>
      selectRecent(given, keeping(given, { messages: 8 }, { triggerTokens })).line
    expect([2_000, 800, 400, 100].map(lineAt)).toEqual([16, 20, 22, 22])
    const tail = addSizes(given.candidates.slice(16).map(({ size }) => size)).tokens
    expect([tail + 1, tail].map(lineAt)).toEqual([16, 20])
  })

  it('shows a message above a size as its digest, although it fits', () => {
    const given = candidatesOf(build().user(words(300)).says(words(300)).user('And?'))
    const tokens = given.candidates[0]?.size.tokens ?? 0
    const digests = new Map([[0, 'A digest.']])
    const stubbed = (loaded: Candidates, digestedFrom?: number) => {
      const asked = { ...keeping(loaded, { messages: 9 }), ...(digestedFrom && { digestedFrom }) }
      return selectRecent(loaded, asked).stubs.map(({ seq }) => seq)
    }
    expect(stubbed({ ...given, digests }, tokens - 1)).toEqual([0])
    expect(stubbed({ ...given, digests }, tokens)).toEqual([])
    expect(stubbed({ ...given, digests })).toEqual([])
    expect(stubbed(given, tokens - 1)).toEqual([])
  })

  it('shortens the largest tool output of the newest step first, and no user message for it', () => {
    const given = candidatesOf(
      build().user(words(300)).callsAtOnce('a', 'b').result(words(100)).result(words(400)),
    )
    const total = addSizes(given.candidates.map(({ size }) => size))
    const stubbed = (lessTokens: number) => {
      const limits = { availableTokens: total.wire, limitTokens: total.wire - lessTokens }
      return selectRecent(given, keeping(given, { messages: 9 }, limits)).stubs.map(
        ({ seq }) => seq,
      )
    }
    expect([0, 50, 300, 440].map(stubbed)).toEqual([[], [3], [3], [2, 3]])
  })

  it('stubs what is left where even two messages do not fit', () => {
    const given = talk(4, 5_000)
    const selected = selectRecent(
      given,
      keeping(given, { messages: 4 }, { limitTokens: 4_000, availableTokens: 4_000 }),
    )
    expect(selected.line).toBe(6)
    expect(selected.stubs.length).toBeGreaterThan(0)
    expect(selected.size.wire).toBeLessThanOrEqual(4_000)
  })

  it('changes nothing in a request of exactly the limit, also if it keeps the task', () => {
    const talking = build().user('Do it.').calls('run').result(words(50)).says(words(20))
    for (const given of [candidatesOf(talking), candidatesOf(talking, { from: 1, task: 0 })]) {
      const all = given.task === null ? given.candidates : [...given.candidates, given.task]
      const { wire } = addSizes(all.map(({ size }) => size))
      const line = given.candidates[0]?.message.seq
      const keeps = given.task === null ? [] : [0]
      const atLimit = (limitTokens: number) =>
        selectRecent(given, keeping(given, { messages: 9 }, { limitTokens }))
      expect(atLimit(wire)).toMatchObject({ line, keeps, stubs: [] })
      const less = atLimit(wire - 1)
      expect(less.size.wire).toBeLessThan(wire)
      expect(less.stubs.length).toBeGreaterThan(0)
    }
  })

  it('shows nothing where nothing fits', () => {
    for (const given of [
      talk(3, 50),
      candidatesOf(build().user('a').says('b'), { from: 1, task: 0 }),
    ]) {
      const limits = { limitTokens: 0, availableTokens: 0 }
      const selected = selectRecent(given, keeping(given, { messages: 4 }, limits))
      const head = (given.candidates.at(-1)?.message.seq ?? 0) + 1
      expect(selected).toEqual({ line: head, keeps: [], stubs: [], size: noSize })
    }
  })

  it('keeps as much of a lone message as fits', () => {
    const given = candidatesOf(build().user(words(3_000)))
    const limits = { limitTokens: 2_000, availableTokens: 2_000 }
    const { line, size, stubs } = selectRecent(given, keeping(given, { messages: 2 }, limits))
    expect({ line, stubbed: stubs.map(({ seq }) => seq) }).toEqual({ line: 0, stubbed: [0] })
    expect(size.wire).toBeLessThanOrEqual(2_000)
    expect(size.wire).toBeGreaterThan(1_000)
    const none = candidatesOf([])
    expect(selectRecent(none, keeping(none, { messages: 2 }, limits))).toMatchObject({ stubs: [] })
  })

  it('shortens user messages before the newest one instead of leaving them out', () => {
    const given = candidatesOf(build().user(words(3_000)).says('a'))
    const limits = { limitTokens: 2_000, availableTokens: 2_000 }
    const { line, stubs } = selectRecent(given, keeping(given, { messages: 2 }, limits))
    expect({ line, stubbed: stubs.map(({ seq }) => seq) }).toEqual({ line: 0, stubbed: [0] })
  })

  it('never parts a call from its results, and always fits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 900 })), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 300, max: 5_000 }),
        (steps, messages, limitTokens) => {
          let talking = build().user('Begin.')
          for (const [isTool, tokens] of steps)
            talking = isTool
              ? talking.calls('run', { command: 'x' }).result(words(tokens))
              : talking.says(words(tokens)).user('Go on.')
          const given = candidatesOf(talking)
          const limits = { limitTokens, availableTokens: limitTokens }
          const { line, size } = selectRecent(given, keeping(given, { messages }, limits))
          const first = given.candidates.find(({ message }) => message.seq === line)
          return first?.message.role !== 'tool' && size.wire <= limitTokens
        },
      ),
      { numRuns: 200 },
    )
  })
})
