import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import { build } from '../../testing/build.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { candidatesOf, meter, options, words } from './candidates.test-support.ts'
import { select } from './select.ts'
import { Selection } from './selection.ts'
import { unitsOf } from './units.ts'

/** What a selection costs, counted from what it says. */
function sizeOf({ line, keeps, stubs }: SelectedMessages, { candidates, task }: Candidates): Size {
  const stubbed = new Map(stubs.map((stub) => [stub.seq, stub.size]))
  return addSizes(
    [...candidates, ...(task === null ? [] : [task])]
      .filter(({ message }) => message.seq >= line || keeps.includes(message.seq))
      .map(({ message, size }) => stubbed.get(message.seq) ?? size),
  )
}

const anyConversation = fc
  .array(
    fc.tuple(
      fc.constantFrom('user', 'says', 'tool', 'tools', 'picture', 'open'),
      fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
    ),
    { minLength: 1, maxLength: 24, size: 'max' },
  )
  .map((steps) =>
    steps.flatMap(([kind, tokens], step): readonly MessageInput[] => {
      const content = words(tokens)
      const callId = `c${step}`
      const callPart = { type: 'tool-call', callId, name: 'run', input: { content } } as const
      const answer = { type: 'tool-result', callId, output: content } as const
      if (kind === 'user') return [{ role: 'user', content }]
      if (kind === 'says') return [{ role: 'assistant', content }]
      if (kind === 'open') return [{ role: 'assistant', content: [callPart] }]
      if (kind === 'picture')
        return [
          {
            role: 'user',
            content: [
              { type: 'file', mediaType: 'image/png', url: 'https://example.org/x.png' },
              { type: 'text', text: content },
            ],
          },
        ]
      const other = { ...answer, callId: `${callId}b` }
      const calls =
        kind === 'tools' ? [callPart, { ...callPart, callId: `${callId}b` }] : [callPart]
      const results = kind === 'tools' ? [answer, other] : [answer]
      return [
        { role: 'assistant', content: calls },
        ...results.map((part): MessageInput => ({ role: 'tool', content: [part] })),
      ]
    }),
  )

