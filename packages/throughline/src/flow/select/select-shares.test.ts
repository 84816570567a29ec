import { describe, expect, it } from 'vitest'
import type { Size } from '../../domain/context.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { type Builder, build } from '../../testing/build.ts'
import { candidatesOf, options, rankedBy, words } from './candidates.test-support.ts'
import { select } from './select.ts'

/** Short exchanges that fill the room, so that no stub grows again; the oldest of them leave. */
function filled(exchanges: number): Builder {
  let conversation = build()
  for (let at = 0; at < exchanges; at += 1)
    conversation = conversation.user(`${at} ${words(8)}`).says(words(8))
  return conversation
}

interface Asked {
  readonly target?: number
  readonly fixed?: Size
  readonly triggerTokens?: number
  readonly rules?: Partial<TrimRules>
}

/** The tokens of each stub, by its place after the fillers. */
function stubsAfter(fillers: number, conversation: Builder, asked: Asked = {}) {
  const { target = 10_000, fixed = { tokens: 0, wire: 0 }, rules = {} } = asked
  const given = candidatesOf(conversation)
  const usual = options(given, 100_000, target, fixed)
  const { triggerTokens = 100_000 } = asked
  const { line, stubs, size } = select(given, {
    ...usual,
    limits: { ...usual.limits, triggerTokens },
    ranked: rankedBy(given, { ...readPolicy('balanced').trim, ...rules }),
  })
  // The oldest fillers left, and the rest of the room is used.
  expect(line).toBeGreaterThan(0)
  expect(line).toBeLessThan(fillers * 2)
  expect(size.tokens).toBeGreaterThan(target)
  return new Map(stubs.map((stub) => [stub.seq - fillers * 2, stub.size.tokens]))
}

/** A stub has a little less than its share, or its note on top. */
function expectShare(tokens: number | undefined, share: number): void {
  expect(tokens).toBeGreaterThan(share * 0.9)
  expect(tokens).toBeLessThan(share * 1.2)
}

const fillers = 600
/** One message in the middle, after a question and before the current turn. */
const withMessage = (add: (conversation: Builder) => Builder) =>
  add(filled(fillers).user('Go.'))
    .user('And now?')
    .says('Yes.')
    .user('Really?')
    .says('Yes.')
    .user('So?')
const output = (tokens: number) => withMessage((all) => all.calls('bash').result(words(tokens)))
const file = (tokens: number) =>
  withMessage((all) => all.calls('read', { path: 'a.ts' }).result(words(tokens)))
const reply = (tokens: number) => withMessage((all) => all.says(words(tokens)))
const question = (tokens: number) => withMessage((all) => all.says('Yes?').user(words(tokens)))

