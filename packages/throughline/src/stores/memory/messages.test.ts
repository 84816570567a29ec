import { expect, it } from 'vitest'
import { MemoryMessages, type MessageRow } from './messages.ts'

interface Given {
  readonly calls?: readonly string[]
  readonly answered?: readonly (readonly [callId: string, callSeq: number])[]
}

const row = (seq: number, { calls = [], answered = [] }: Given = {}): MessageRow => ({
  // Safe cast: only these fields of a message are read here.
  message: { calls, answers: [], files: [], key: null } as unknown as MessageRow['message'],
  ...{ seq, chain: `${seq}`, marks: [], repeated: false },
  answered: answered.map(([callId, callSeq]) => ({ callId, callSeq })),
})

const broken = expect.objectContaining({ code: 'INVARIANT_BROKEN' })

it('has messages without gaps from its first place on', () => {
  const messages = new MemoryMessages(3, [])
  messages.add(row(3))
  expect(() => messages.add(row(5))).toThrow(broken)
  expect(() => messages.add(row(3))).toThrow(broken)
  messages.add(row(4))
  expect(messages.row(4).seq).toBe(4)
  expect(() => messages.row(5)).toThrow(broken)
  expect(() => messages.row(2)).toThrow(broken)
})

it('finds the newest call without a result before a place', () => {
  const messages = new MemoryMessages(1, [{ callId: 'a', seq: 0 }])
  for (const each of [row(1, { calls: ['a'] }), row(2), row(3, { answered: [['a', 1]] })])
    messages.add(each)
  expect(messages.findUnansweredCall('a', 9)).toBe(0)
  expect(messages.findUnansweredCall('a', 0)).toBeNull()
  expect(messages.findUnansweredCall('b', 9)).toBeNull()
  messages.add(row(4, { calls: ['a'] }))
  expect(messages.findUnansweredCall('a', 5)).toBe(4)
  expect(messages.findUnansweredCall('a', 4)).toBe(0)
})

it('lists calls that had no result at a place, oldest first', () => {
  const messages = new MemoryMessages(0, [])
  messages.restore(
    [row(0, { calls: ['a'] }), row(1, { calls: ['b'] }), row(2, { answered: [['a', 0]] }), row(3)],
    [{ callId: 'b', seq: 1 }],
  )
  const callsBefore = (at: number) => messages.unansweredBefore(at).map(({ callId }) => callId)
  expect([0, 1, 2, 3].map(callsBefore)).toEqual([[], ['a'], ['a', 'b'], ['b']])
})
