import { describe, expect, it } from 'vitest'
import { hashOfPolicy } from '../config.ts'
import type { Policy } from '../domain/policy.ts'
import { policies } from '../policies.ts'
import { readPolicy } from './read-policy.ts'

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
    const triggers = [{ kind: 'tokenRatio', at: 0.9, reset: 0.5, of: 'window' }] as const
    const read = readPolicy({ name: 'mine', triggers, target: undefined })
    expect(read).toEqual({ ...balanced, name: 'mine', triggers })
  })

  it('is as balanced is inside its guards and rules too', () => {
    const read = readPolicy({
      name: 'mine',
      guards: { minMessages: 12 },
      trim: { smallTokens: 7, priorities: { task: 99 } },
    })
    expect(read.guards).toEqual({ ...balanced.guards, minMessages: 12 })
    expect(read.trim).toEqual({
      ...balanced.trim,
      smallTokens: 7,
      priorities: { ...balanced.trim.priorities, task: 99 },
    })
  })

  it('S0-063 S0-064 S0-065 S0-066 A-004 A-015: has the figures of a turn memory where it names none', () => {
    expect(policies['turn-memory'].turns).toEqual({
      ...{ responseCharacters: 400, fullTurns: 3, fullSteps: 3, significantSteps: 2 },
      ...{ pendingTurns: 3, activeTurns: 5, inactiveTurns: 2, entitiesPerType: 5 },
      ...{ historyCharacters: 2_000, proposalCharacters: 2_000 },
      ...{ condensedTokens: 8_000, fullTokens: 25_000 },
    })
    const read = readPolicy({ name: 'mine', turns: { fullTurns: 7, fullSteps: undefined } })
    expect(read.turns).toEqual({ ...policies['turn-memory'].turns, fullTurns: 7 })
    expect(Object.hasOwn(readPolicy({ name: 'mine' }), 'turns')).toBe(false)
  })

  it('keeps its hash while its settings stay, so that views stay in force', () => {
    expect(hashOfPolicy(balanced)).toBe('34ac8fa6f04eabbc')
    expect(hashOfPolicy(readPolicy({ ...balanced }))).toBe('34ac8fa6f04eabbc')
    expect(hashOfPolicy(policies['running-rag'])).toBe('f76e3f954fe2c2c6')
  })

  it('is a copy, which the caller cannot change afterwards', () => {
    const given = { name: 'mine', keepRecent: { messages: 8 } }
    const read = readPolicy(given)
    given.keepRecent.messages = 2
    expect(read.keepRecent).toEqual({ messages: 8 })
    expect(Object.isFrozen(read)).toBe(true)
  })

  it('takes amounts in either unit', () => {
    const read = readPolicy({
      name: 'mine',
      margin: { tokens: 100 },
      triggers: [{ kind: 'tokens', at: 5_000 }],
      target: { tokens: 4_999 },
    })
    expect(read.target).toEqual({ tokens: 4_999 })
  })

  it('has errors whole in lines of tools, unless it says otherwise', () => {
    const read = readPolicy({ name: 'mine', narrative: { style: 'tool-lines' } } as never)
    expect(read.narrative).toEqual({ style: 'tool-lines', errorDetails: true })
  })

  it('may leave out what stands for the past', () => {
    const without = slots.filter(({ kind }) => !['summary', 'ledger', 'files'].includes(kind))
    expect(readPolicy({ name: 'mine', slots: without }).slots).toEqual(without)
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
    [
      'with guards misspelt',
      { name: 'x', guards: { cooldown: 4 } },
      'has no field "guards.cooldown"',
    ],
    ['with half a cooldown', { name: 'x', guards: { cooldownMessages: 0.5 } }, 'whole numbers'],
    ['with guards of nothing', { name: 'x', guards: null }, 'guards must be an object'],
    ['with a rule misspelt', { name: 'x', trim: { orders: 'age' } }, 'has no field "trim.orders"'],
    ['with another order', { name: 'x', trim: { order: 'size' } }, 'priority or age'],
    ['with no such class', { name: 'x', trim: { priorities: { tasks: 1 } } }, 'priorities.tasks'],
    ['with a priority of words', { name: 'x', trim: { priorities: { task: 'high' } } }, 'a number'],
    ['without triggers', { name: 'x', triggers: null }, 'an array of triggers'],
    ['with no such trigger', { name: 'x', triggers: [{ kind: 'mood' }] }, 'triggers[0].kind'],
    ['with a trigger of nothing', { name: 'x', triggers: [null] }, 'triggers[0].kind'],
    [
      'with a trigger misspelt',
      { name: 'x', triggers: [{ kind: 'tokens', at: 5, off: 1 }] },
      'has no field "triggers[0].off"',
    ],
    [
      'with a reset above its trigger',
      { name: 'x', triggers: [{ kind: 'tokenRatio', at: 0.7, reset: 0.8, of: 'free' }] },
      'reset < at',
    ],
    [
      'with a ratio of something else',
      { name: 'x', triggers: [{ kind: 'tokenRatio', at: 0.7, reset: 0.6, of: 'disk' }] },
      'window, available or free',
    ],
    [
      'with tokens of something else',
      { name: 'x', triggers: [{ kind: 'tokens', at: 5, of: 'disk' }] },
      'request or conversation',
    ],
    ['that waits for nothing', { name: 'x', triggers: [{ kind: 'turns', since: 0 }] }, 'from 1'],
    ['with all of nothing', { name: 'x', triggers: [{ kind: 'all', of: [] }] }, 'not be empty'],
    [
      'with a trigger in a trigger that is none',
      { name: 'x', triggers: [{ kind: 'any', of: [{ kind: 'onTrim' }, {}] }] },
      'triggers[0].of[1].kind',
    ],
    [
      'that keeps two units',
      { name: 'x', keepRecent: { messages: 4, turns: 2 } },
      'a number of one',
    ],
    ['that keeps half a turn', { name: 'x', keepRecent: { turns: 0.5 } }, 'a whole number'],
    [
      'with a share for pins',
      { name: 'x', slots: slots.map((slot) => ({ ...slot, share: { ratio: 0.1 } })) },
      'has none',
    ],
    [
      'with an amount in two units',
      { name: 'x', margin: { ratio: 0.1, tokens: 5 } },
      'an amount is',
    ],
    ['with models that are none', { name: 'x', models: {} }, 'an array of overrides'],
    ['with a model without a name', { name: 'x', models: [{ match: '' }] }, 'models[0].match'],
    ['with a model misspelt', { name: 'x', models: [{ match: 'a', at: 1 }] }, 'models[0].at'],
    [
      'with a target at the trigger for some model',
      { name: 'x', models: [{ match: 'a', target: { ratio: 0.8 } }] },
      'below the trigger',
    ],
    ['with a reserve of halves', { name: 'x', reserve: { tokens: 1.5, ratioMax: 1 } }, 'reserve'],
    ['with more reserve than window', { name: 'x', reserve: { tokens: 1, ratioMax: 2 } }, '0 to 1'],
    ['without a reserve', { name: 'x', reserve: null }, 'reserve is'],
    ['that keeps a question alone', { name: 'x', keepRecent: { messages: 1 } }, 'at least 2'],
    ['with stubs that have no size', { name: 'x', stub: { ...balanced.stub, most: 1 } }, 'least'],
    ['with stubs without an amount', { name: 'x', stub: { least: 1, most: 2 } }, 'an amount is'],
    ['of another role', { name: 'x', derivedRole: 'assistant' }, 'derivedRole must be one of'],
    ['with a ratio above one', { name: 'x', target: { ratio: 75 } }, '0 to 1'],
    ['with a ratio that is no number', { name: 'x', margin: { ratio: Number.NaN } }, '0 to 1'],
    ['with fewer tokens than none', { name: 'x', margin: { tokens: -1 } }, 'a whole number'],
    ['that pins more than it leaves', { name: 'x', pinSaid: { ratio: 0.6 } }, 'at most'],
    ['that pins no amount', { name: 'x', pinSaid: true }, 'an amount is'],
    ['with an amount of nothing', { name: 'x', margin: {} }, 'an amount is'],
    ['with a bare number', { name: 'x', margin: 0.02 }, 'an amount is'],
    ['with its target at the trigger', { name: 'x', target: { ratio: 0.75 } }, 'below the trigger'],
    [
      'with its target above the trigger, in tokens',
      { name: 'x', triggers: [{ kind: 'tokens', at: 10 }], target: { tokens: 11 } },
      'below the trigger (10)',
    ],
    ['without slots', { name: 'x', slots: {} }, 'slots must be an array'],
    ['with a slot too few', { name: 'x', slots: slots.slice(1) }, 'slots must hold system'],
    ['with a slot twice', { name: 'x', slots: [...slots, slots[0]] }, 'once'],
    ['with a slot that is none', { name: 'x', slots: [...slots, null] }, 'once'],
    ['of another style', { name: 'x', narrative: { style: 'verse' } }, 'narrative.style must be'],
    [
      'with lines of tools that say nothing of errors',
      { name: 'x', narrative: { style: 'tool-lines', errorDetails: 1 } },
      'narrative.errorDetails must be true or false',
    ],
    [
      'with a chronicle of errors',
      { name: 'x', narrative: { style: 'chronicle', errorDetails: true } },
      'has no field "narrative.errorDetails"',
    ],
    ['with the system prompt last', { name: 'x', slots: slots.toReversed() }, 'first'],
    [
      'with the question in the middle',
      { name: 'x', slots: [slots[0], slots.at(-1), ...slots.slice(1, -1)] },
      'the current slot must be the last',
    ],
    [
      'with turns and no history',
      { name: 'x', slots: [...slots.slice(0, -1), { kind: 'turns' }, slots.at(-1)] },
      'the slots turns and history go together',
    ],
    [
      'with a share for what has rules of its own',
      {
        name: 'x',
        slots: [...slots.slice(0, -1), { kind: 'theme', share: { tokens: 1 } }, slots.at(-1)],
      },
      'theme has none',
    ],
    [
      'without a turn in full',
      { name: 'x', turns: { fullTurns: 0 } },
      'turns.fullTurns must be a whole number from 1',
    ],
    ['with half a step', { name: 'x', turns: { fullSteps: 0.5 } }, 'turns.fullSteps must be'],
    ['with rules of turns unknown', { name: 'x', turns: { all: 1 } }, 'no field "turns.all"'],
    ['with turns that are none', { name: 'x', turns: 3 }, 'turns must be an object'],
    [
      'with a share that is no amount',
      { name: 'x', slots: slots.map((slot) => (slot.share ? { ...slot, share: 5 } : slot)) },
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