describe('with the order `share`, a message has at most', () => {
  it.each([
    ['2 % of the room if it is output', output, 2, 200],
    ['50 % if it is about a file', file, 2, 5_000],
    ['25 % if it is a reply', reply, 1, 2_500],
    ['35 % if it is of the user', question, 2, 3_500],
  ])('%s', (_, conversation, place, tokens) => {
    const stubs = stubsAfter(fillers, conversation(8_000))
    expect([...stubs.keys()]).toEqual([place])
    expectShare(stubs.get(place), tokens)
  })

  it('a share of what is left beside everything that is no message', () => {
    const fixed = { tokens: 5_000, wire: 6_000 }
    expectShare(stubsAfter(fillers, file(8_000), { target: 15_000, fixed }).get(2), 5_000)
  })

  it('55 % of the available tokens if it is in the newest unit', () => {
    const conversation = filled(fillers).user('Do it.').calls('bash').result(words(90_000))
    const stubs = stubsAfter(fillers, conversation)
    expect([...stubs.keys()]).toEqual([2])
    expectShare(stubs.get(2), 55_000)
    // Beside a task, which has 30 % of the room, it has less.
    const task = filled(fillers).user(words(20_000)).calls('bash').result(words(90_000))
    expectShare(stubsAfter(fillers, task).get(0), 3_000)
    expectShare(stubsAfter(fillers, task).get(2), 52_000)
    // The same output a step before is like any other.
    const before = stubsAfter(fillers, conversation.calls('bash').result('ok'))
    expectShare(before.get(2), 200)
  })

  it('as much as the newest result if it is the reply before a new user message', () => {
    const replied = filled(fillers).user('Go.').says(words(9_000)).user('The second one.')
    expect([...stubsAfter(fillers, replied)]).toEqual([])
    const used = filled(fillers).user('Go.').calls('bash').result(words(9_000)).user('And now?')
    expectShare(stubsAfter(fillers, used).get(2), 200)
  })

  it('as much if it is talk of the tail that the policy asks for', () => {
    const talk = filled(fillers).user('Go.').says(words(4_000)).user('And now?').calls('bash')
    expect([...stubsAfter(fillers, talk.result('ok'))]).toEqual([])
    const more = talk.result('ok').says('Yes.').user('Really?').says('Yes.').user('So?')
    expectShare(stubsAfter(fillers, more).get(1), 2_500)
  })

  it('70 % of the room if it is the task, and all of its tokens if it was just typed', () => {
    const typed = filled(fillers).user(words(9_000))
    expect([...stubsAfter(fillers, typed)]).toEqual([])
    const longer = filled(fillers).user(words(30_000)).calls('bash').result('ok')
    expectShare(stubsAfter(fillers, longer).get(0), 3_000)
    const task = filled(fillers).user(words(6_900)).calls('bash').result('ok')
    // So near the trigger, nothing would lengthen a stub again.
    expect([...stubsAfter(fillers, task, { triggerTokens: 11_000 })]).toEqual([])
    // It has less once another request follows.
    const earlier = longer.says('Done.').user('And now?')
    expectShare(stubsAfter(fillers, earlier).get(0), 3_500)
  })

  it('all of its tokens if it is an instructions file', () => {
    const instructions = (start: string) =>
      withMessage((all) => all.says('Yes?').user(`${start}${words(4_500)}`))
    const stubs = stubsAfter(fillers, instructions('# AGENTS.md instructions for /app\n\n'))
    expect([...stubs.keys()]).toEqual([])
    expect([...stubsAfter(fillers, instructions('')).keys()]).toEqual([2])
  })

  it('a fifth more than its share, because a note would save little', () => {
    expect([...stubsAfter(fillers, reply(2_980))]).toEqual([])
    expectShare(stubsAfter(fillers, reply(3_020)).get(1), 2_500)
  })

  it('a paragraph in any case if it is talk', () => {
    for (const talk of [reply, question])
      expect([...stubsAfter(fillers, talk(140), { target: 300 })]).toEqual([])
    expectShare(stubsAfter(fillers, reply(250), { target: 500 }).get(1), 128)
  })

  it('its own size if it is a small result, and else no less than a stub of the policy', () => {
    expect([...stubsAfter(fillers, output(80), { target: 1_000 })]).toEqual([])
    const rules = { smallTokens: 10 }
    const stubs = stubsAfter(fillers, output(95), { target: 1_000, rules })
    expect([...stubs.keys()]).toEqual([2])
    // With its frame and note; 2 % of the room would be 20 tokens.
    expect(stubs.get(2)).toBeGreaterThan(60)
  })

  it('no limit while all messages together are below the target', () => {
    const given = candidatesOf(build().user('Go.').calls('bash').result(words(5_000)).user('And?'))
    const selectedWith = (target: number) => {
      const usual = options(given, 100_000, target)
      // No stub grows again.
      return select(given, { ...usual, limits: { ...usual.limits, refillTokens: 0 } })
    }
    expect(selectedWith(6_000)).toMatchObject({ line: 0, stubs: [] })
    expect(selectedWith(4_000).stubs).toHaveLength(1)
  })
})

describe('with the order `share`, what is left out', () => {
  it('is the oldest, and nothing is shortened by its priority', () => {
    let conversation = build()
    for (let turn = 0; turn < 100; turn += 1)
      conversation = conversation.user(words(60)).calls('bash').result(words(150)).says(words(60))
    const given = candidatesOf(conversation)
    const shownBy = (order: TrimRules['order']) =>
      select(given, options(given, 100_000, 10_000, undefined, order))
    const [byShare, byPriority] = [shownBy('share'), shownBy('priority')]
    expect(byShare.stubs).toEqual([])
    expect(byPriority.stubs.length).toBeGreaterThan(10)
    expect(byPriority.line).toBeLessThan(byShare.line)
  })
})
