import { describe, expect, it } from 'vitest'
import { addSizes } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { type Builder, build } from '../../testing/build.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { candidatesOf, options, rankedBy, words } from './candidates.test-support.ts'
import { select } from './select.ts'
import type { SelectOptions } from './select-options.ts'
import { selectRecent } from './select-recent.ts'
import { unitsOf } from './units.ts'

interface Asked extends Partial<Pick<SelectOptions, 'keepRecent'>> {
  readonly rules?: Partial<TrimRules>
  /** How many tokens there are too many. */
  readonly less?: number
  readonly target?: number
  readonly available?: number
}

function selectFrom(
  messages: Iterable<MessageInput>,
  asked: Asked,
): SelectedMessages & { given: Candidates } {
  const given = candidatesOf(messages)
  const total = addSizes(given.candidates.map(({ size }) => size)).tokens
  // The goal lies a little above the target.
  const target = asked.target ?? (total - (asked.less ?? 0)) / 1.08
  const rules = { ...readPolicy('balanced').trim, ...asked.rules }
  const selected = select(given, {
    ...options(given, asked.available ?? total * 2, target),
    ranked: rankedBy(given, rules),
    keepRecent: asked.keepRecent ?? { messages: 2 },
  })
  return { ...selected, given }
}

const stubbed = ({ stubs }: SelectedMessages) => stubs.map(({ seq }) => seq)
const step = (conversation: Builder, name: string, input: object, tokens = 400) =>
  conversation.calls(name, input).result(words(tokens))
const ending = (conversation: Builder) => conversation.says('ok').user('And now?')

/** #2 old, #4 a failure, #6 small, #8 of a changed file, #10 its change, #12 and #14 recent. */
const mixed = ending(
  step(
    step(
      step(
        step(build().user('Go.'), 'bash', {})
          .calls('bash')
          .result(`Error: ${words(400)}`)
          .calls('bash')
          .result(words(80)),
        'read',
        { path: 'changed.ts' },
      ),
      'edit',
      { path: 'changed.ts' },
    ),
    'read',
    { path: 'other.ts' },
  )
    .calls('bash')
    .result(words(400)),
)
const rules = { order: 'priority', recentSteps: 2, recentTurns: 1 } as const

describe('the order of shortening', () => {
  it('P1-008, P2-011: stale output first, then files, then what is recent; failures last', () => {
    const order = [300, 400, 760, 1_140, 1_500, 1_860].map((less) =>
      stubbed(selectFrom(mixed, { less, rules })),
    )
    expect(order).toEqual([
      [2],
      [2, 12],
      [2, 8, 12],
      [2, 8, 10, 12],
      [2, 8, 10, 12, 14],
      [2, 4, 8, 10, 12, 14],
    ])
  })

  it('P2-012: prefers files that were changed to those that were only read', () => {
    expect(stubbed(selectFrom(mixed, { less: 760, rules }))).not.toContain(10)
    const worthless = { ...readPolicy('balanced').trim.priorities, 'modified-file': 10 }
    const other = selectFrom(mixed, { less: 400, rules: { ...rules, priorities: worthless } })
    expect(stubbed(other)).toEqual([8, 10])
  })

  it('P1-008: by age the oldest goes first, whatever it is worth', () => {
    const order = [300, 400, 760].map((less) =>
      stubbed(selectFrom(mixed, { less, rules: { ...rules, order: 'age' } })),
    )
    expect(order).toEqual([[2], [2, 8], [2, 8, 10]])
  })

  it('P1-007, B2-9: keeps failures as long as there is anything else, unless keepErrors is false', () => {
    expect(stubbed(selectFrom(mixed, { less: 1_500, rules }))).not.toContain(4)
    const configured = { ...rules, keepErrors: false }
    expect(stubbed(selectFrom(mixed, { less: 400, rules: configured }))).toEqual([2, 4])
  })

  it('P1-007: leaves small output as it is, unless the policy says otherwise', () => {
    expect(stubbed(selectFrom(mixed, { less: 1_860, rules }))).not.toContain(6)
    const configured = { ...rules, smallTokens: 10, keepErrors: false }
    expect(stubbed(selectFrom(mixed, { less: 1_700, rules: configured }))).toContain(6)
  })

  it('X2-11: a changed file becomes a stub before the task is touched', () => {
    const task = build().user(`Do this: ${words(600)}`)
    const conversation = ending(step(step(task, 'edit', { path: 'a' }), 'edit', { path: 'b' }))
    const running = conversation.messages.slice(0, 5)
    const selected = { target: 800, available: 900, rules: { order: 'priority' } } as const
    const { stubs, keeps, line } = selectFrom(running, selected)
    expect(stubs.map(({ seq }) => seq)).toEqual([4])
    expect([line, keeps]).toEqual([3, [0]])
  })

  it('P2-001: is the same for the same messages', () => {
    for (const less of [1, 760, 1_860, 2_200])
      expect(selectFrom(mixed, { less, rules })).toEqual(selectFrom(mixed, { less, rules }))
  })
})

