import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, MessageInput, Part, Role } from '../../domain/message.ts'
import { build } from '../../testing/build.ts'
import { unitsOf } from './units.ts'

type Shown = Pick<Message, 'seq' | 'role' | 'parts'>

const numbered = (messages: Iterable<MessageInput>, first = 0): readonly Shown[] =>
  [...messages].map(({ role, content }, index) => ({
    seq: first + index,
    role,
    // Builders make the inputs of `append`; types and ids are all that units look at.
    parts: typeof content === 'string' ? [] : (content as Message['parts']),
  }))

/** `?0 (1 2) ?3! (4)!`: openings with ?, units of the running turn with !. */
const drawn = (messages: readonly Shown[]) =>
  unitsOf(messages)
    .map(({ from, to, opensTurn, inCurrentTurn }) => {
      const places = Array.from({ length: to - from }, (_, index) => from + index).join(' ')
      return `${opensTurn ? `?${places}` : `(${places})`}${inCurrentTurn ? '!' : ''}`
    })
    .join(' ')

describe('units', () => {
  it('are the opening of a turn and each of its steps', () => {
    const messages = build().user('a').calls('read').result('x').says('b').user('c').says('d')
    expect(drawn(numbered(messages))).toBe('?0 (1 2) (3) ?4! (5)!')
  })

  it('are places in the list, wherever the list begins in the log', () => {
    expect(drawn(numbered(build().says('a').user('b'), 500))).toBe('(0) ?1!')
  })

  it('have no opening without a user message', () => {
    expect(drawn(numbered(build().system('s').says('a')))).toBe('(0)! (1)!')
    expect(drawn([])).toBe('')
  })

  it('hold several messages of a user that follow one another apart', () => {
    expect(drawn(numbered(build().user('a').user('b').says('c')))).toBe('?0 ?1! (2)!')
  })

  it('cover everything in order, and part no call from its result', () => {
    const ids = fc.constantFrom('a', 'b', 'c')
    const part = fc.tuple(fc.constantFrom('text', 'tool-call', 'tool-result'), ids)
    const roles = fc.constantFrom<Role>('user', 'assistant', 'tool', 'system')
    const anyMessages = fc.array(fc.tuple(roles, fc.array(part, { maxLength: 3 })), {
      size: 'medium',
    })
    const noOutput = { kind: 'text', text: '' }
    fc.assert(
      fc.property(anyMessages, fc.nat(1_000), (messages, first) => {
        const shown = messages.map(([role, parts], index) => ({
          seq: first + index,
          role,
          parts: parts.map(
            ([type, callId]) =>
              ({ type, callId, text: callId, output: noOutput }) as unknown as Part,
          ),
        }))
        const units = unitsOf(shown)
        let at = 0
        for (const { from, to } of units) {
          expect(from).toBe(at)
          expect(to).toBeGreaterThan(from)
          at = to
        }
        expect(at).toBe(shown.length)
        const unitAt = (place: number) => units.findIndex(({ to }) => place < to)
        const waiting = new Map<string, number[]>()
        for (const [place, { parts }] of shown.entries())
          for (const { type, callId } of parts as readonly { type: string; callId: string }[]) {
            const calls = waiting.get(callId) ?? []
            waiting.set(callId, calls)
            if (type === 'tool-call' && calls.at(-1) !== place) calls.push(place)
            if (type !== 'tool-result') continue
            const callPlace = calls.pop()
            if (callPlace !== undefined) expect(unitAt(callPlace)).toBe(unitAt(place))
          }
      }),
    )
  })
})
