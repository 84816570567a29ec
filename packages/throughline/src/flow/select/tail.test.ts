import { describe, expect, it } from 'vitest'
import { noSize } from '../../domain/context.ts'
import type { KeepRecent } from '../../domain/policy.ts'
import { type Builder, build } from '../../testing/build.ts'
import { candidatesOf, meter, words } from './candidates.test-support.ts'
import { Selection } from './selection.ts'
import { halvedTailStart, initialTailStart } from './tail.ts'

const roomy = Number.POSITIVE_INFINITY

function tailOf(conversation: Builder, keepRecent: KeepRecent, roomTokens = roomy) {
  const selection = new Selection(candidatesOf(conversation), noSize, meter)
  const { units } = selection
  const tail = initialTailStart(selection, keepRecent, roomTokens)
  return { units, tail, from: units[tail]?.from, messages: units.at(-1)?.to ?? 0 }
}

const turn = (conversation: Builder, tokens = 10) =>
  conversation.user(words(tokens)).calls('read').result(words(tokens)).says(words(tokens))

/** Four messages a turn. */
function turns(count: number): Builder {
  let conversation = build()
  for (let index = 0; index < count; index += 1) conversation = turn(conversation)
  return conversation
}

describe('the tail', () => {
  it.each([
    ['6 messages, and the call of the first of them', { messages: 6 }, 13],
    ['5 messages', { messages: 5 }, 15],
    ['2 turns', { turns: 2 }, 12],
    ['1 turn', { turns: 1 }, 16],
    ['2 exchanges', { exchanges: 2 }, 12],
    ['so many tokens', { tokens: 80 }, 16],
    ['all, where there is less', { turns: 50 }, 0],
  ] satisfies [string, KeepRecent, number][])('XC-7, X4-1: is %s', (_, keepRecent, from) => {
    expect(tailOf(turns(5), keepRecent).from).toBe(from)
  })

  it('is as many messages as are asked for, down to the second of all', () => {
    const chat = build().user('a').says('b').user('c').says('d').user('e').says('f')
    for (const messages of [2, 3, 4, 5, 6])
      expect(tailOf(chat, { messages }).from).toBe(6 - messages)
  })

  it('is as many tokens as are asked for, to the token', () => {
    const selection = new Selection(candidatesOf(turns(5)), noSize, meter)
    const newest = selection.units.slice(-4)
    const tokens = newest.reduce((sum, unit) => sum + selection.tokensOf(unit), 0)
    const first = selection.units.length - 4
    expect(initialTailStart(selection, { tokens }, roomy)).toBe(first)
    expect(initialTailStart(selection, { tokens: tokens - 1 }, roomy)).toBe(first + 1)
  })

  it('XC-7: does not count a question as an exchange before it is answered', () => {
    const asked = turns(3).user('And?')
    expect(tailOf(asked, { exchanges: 1 }).from).toBe(8)
    expect(tailOf(asked, { turns: 1 }).from).toBe(11)
    expect(tailOf(asked, { turns: 2 }).from).toBe(8)
    expect(tailOf(asked.says('Yes.'), { exchanges: 1 }).from).toBe(12)
    // A question that was never answered, between two exchanges.
    expect(tailOf(turn(turns(2).user('And?')), { exchanges: 2 }).from).toBe(4)
  })

  it('XC-7: counts an answer in the step that also called a tool', () => {
    const call = { type: 'tool-call', callId: 'call-0', name: 'run', input: {} } as const
    const answer = {
      role: 'assistant',
      content: [{ type: 'text', text: 'I run it.' }, call],
    } as const
    const answered = build().user('a').says('b').user('c').add(answer).result('d').user('And?')
    expect(tailOf(answered, { exchanges: 1 }).from).toBe(2)
    const silent = build().user('a').says('b').user('c').calls('run').result('d').user('And?')
    expect(tailOf(silent, { exchanges: 1 }).from).toBe(0)
  })

  it.each([[{ messages: 0 }], [{ messages: 1 }], [{ tokens: 0 }], [{ turns: 0 }]] satisfies [
    KeepRecent,
  ][])('S1-063: has 2 messages at least, also for %o', (keepRecent) => {
    const conversation = build().user('a').says('b').user('c').says('d')
    expect(tailOf(conversation, keepRecent, 0).from).toBe(2)
  })

  it('is no larger than its room, wherever it is asked to begin', () => {
    const conversation = turn(turn(turn(build(), 200), 200), 20)
    expect(tailOf(conversation, { turns: 3 }, 400).from).toBe(7)
    expect(tailOf(conversation, { turns: 3 }, 150).from).toBe(8)
  })

  it('U-001: of one giant turn begins between its closed steps', () => {
    let conversation = build().user('Do it.')
    for (let step = 0; step < 30; step += 1) conversation = conversation.calls('r').result('x')
    const { units, tail, from } = tailOf(conversation, { turns: 1 }, 100)
    expect(from).toBeGreaterThan(0)
    expect(units[tail]).toMatchObject({ opensTurn: false, inCurrentTurn: true })
    expect(units[tail]?.to).toBe((from ?? 0) + 2)
  })

  it('holds an open call and everything that it holds, and parts no parallel calls', () => {
    const conversation = turns(2).user('Go.').callsAtOnce('a', 'b', 'c').result('1').result('2')
    const { tail, units, messages } = tailOf(conversation, { messages: 2 }, 0)
    expect(units.slice(tail).map(({ from, to }) => [from, to])).toEqual([[9, messages]])
  })
})

describe('a tail that is too large', () => {
  const halves = (conversation: Builder, keepRecent: KeepRecent) => {
    const { units, tail, messages } = tailOf(conversation, keepRecent)
    const sizes: number[] = []
    for (let at: number | null = tail; at !== null; at = halvedTailStart(units, at))
      sizes.push(messages - (units[at]?.from ?? 0))
    return sizes
  }

  it('S1-063: is halved, and never has fewer than 2 messages', () => {
    let chat = build()
    for (let index = 0; index < 20; index += 1) chat = chat.user('a').says('b')
    expect(halves(chat, { messages: 20 })).toEqual([20, 10, 5, 2])
    expect(halves(chat, { messages: 3 })).toEqual([3, 2])
  })

  it('S1-063: is halved between units', () => {
    expect(halves(turns(4), { messages: 16 })).toEqual([16, 8, 4, 3])
  })
})