describe('a selection', () => {
  it('fits wherever what is fixed fits, and keeps its promises', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyConversation,
        fc.record({
          pins: fc.array(fc.nat(20), { maxLength: 3 }),
          from: fc.nat(3),
          task: fc.option(fc.constant(0)),
        }),
        fc.constantFrom('share', 'priority', 'age'),
        fc.integer({ min: 0, max: 8_000 }),
        fc.nat(2_000),
        async (messages, looked, order, free, held) => {
          const from = Math.min(looked.from, messages.length - 1)
          const task = from === 0 ? null : looked.task
          const given = await candidatesOf(messages, { ...looked, from, task })
          const fixed = { tokens: held, wire: held }
          const asked = options(given, held + free, held + free * 0.4, fixed, order)
          const selected = select(given, asked)
          const size = addSizes([fixed, sizeOf(selected, given)])
          expect(size.wire).toBeLessThanOrEqual(held + free)
          expectValid(selected, given)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is the same for the same candidates', async () => {
    const given = await candidatesOf(
      build().user(words(50)).calls('read').result(words(3_000)).says(words(900)).user('and?'),
    )
    expect(select(given, options(given, 1_000, 400))).toEqual(
      select(given, options(given, 1_000, 400)),
    )
  })

  it('shows everything where that is below the goal', async () => {
    const given = await candidatesOf(build().user('a').calls('read').result('x').says('b'))
    expect(select(given, options(given, 1_000, 900))).toMatchObject({
      line: 0,
      keeps: [],
      stubs: [],
    })
  })

  it('shortens tool results first, then replies, and user messages last', async () => {
    let conversation = build().user(words(200))
    for (let turn = 0; turn < 3; turn += 1)
      conversation = conversation
        .calls('read', { path: `${turn}.ts` })
        .result(words(800))
        .says(words(300))
        .user(words(200))
    conversation = conversation.says('ok').user('next').says('ok').user('last')
    const given = await candidatesOf(conversation)
    const total = addSizes(given.candidates.map(({ size }) => size)).tokens
    const selectedBelow = (target: number) => {
      const { line, stubs } = select(given, options(given, total * 4, target, noSize, 'priority'))
      return [line, ...stubs.map(({ seq }) => seq)]
    }
    // The goal lies a little above the target.
    expect(selectedBelow((total - 700) / 1.08)).toEqual([0, 2])
    expect(selectedBelow((total - 1_500) / 1.08)).toEqual([0, 2, 6])
    expect(selectedBelow((total - 2_450) / 1.08)).toEqual([0, 2, 3, 6, 10])
  })

  it('keeps as much of a message as there is room for', async () => {
    const given = await candidatesOf(
      build().user('go').calls('read').result(words(2_000)).says('a').user('b').says('c').user('d'),
    )
    const { stubs } = select(given, options(given, 10_000, 1_500))
    expect(stubs).toHaveLength(1)
    expect(stubs[0]?.size.tokens).toBeGreaterThan(1_000)
  })

  it('keeps as much of a message as there is room for on the wire', () => {
    const given = candidatesOf(
      build().user('go').calls('read').result(words(2_000)).says('a').user('b').says('c').user('d'),
    )
    const usual = options(given, 100_000, 100_000)
    const tokensAgainstLimit = ({ wire }: Size) => wire * 4
    const limitTokens = 0.9 * tokensAgainstLimit(addSizes(given.candidates.map(({ size }) => size)))
    const { stubs } = select(given, {
      ...usual,
      limits: { ...usual.limits, tokensAgainstLimit, limitTokens },
    })
    expect(stubs).toHaveLength(1)
    expect(stubs[0]?.size.tokens).toBeGreaterThan(1_000)
  })

  it('does not touch the newest messages for the goal, only where it would not fit', async () => {
    let conversation = build()
    for (let turn = 0; turn < 20; turn += 1)
      conversation = conversation.user(words(100)).says(words(100))
    const given = await candidatesOf(conversation)
    const goal = select(given, options(given, 5_000, 1_500))
    expect(goal.stubs.every(({ seq }) => seq < 36)).toBe(true)
    expect(goal.line).toBeGreaterThan(10)
    expect(goal.line).toBeLessThanOrEqual(36)
    const tight = select(given, options(given, 150, 60))
    expect(tight.stubs.some(({ seq }) => seq >= 36)).toBe(true)
  })

  it('keeps the task of the running turn where the steps before the line are left out', async () => {
    let conversation = build().user('hello').says('hi').user('Do the task')
    for (let step = 0; step < 40; step += 1)
      conversation = conversation.calls('read', { step }).result(words(400))
    const given = await candidatesOf(conversation)
    const { line, keeps } = select(given, options(given, 1_500, 600))
    expect(keeps).toEqual([2])
    expect(line).toBeGreaterThan(3)
    expect(given.candidates[line]?.message.role).toBe('assistant')
  })

  it('keeps a task from farther back than it looks, shortened where it must be', async () => {
    let conversation = build().user(`Do the task: ${words(2_000)}`)
    for (let step = 0; step < 10; step += 1)
      conversation = conversation.calls('read', { step }).result(words(40))
    const given = await candidatesOf(conversation, { from: 5, task: 0 })
    expect(select(given, options(given, 9_000, 8_000))).toMatchObject({
      line: 5,
      keeps: [0],
      stubs: [],
    })
    const { keeps, stubs } = select(given, options(given, 1_500, 600))
    expect(keeps).toEqual([0])
    expect(stubs.map(({ seq }) => seq)).toContain(0)
    expect(JSON.stringify(stubs[0]?.parts)).toContain('Do the task')
  })

  it('shows a kept task whole, unless it has more than its share of the target', () => {
    const shownOf = (tokens: number) => {
      let conversation = build().user(words(tokens))
      for (let step = 0; step < 24; step += 1)
        conversation = conversation.calls('run').result(words(100))
      const given = candidatesOf(conversation)
      const { keeps, stubs } = select(given, options(given, 1_900, 1_000))
      expect(keeps).toEqual([0])
      const whole = given.candidates[0]?.size.tokens ?? 0
      return [stubs.find(({ seq }) => seq === 0)?.size.tokens ?? whole, whole] as const
    }
    const [shown, whole] = shownOf(680)
    expect(shown).toBe(whole)
    // 30 % of 1,000; its note comes on top.
    expect(shownOf(1_500)[0]).toBeGreaterThan(270)
    expect(shownOf(1_500)[0]).toBeLessThan(350)
  })

  it('keeps the opening of a cut turn whole or not at all, if the history block quotes it', () => {
    const shownOf = (tokens: number, userTextTokens: number) => {
      let conversation = build().user(words(tokens))
      for (let step = 0; step < 24; step += 1)
        conversation = conversation.calls('run').result(words(60))
      const given = candidatesOf(conversation.says('Done.').user('And now?'))
      const asked = { ...options(given, 4_000, 1_000), userTextTokens }
      const { keeps, stubs } = select(given, asked)
      return { isKept: keeps.includes(0), isStub: stubs.some(({ seq }) => seq === 0) }
    }
    expect(shownOf(60, 1_000)).toEqual({ isKept: true, isStub: false })
    expect(shownOf(900, 1_000)).toEqual({ isKept: false, isStub: false })
    // Nothing else would show it.
    expect(shownOf(900, 0)).toEqual({ isKept: true, isStub: true })
  })

  it('leaves pins as they are', async () => {
    const messages = build().user(words(900)).says(words(900)).user(words(900)).says('a').user('b')
    const given = await candidatesOf(messages, { pins: [0, 2] })
    const { stubs, line } = select(given, options(given, 400, 200))
    expect(stubs.map(({ seq }) => seq)).not.toContain(2)
    expect(sizeOf({ line, keeps: [], stubs, size: noSize }, given).wire).toBeLessThanOrEqual(400)
  })

  it('counts from where the candidates begin in the log', async () => {
    const given = await candidatesOf(build().user('a').says('b').user('c').says('d'), { from: 2 })
    expect(select(given, options(given, 1_000, 900)).line).toBe(2)
  })

  it('holds nothing where nothing fits', async () => {
    const given = await candidatesOf(build().user('a').says('b').user('c'))
    expect(select(given, options(given, 0, 0))).toMatchObject({ line: 3, keeps: [], stubs: [] })
  })

  it('leaves out nothing of an empty conversation', async () => {
    const given = await candidatesOf([])
    expect(select(given, options(given, 100, 50)).line).toBe(0)
  })
})

