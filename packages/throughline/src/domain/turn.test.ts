import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { build } from '../testing/build.ts'
import type { Message, MessageInput } from './message.ts'
import { deriveTurns, type Turn } from './turn.ts'

type TurnMessage = Pick<Message, 'seq' | 'role' | 'parts'>

// Builders make the inputs of `append`; roles and parts are all that turns look at.
const numbered = (messages: Iterable<MessageInput>, first = 0): readonly TurnMessage[] =>
  [...messages].map((message, index) => ({
    seq: first + index,
    role: message.role,
    parts: typeof message.content === 'string' ? [] : (message.content as Message['parts']),
  }))

/** `[0 (1 2) (3)] [4…`: turns in brackets, steps in parentheses, … where a call waits. */
function drawn(turns: readonly Turn[]): string {
  return turns
    .map((turn) => {
      const first = turn.steps[0]?.span.from ?? turn.span.to
      const opening = range(turn.span.from, first)
      const steps = turn.steps.map(
        (step) => `(${range(step.span.from, step.span.to)}${step.open ? '…' : ''})`,
      )
      return `[${[opening, ...steps].filter(Boolean).join(' ')}]`
    })
    .join(' ')
}
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index).join(' ')
const draw = (messages: Iterable<MessageInput>, first = 0) =>
  drawn(deriveTurns(numbered(messages, first)))
const result = (callId: string): MessageInput => ({
  role: 'tool',
  content: [{ type: 'tool-result', callId, output: 'x' }],
})

describe('turns', () => {
  it('begin with a user message', () => {
    expect(draw(build().user('a').says('b').user('c').says('d'))).toBe('[0 (1)] [2 (3)]')
  })

  it('put messages before the first user message into a turn of its own', () => {
    expect(draw(build().system('s').says('hello').user('a'))).toBe('[(0) (1)] [2]')
  })

  it('keep a call, its result and nothing else in a step', () => {
    expect(draw(build().user('a').calls('read').result('x').says('b'))).toBe('[0 (1 2) (3)]')
  })

  it('keep parallel calls together until the last result', () => {
    expect(draw(build().user('a').callsAtOnce('r', 's').result('x').result('y').says('b'))).toBe(
      '[0 (1 2 3) (4)]',
    )
  })

  it('treat consecutive assistant messages as one step', () => {
    expect(draw(build().user('a').says('I look').calls('read').result('x'))).toBe('[0 (1 2 3)]')
  })

  it('keep everything after an open call of the newest turn in its step', () => {
    expect(draw(build().user('a').callsAtOnce('r', 's').result('x'))).toBe('[0 (1 2…)]')
  })

  it('do not wait for a call that was abandoned when the user wrote again', () => {
    expect(draw(build().user('a').calls('r').user('never mind').says('fine'))).toBe(
      '[0 (1)] [2 (3)]',
    )
  })

  it('begin no turn at a user message between a call and its result', () => {
    expect(draw(build().user('a').calls('r').user('hurry').result('x').user('b'))).toBe(
      '[0 (1 2 3)] [4]',
    )
  })

  it('bind a result to the nearest call where ids are used again', () => {
    const again = build().user('a').calls('r').add(result('call-0')).user('b')
    const call = build().calls('r').messages
    expect(draw([...again, ...call, result('call-0')])).toBe('[0 (1 2)] [3 (4 5)]')
  })

  it('keep a result without a call as a step of its own', () => {
    expect(draw([...build().user('a'), result('never'), ...build().says('b')])).toBe('[0 (1) (2)]')
  })

  it('do not begin at results that were sent with the role user', () => {
    const named = (callId: string): MessageInput => ({ ...result(callId), role: 'user' })
    const asked = build().user('a').callsAtOnce('r', 's')
    expect(draw([...asked, named('call-0')])).toBe('[0 (1 2…)]')
    expect(draw([...asked, named('call-0'), named('call-1'), ...build().says('b')])).toBe(
      '[0 (1 2 3) (4)]',
    )
  })

  it('treat the same id twice in one message as one call', () => {
    const call = { type: 'tool-call', callId: 'twice', name: 'n', input: {} } as const
    const message: MessageInput = { role: 'assistant', content: [call, call] }
    expect(draw([...build().user('a'), message, result('twice')])).toBe('[0 (1 2)]')
  })

  it('include calls that a user makes', () => {
    const call: MessageInput = {
      role: 'user',
      content: [{ type: 'tool-call', callId: 'u', name: 'check', input: {} }],
    }
    expect(draw([...build().user('a').says('b'), call, result('u'), ...build().says('c')])).toBe(
      '[0 (1)] [(2 3) (4)]',
    )
  })

  it('count places from where the messages begin', () => {
    expect(draw(build().user('a').calls('r').result('x'), 7)).toBe('[7 (8 9)]')
  })

  it('tile any messages exactly, with every pair inside one step', () => {
    const anyMessage = fc.oneof(
      fc.constant<MessageInput>({ role: 'user', content: 'u' }),
      fc.constant<MessageInput>({ role: 'assistant', content: 'a' }),
      fc
        .array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 })
        .map<MessageInput>((ids) => ({
          role: 'assistant',
          content: ids.map((id) => ({ type: 'tool-call', callId: `${id}`, name: 'n', input: {} })),
        })),
      fc.integer({ min: 0, max: 4 }).map((id) => result(`${id}`)),
    )
    fc.assert(
      fc.property(
        fc.array(anyMessage, { maxLength: 40 }),
        fc.integer({ min: 0, max: 99 }),
        (messages, first) => {
          const turns = deriveTurns(numbered(messages, first))
          let next = first
          for (const turn of turns) {
            expect(turn.span.from).toBe(next)
            expect(turn.span.to).toBeGreaterThan(turn.span.from)
            next = turn.span.to
            let stepEnd = turn.span.from
            for (const step of turn.steps) {
              expect(step.span.from).toBeGreaterThanOrEqual(stepEnd)
              stepEnd = step.span.to
              for (const call of step.calls) {
                expect(call.callSeq).toBeGreaterThanOrEqual(step.span.from)
                expect(call.resultSeq ?? call.callSeq).toBeLessThan(step.span.to)
              }
            }
            expect(stepEnd).toBeLessThanOrEqual(turn.span.to)
          }
          expect(next).toBe(first + messages.length)
          const calls = messages.flatMap(({ content }) => callIdsOf(content))
          const found = turns.flatMap((turn) => turn.steps.flatMap((step) => step.calls))
          expect(found.length).toBe(calls.length)
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Ids of the calls that a message makes, each once. */
function callIdsOf(content: MessageInput['content']): readonly string[] {
  if (typeof content === 'string') return []
  return [...new Set(content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))]
}
