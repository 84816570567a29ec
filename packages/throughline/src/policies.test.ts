import { describe, expect, it } from 'vitest'
import type { Policy } from './domain/policy.ts'
import { policies, readPolicy } from './policies.ts'

const { balanced } = policies
const slots = balanced.slots

describe('a policy', () => {
  it('is found by its name', () => {
    expect(readPolicy('balanced')).toEqual(balanced)
  })

  it('that we ship is one that we would take', () => {
    for (const policy of Object.values(policies)) expect(readPolicy({ ...policy })).toEqual(policy)
  })

  it('is as balanced is where it says nothing', () => {
    const read = readPolicy({ name: 'mine', trigger: { ratio: 0.9 }, target: undefined })
    expect(read).toEqual({ ...balanced, name: 'mine', trigger: { ratio: 0.9 } })
  })

  it('is a copy, which the caller cannot change afterwards', () => {
    const given = { name: 'mine', keepRecent: { messages: 8 } }
    const read = readPolicy(given)
    given.keepRecent.messages = 2
    expect(read.keepRecent.messages).toBe(8)
    expect(Object.isFrozen(read)).toBe(true)
  })

  it('takes amounts in either unit', () => {
    const read = readPolicy({
      name: 'mine',
      margin: { tokens: 100 },
      trigger: { tokens: 5_000 },
      target: { tokens: 4_999 },
    })
    expect(read.trigger).toEqual({ tokens: 5_000 })
  })

  it('may put its slots in another order between the first and the last', () => {
    const [system, profile, pins, ...rest] = slots
    const read = readPolicy({ name: 'mine', slots: [system, pins, profile, ...rest] })
    expect(read.slots.map(({ kind }) => kind).slice(0, 3)).toEqual(['system', 'pins', 'profile'])
  })

  it.each<[string, unknown, string]>([
    ['no policy of ours', 'toString', 'there is no such policy; there is balanced'],
    ['a number', 7, 'a policy is a name or an object'],
    ['nothing', null, 'a policy is a name or an object'],
    ['a list', [], 'a policy is a name or an object'],
    ['without a name', { name: '' }, 'needs a name'],
    ['named by a number', { name: 7 }, 'needs a name'],
    ['misspelt', { name: 'x', triger: { ratio: 0.5 } }, 'has no field "triger"'],
    ['with a reserve of halves', { name: 'x', reserve: { tokens: 1.5, ratioMax: 1 } }, 'reserve'],
    ['with more reserve than window', { name: 'x', reserve: { tokens: 1, ratioMax: 2 } }, '0 to 1'],
    ['without a reserve', { name: 'x', reserve: null }, 'reserve is'],
    ['that keeps a question alone', { name: 'x', keepRecent: { messages: 1 } }, 'at least 2'],
    ['with stubs that have no size', { name: 'x', stub: { ...balanced.stub, most: 1 } }, 'least'],
    ['with stubs without an amount', { name: 'x', stub: { least: 1, most: 2 } }, 'an amount is'],
    ['of another role', { name: 'x', derivedRole: 'assistant' }, 'derivedRole must be one of'],
    ['with a ratio above one', { name: 'x', trigger: { ratio: 75 } }, '0 to 1'],
    ['with a ratio that is no number', { name: 'x', margin: { ratio: Number.NaN } }, '0 to 1'],
    ['with fewer tokens than none', { name: 'x', margin: { tokens: -1 } }, 'a whole number'],
    ['with an amount of nothing', { name: 'x', margin: {} }, 'an amount is'],
    ['with a bare number', { name: 'x', margin: 0.02 }, 'an amount is'],
    ['with its target at the trigger', { name: 'x', target: { ratio: 0.75 } }, 'below trigger'],
    [
      'with its target above the trigger, in tokens',
      { name: 'x', trigger: { tokens: 10 }, target: { tokens: 11 } },
      'below trigger (10)',
    ],
    ['without slots', { name: 'x', slots: {} }, 'slots must be an array'],
    ['with a slot too few', { name: 'x', slots: slots.slice(1) }, 'once'],
    ['with a slot twice', { name: 'x', slots: [...slots.slice(0, -1), slots[0]] }, 'once'],
    ['with a slot that is none', { name: 'x', slots: [null, ...slots.slice(1)] }, 'once'],
    ['with the system prompt last', { name: 'x', slots: slots.toReversed() }, 'first'],
    [
      'with the question in the middle',
      { name: 'x', slots: [slots[0], slots[6], ...slots.slice(1, 6)] },
      'the current slot must be the last',
    ],
    [
      'with a share that is no amount',
      { name: 'x', slots: slots.map((slot) => ({ ...slot, share: 5 })) },
      'an amount is',
    ],
  ])('is refused where it is %s', (_, input, why) => {
    expect(() => readPolicy(input)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(why) }),
    )
  })

  it('cannot be changed in its parts', () => {
    const { reserve }: Policy = readPolicy({ name: 'mine', reserve: { tokens: 7, ratioMax: 1 } })
    expect(Object.isFrozen(reserve)).toBe(true)
  })

  it('is refused in our words where it holds a function', () => {
    const share = { ratio: 0.1, of: () => 1 }
    const input = { name: 'x', slots: slots.map((slot) => ({ ...slot, share })) }
    expect(() => readPolicy(input)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})
