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
/** #0 a user message, #2 output, #4 a file, #5 a reply, #6 the task, #8 the newest output. */
const session = (newestTokens = 50) =>
  filled(fillers)
    .user(words(3_000))
    .calls('bash')
    .result(words(3_000))
    .calls('read', { path: 'a.ts' })
    .result(words(5_000))
    .says(words(3_000))
    .user(`Do it: ${words(2_500)}`)
    .calls('bash')
    .result(words(newestTokens))

describe('with the order `share`, a message has at most', () => {
  it('a share of the room by its kind: output 2 %, talk 15 %, lines of files 35 %', () => {
    const stubs = stubsAfter(fillers, session())
    expect([...stubs.keys()]).toEqual([0, 2, 4, 5])
    for (const at of [0, 5]) expectShare(stubs.get(at), 1_500)
    expectShare(stubs.get(2), 200)
    expectShare(stubs.get(4), 3_500)
  })

  it('a share of what is left beside everything that is no message', () => {
    const fixed = { tokens: 5_000, wire: 6_000 }
    const stubs = stubsAfter(fillers, session(), { target: 15_000, fixed })
    expectShare(stubs.get(2), 200)
    expectShare(stubs.get(4), 3_500)
  })

  it('70 % of the room if it is in the newest unit', () => {
    const conversation = filled(fillers).user('Do it.').calls('bash').result(words(9_000))
    const stubs = stubsAfter(fillers, conversation)
    expect([...stubs.keys()]).toEqual([2])
    expectShare(stubs.get(2), 7_000)
    // The same output a step before is like any other.
    const before = stubsAfter(fillers, conversation.calls('bash').result('ok'))
    expectShare(before.get(2), 200)
  })

  it('all of its tokens if it is the task, however long', () => {
    // So near the trigger, nothing would lengthen a stub again.
    expect(stubsAfter(fillers, session(), { triggerTokens: 11_000 }).has(6)).toBe(false)
    // The same text is shortened once another request follows.
    const after = stubsAfter(fillers, session().says('Done.').user('And now?'))
    expectShare(after.get(6), 1_500)
  })

  it('a fifth more than its share, because a note would save little', () => {
    const reply = (tokens: number) =>
      filled(fillers).user('Go.').says(words(tokens)).user('And now?').says('Yes.').user('So?')
    expect([...stubsAfter(fillers, reply(1_780))]).toEqual([])
    expectShare(stubsAfter(fillers, reply(1_820)).get(1), 1_500)
  })

  it('its own size if it is a small result', () => {
    const output = filled(fillers).user('Go.').calls('bash').result(words(80)).user('And now?')
    expect([...stubsAfter(fillers, output, { target: 2_000 })]).toEqual([])
    const rules = { smallTokens: 10 }
    expect([...stubsAfter(fillers, output, { target: 2_000, rules }).keys()]).toEqual([2])
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