describe('a selection in the making', () => {
  it('knows the sum of what it shows after every change', async () => {
    const change = fc.oneof(
      fc.record({ at: fc.nat(20), keep: fc.nat(800), saving: fc.nat(30) }),
      fc.constantFrom('leave-out' as const, 'forget' as const),
    )
    await fc.assert(
      fc.asyncProperty(
        anyConversation,
        fc.array(fc.nat(20), { maxLength: 3 }),
        fc.array(change, { maxLength: 20, size: 'max' }),
        async (messages, pins, changes) => {
          const given = await candidatesOf(messages, { pins })
          const fixed = { tokens: 100, wire: 200 }
          const selection = new Selection(given, fixed, meter)
          for (const each of changes) {
            if (each === 'leave-out') selection.leaveOutOldest()
            else if (each === 'forget') selection.dropKept()
            else selection.shorten(each.at, each.keep, each.saving)
            const shown = sizeOf(selection.selected, given)
            expect(selection.total).toEqual(addSizes([fixed, shown]))
          }
        },
      ),
    )
  })

  it('shortens only where that saves enough', async () => {
    const selection = new Selection(await candidatesOf(build().user(words(100))), noSize, meter)
    selection.shorten(0, 99)
    expect(selection.selected.stubs).toEqual([])
    selection.shorten(0, 20)
    expect(selection.selected.stubs).toHaveLength(1)
    const { total } = selection
    selection.shorten(0, 60)
    expect(selection.total).toEqual(total)
  })

  it('takes a stub that was made before only where it would make the same', async () => {
    const given = await candidatesOf(build().user(words(400)).user('b'))
    const first = new Selection(given, noSize, meter)
    first.shorten(0, 40)
    const earlierStubs = first.selected.stubs
    const second = new Selection({ ...given, earlierStubs }, noSize, meter)
    second.shorten(0, 40)
    expect(second.selected.stubs[0]).toBe(earlierStubs[0])
    const third = new Selection({ ...given, earlierStubs }, noSize, meter)
    third.shorten(0, 80)
    expect(third.selected.stubs[0]?.size.tokens).toBeGreaterThan(earlierStubs[0]?.size.tokens ?? 0)
  })

  it('keeps the reasoning of the running turn alone', async () => {
    const thinks: MessageInput = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', signature: 'seal' },
        { type: 'text', text: words(400) },
      ],
    }
    const messages = build().user('a').add(thinks).user('b').add(thinks)
    const selection = new Selection(await candidatesOf(messages), noSize, meter)
    for (const at of [1, 3]) selection.shorten(at, 40)
    const kinds = selection.selected.stubs.map(({ parts }) => parts.map(({ type }) => type))
    expect(kinds).toEqual([['text'], ['reasoning', 'text']])
  })
})

/** The line is between units, and only what opened the running turn, or the one it cuts, is kept. */
function expectValid(
  { line, keeps, stubs }: SelectedMessages,
  { candidates, task }: Candidates,
): void {
  const first = candidates[0]?.message.seq ?? 0
  const units = unitsOf(candidates.map(({ message }) => message))
  expect([...units.map(({ from }) => from), candidates.length]).toContain(line - first)
  const cut = units.find(({ from }) => from === line - first)?.turn
  const openings = units.filter(
    ({ opensTurn, inCurrentTurn, turn }) => opensTurn && (inCurrentTurn || turn === cut),
  )
  for (const seq of keeps) {
    expect(seq).toBeLessThan(line)
    const opens = openings.some(({ from, to }) => seq >= first + from && seq < first + to)
    expect(opens || seq === task?.message.seq).toBe(true)
  }
  const stubbed = stubs.map(({ seq }) => seq)
  expect(stubbed).toEqual([...new Set(stubbed)].sort((left, right) => left - right))
  for (const seq of stubbed) {
    expect(seq >= line || keeps.includes(seq)).toBe(true)
    expect(candidates.some(({ message, pinSize }) => pinSize !== null && message.seq === seq)).toBe(
      false,
    )
  }
}
