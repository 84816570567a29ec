import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../unknown-json.ts'
import { openaiResponsesProblems } from './responses-rules.ts'
import { repairItems, type WrittenItem } from './responses-write.ts'

const user: Fields = { role: 'user', content: 'Hello' }
const answer = (id?: string): Fields => ({
  ...{ type: 'message', role: 'assistant', content: 'Well.' },
  ...(id !== undefined && { id }),
})
const call = (call_id: string, id?: string): Fields => ({
  ...{ type: 'function_call', call_id, name: 'f', arguments: '{}' },
  ...(id !== undefined && { id }),
})
const output = (call_id: string): Fields => ({
  type: 'function_call_output',
  call_id,
  output: 'ok',
})
const reasoning = (id: string): Fields => ({ type: 'reasoning', id, summary: [] })
const repaired = (...items: readonly (Fields | WrittenItem)[]) =>
  repairItems(items.map((each) => ('item' in each ? (each as WrittenItem) : { item: each })))

describe('repaired items', () => {
  it('are the same items if the service accepts them', () => {
    const items = [user, reasoning('rs_1'), call('a', 'fc_1'), output('a'), answer('msg_1')]
    const written = repaired(...items)
    expect(written).toHaveLength(items.length)
    for (const [at, item] of written.entries()) expect(item).toBe(items[at])
  })

  it('have no call without its output, no output without its call, and none twice', () => {
    expect(repaired(user, call('a'))).toEqual([user])
    expect(repaired(output('a'), user)).toEqual([user])
    expect(repaired(output('a'), call('a'))).toEqual([])
    const [first, second] = [call('a', 'fc_1'), call('a', 'fc_2')]
    expect(repaired(first, second, output('a'), output('a'))).toEqual([first, output('a')])
    expect(repaired(call('a'), call('b'), output('b'), output('a'))).toHaveLength(4)
  })

  it('have an id once, and only if the service accepts it', () => {
    const { id: _, ...bare } = answer('msg_1')
    expect(repaired(answer('msg_1'), answer('msg_1'))).toEqual([answer('msg_1'), bare])
    expect(repaired(answer('no id'))).toEqual([bare])
    const fixed = { item: answer('msg_1'), isUnchangeable: true }
    expect(repaired(fixed, fixed)).toEqual([answer('msg_1')])
    expect(repaired({ item: answer('no id'), isUnchangeable: true }, user)).toEqual([user])
    const none = { ...bare, id: null }
    expect(repaired(none, none)).toEqual([none, none])
  })

  it('have an item that cannot change as it is, or not at all', () => {
    const broken = { type: 'function_call', call_id: 'a', name: '', arguments: '{}' }
    expect(repaired({ item: broken, isUnchangeable: true }, output('a'), user)).toEqual([user])
    expect(repaired(broken, output('a'))).toEqual([broken, output('a')])
  })

  it('have reasoning only before the item that followed it', () => {
    const thought = reasoning('rs_1')
    expect(repaired(thought, user)).toEqual([user])
    expect(repaired(answer(), thought)).toEqual([answer()])
    expect(repaired(thought, call('a'), user)).toEqual([user])
    expect(repaired(reasoning('rs_1'), reasoning('rs_2'), answer())).toHaveLength(3)
    expect(repaired(reasoning('rs_1'), reasoning('rs_2'), user)).toEqual([user])
    const before = (next: string) => ({ item: thought, next })
    expect(repaired(before('msg_1'), answer('msg_1'))).toHaveLength(2)
    expect(repaired(before('a'), call('a', 'fc_1'), output('a'))).toHaveLength(3)
    expect(repaired(before('msg_2'), answer('msg_1'))).toEqual([answer('msg_1')])
  })

  it('have an item without its id if its reasoning is gone', () => {
    const { id: _, ...bare } = answer('msg_1')
    const after = (item: Fields) => ({ item, after: 'rs_1' })
    expect(repaired(reasoning('rs_1'), after(answer('msg_1')))).toHaveLength(2)
    expect(repaired(after(answer('msg_1')))).toEqual([bare])
    expect(repaired(after(bare))).toEqual([bare])
    expect(repaired({ ...after(answer('msg_1')), isUnchangeable: true }, user)).toEqual([user])
  })

  it('repeat until nothing is left alone', () => {
    // Without its output the call goes, then its reasoning, then the unchangeable item that needs it.
    const needsFirst = { item: answer('msg_9'), after: 'rs_1', isUnchangeable: true }
    const needsThat = { item: reasoning('rs_2'), next: 'msg_9' }
    const first = { item: reasoning('rs_1'), next: 'a' }
    expect(repaired(first, call('a'), needsThat, needsFirst, user)).toEqual([user])
  })

  it('have text of a tool message after the outputs of all open calls', () => {
    const aside = { item: { role: 'user', content: 'see below' }, isBesideResults: true }
    const [a, b] = [call('a'), call('b')]
    expect(repaired(a, b, output('a'), aside, output('b'), user)).toEqual([
      ...[a, b, output('a'), output('b'), aside.item, user],
    ])
    expect(repaired(a, aside, user, output('a'), aside, b, output('b'))).toEqual([
      ...[a, user, output('a'), aside.item, aside.item, b, output('b')],
    ])
    expect(repaired(aside, a, output('a'))).toEqual([aside.item, a, output('a')])
  })

  it('are accepted by the service, whatever was written', () => {
    const id = fc.constantFrom('a', 'b')
    const anyItem = fc.oneof(
      fc.constant(user),
      fc.option(id, { nil: undefined }).map((each) => answer(each && `msg_${each}`)),
      fc
        .tuple(id, fc.option(id, { nil: undefined }))
        .map(([one, own]) => call(one, own && `fc_${own}`)),
      id.map(output),
      id.map((each) => reasoning(`rs_${each}`)),
    )
    const written = fc.record({
      item: anyItem,
      after: fc.constantFrom(undefined, 'rs_a', 'rs_b'),
      next: fc.constantFrom(undefined, 'msg_a', 'fc_b', 'a'),
      isUnchangeable: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), (items) => {
        // Reasoning cannot be written again.
        const isReasoning = ({ item }: WrittenItem) => item['type'] === 'reasoning'
        const input = repairItems([
          { item: user },
          ...items.map((each) => ({
            ...each,
            isUnchangeable: each.isUnchangeable || isReasoning(each),
          })),
        ])
        const problems = openaiResponsesProblems({ input })
        expect(problems).toEqual([])
        // A valid list stays unchanged.
        expect(repairItems(input.map((item) => ({ item })))).toEqual(input)
      }),
      { numRuns: 300 },
    )
  })
})