describe('the tail', () => {
  const chat = (turns: number, tokens: number) => {
    let conversation = build()
    for (let turn = 0; turn < turns; turn += 1)
      conversation = conversation.user(words(tokens)).says(words(tokens))
    return conversation
  }

  it('S1-056, S1-061: is not touched, and what is before it is what can be compacted', () => {
    const { line, stubs, given } = selectFrom(chat(20, 100), {
      target: 1_500,
      keepRecent: { messages: 6 },
    })
    expect(line).toBeGreaterThan(0)
    expect(line).toBeLessThanOrEqual(34)
    expect(stubs.every(({ seq }) => seq < 34)).toBe(true)
    expect(given.candidates).toHaveLength(40)
  })

  it('S1-062, S1-063: becomes smaller before anything in it is shortened', () => {
    // Eight messages of 110 tokens, and room for about four, though the target would hold all.
    const { line, stubs } = selectFrom(chat(4, 106), {
      target: 5_000,
      available: 520,
      keepRecent: { messages: 8 },
    })
    expect(line).toBeGreaterThanOrEqual(2)
    expect(line).toBeLessThanOrEqual(6)
    expect(stubs.filter(({ seq }) => seq >= 6)).toEqual([])
  })

  it('S1-063: is shortened only where 2 messages do not fit either', () => {
    const fitting = selectFrom(chat(4, 106), {
      target: 200,
      available: 260,
      keepRecent: { messages: 8 },
    })
    expect([fitting.line, fitting.stubs]).toEqual([6, []])
    const short = selectFrom(chat(4, 106), {
      target: 100,
      available: 150,
      keepRecent: { messages: 8 },
    })
    expect(short.stubs.some(({ seq }) => seq >= 6)).toBe(true)
  })

  it('S1-097: one extremely long message is shortened, and does not drive out the others', () => {
    const conversation = chat(3, 5).user(words(50_000))
    const { line, stubs, size } = selectFrom(conversation, { target: 400, available: 1_000 })
    expect(stubs.map(({ seq }) => seq)).toContain(6)
    expect(line).toBeLessThan(4)
    expect(size.wire).toBeLessThanOrEqual(1_000)
  })
})

describe('the limit', () => {
  it('may be reached exactly, and one token more is shortened or left out', () => {
    const giant = candidatesOf(build().user('Go.').says(words(900)).user('And now?').says(words(9)))
    for (const [by, given] of [select, selectRecent].flatMap((each) =>
      [candidatesOf(mixed), giant].map((some) => [each, some] as const),
    )) {
      const total = addSizes(given.candidates.map(({ size }) => size))
      const sizeAt = (limitTokens: number) => {
        const usual = options(given, total.tokens * 2, total.tokens * 2)
        const limits = { ...usual.limits, limitTokens, refillTokens: limitTokens }
        return by(given, { ...usual, limits, keepRecent: { messages: 99 } }).size.wire
      }
      expect(sizeAt(total.wire)).toBe(total.wire)
      expect(sizeAt(total.wire - 1)).toBeLessThan(total.wire)
    }
  })
})

describe('the line', () => {
  const turnsOf = (given: Candidates) => unitsOf(given.candidates.map(({ message }) => message))

  it('X1-5: lies between turns', () => {
    let conversation = build()
    for (let turn = 0; turn < 20; turn += 1)
      conversation = step(conversation.user(words(10)), 'bash', {}, 60).says(words(20))
    for (let target = 200; target < 1_500; target += 100) {
      const { line, given } = selectFrom(conversation.user('And?'), { target })
      expect(given.candidates[line]?.message.role).toBe('user')
    }
  })

  it('X1-5, U-001: cuts a turn too large for that between its steps, and keeps what opened it', () => {
    let conversation = build().user('Do X').says('ok').user('Do Y')
    for (let index = 0; index < 40; index += 1) conversation = step(conversation, 'bash', {}, 90)
    const running = selectFrom(conversation, { target: 800 })
    expect(running.line).toBeGreaterThan(3)
    expect(running.keeps).toEqual([2])
    const old = selectFrom(conversation.says('done').user('And Z?'), { target: 800 })
    expect(old.line).toBeGreaterThan(3)
    expect(old.keeps).toEqual([2])
    for (const { line, given } of [running, old])
      expect(turnsOf(given).map(({ from }) => from)).toContain(line)
  })

  it('U-011, B2-10: parts no call from its results, however many were made at once', () => {
    let conversation = build().user('Go.')
    for (let index = 0; index < 8; index += 1)
      conversation = conversation
        .callsAtOnce('a', 'b', 'c')
        .result(words(50))
        .result(words(50))
        .result(words(50))
    for (let target = 60; target < 1_400; target += 67) {
      const { line, given } = selectFrom(conversation, { target, available: target * 2 })
      const shown = given.candidates.slice(line).flatMap(({ message }) => message.parts)
      const calls = shown.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      const results = shown.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
      expect(results.toSorted()).toEqual(calls.toSorted())
    }
  })

  it('U-001, U-011: lies before an open call and everything that it holds', () => {
    let conversation = build().user('Go.')
    for (let index = 0; index < 8; index += 1) conversation = step(conversation, 'bash', {}, 200)
    const open = conversation.callsAtOnce('a', 'b').result(words(300))
    const { line } = selectFrom(open, { target: 300, available: 700 })
    expect(line).toBeLessThanOrEqual(17)
  })

  it('X2-10: leaves texts beside the messages, such as a summary, as they are', () => {
    const given = candidatesOf(build().user(words(300)).says(words(300)).user('And?'))
    const summary = { tokens: 200, wire: 240 }
    const { size, line, keeps, stubs } = select(given, options(given, 500, 300, summary))
    const sizes = new Map(stubs.map((stub) => [stub.seq, stub.size]))
    const shown = given.candidates
      .filter(({ message }) => message.seq >= line || keeps.includes(message.seq))
      .map((candidate) => sizes.get(candidate.message.seq) ?? candidate.size)
    expect(size).toEqual(addSizes([summary, ...shown]))
    expect(size.wire).toBeLessThanOrEqual(500)
  })
})
