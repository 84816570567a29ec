import { describe, expect, it } from 'vitest'
import { hashOfPolicy } from '../config.ts'
import type { Policy } from '../domain/policy.ts'
import { fixedPriorities } from './balanced-data.ts'
import { policies } from './presets.ts'
import { readPolicy } from './read-policy.ts'

const balanced = readPolicy('balanced')
const { slots } = balanced
const advanced = (settings: object) => ({ name: 'x', advanced: settings })

describe('a policy', () => {
  it('is found by its name', () => {
    const { advanced: few, extends: _, ...settings } = policies.coding
    const priorities = { ...fixedPriorities, ...few.trim.priorities }
    const flat = { ...settings, ...few, trim: { ...few.trim, priorities } }
    expect(readPolicy('coding')).toEqual(flat)
  })

  it('that we ship is one that we would take', () => {
    for (const policy of Object.values(policies))
      expect(readPolicy({ ...policy })).toEqual(readPolicy(policy.name))
  })

  it('is as balanced is where it says nothing', () => {
    const triggers = [{ kind: 'tokenRatio', at: 0.9, reset: 0.5, of: 'window' }] as const
    const read = readPolicy({ name: 'mine', triggers, target: undefined })
    expect(read).toEqual({ ...balanced, name: 'mine', triggers })
  })

  it('is as the policy is that it extends where it says nothing, in its parts too', () => {
    const chain = readPolicy('ratio-chain')
    const read = readPolicy({
      name: 'mine',
      extends: 'ratio-chain',
      limits: { calls: 9 },
      reserve: { tokens: 7 },
      advanced: {
        guards: { minMessages: 3 },
        trim: { smallTokens: 7, priorities: { 'old-user-text': 99 } },
        stub: { most: 99 },
      },
    })
    expect(read).toEqual({
      ...chain,
      name: 'mine',
      limits: { ...chain.limits, calls: 9 },
      reserve: { ...chain.reserve, tokens: 7 },
      guards: { ...chain.guards, minMessages: 3 },
      trim: {
        ...chain.trim,
        smallTokens: 7,
        priorities: { ...chain.trim.priorities, 'old-user-text': 99 },
      },
      stub: { ...chain.stub, most: 99 },
    })
  })

  it('keeps the rest of a shipped policy where it is a copy of it with changes', () => {
    const read = readPolicy({ ...policies.coding, name: 'mine', advanced: { fill: 'recent' } })
    expect(read).toEqual({ ...readPolicy('coding'), name: 'mine', fill: 'recent' })
  })

  it('completes summarizers, runs and narratives from what we ship', () => {
    const read = readPolicy({
      name: 'mine',
      run: { mode: 'background' },
      summarizers: [{ style: 'structured' }, { style: 'running' }, { style: 'digest' }],
      advanced: { narrative: { style: 'tool-lines' } },
    })
    expect(read.run).toEqual({ mode: 'background', waitMs: 10_000 })
    expect(read.summarizers).toEqual([
      { style: 'structured', depthMax: 3, transcriptTokens: 8_000 },
      { style: 'running', prompt: 'rows', chunkTokens: null },
      { style: 'digest', prompt: null },
    ])
    expect(read.narrative).toEqual({ style: 'tool-lines', errorDetails: true })
  })

  it('S0-063 S0-064 S0-065 S0-066 A-004 A-015: has the figures of a turn memory where it names none', () => {
    expect(policies['turn-memory'].advanced.turns).toEqual({
      ...{ responseCharacters: 400, fullTurns: 3, fullSteps: 3, significantSteps: 2 },
      ...{ pendingTurns: 3, activeTurns: 5, inactiveTurns: 2, entitiesPerType: 5 },
      ...{ historyCharacters: 2_000, proposalCharacters: 2_000 },
      ...{ condensedTokens: 8_000, fullTokens: 25_000 },
    })
    const turns = { fullTurns: 7, fullSteps: undefined }
    const read = readPolicy({ name: 'mine', advanced: { turns } })
    expect(read.turns).toEqual({ ...policies['turn-memory'].advanced.turns, fullTurns: 7 })
    expect(Object.hasOwn(readPolicy({ name: 'mine' }), 'turns')).toBe(false)
  })

  it('keeps its hash while its settings stay, so that views stay in force', () => {
    expect(hashOfPolicy(balanced)).toBe('42ef2ea5edd47331')
    expect(hashOfPolicy(readPolicy({ ...policies.balanced }))).toBe('42ef2ea5edd47331')
    expect(hashOfPolicy(readPolicy('running-rag'))).toBe('a3e8588a564b5118')
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
      triggers: [{ kind: 'tokens', at: 5_000 }],
      target: { tokens: 4_999 },
    })
    expect(read.target).toEqual({ tokens: 4_999 })
  })

  it('may leave out the slots of older messages', () => {
    const without = slots.filter(({ kind }) => !['summary', 'ledger', 'files'].includes(kind))
    expect(readPolicy(advanced({ slots: without })).slots).toEqual(without)
  })

  it('may put its slots in another order between the first and the last', () => {
    const [system, profile, pins, ...rest] = slots
    const read = readPolicy(advanced({ slots: [system, pins, profile, ...rest] }))
    expect(read.slots.map(({ kind }) => kind).slice(0, 3)).toEqual(['system', 'pins', 'profile'])
  })

  it.each<[string, unknown, string]>([
    ['no policy of ours', 'toString', 'unknown policy; use one of balanced'],
    ['a number', 7, 'a policy is a name or an object'],
    ['nothing', null, 'a policy is a name or an object'],
    ['a list', [], 'a policy is a name or an object'],
    ['without a name', { name: '' }, 'name must be a text, got ""'],
    ['without any name', {}, 'name is missing'],
    ['named by a number', { name: 7 }, 'name must be a text, got 7'],
    ['a copy of what is none', { name: 'x', extends: 'zen' }, 'extends must be balanced, chat,'],
    ['misspelt', { name: 'x', trigers: [] }, 'unknown setting "trigers"; did you mean "triggers"?'],
    ['named after a method', { name: 'x', constructor: 1 }, 'unknown setting "constructor"'],
    [
      'advanced in the wrong place',
      { name: 'x', guards: {} },
      'unknown setting "guards"; it is "advanced.guards"',
    ],
    [
      'with guards misspelt',
      advanced({ guards: { cooldown: 4 } }),
      'unknown setting "advanced.guards.cooldown"; the settings are cooldownMessages, minMessages,',
    ],
    [
      'with half a cooldown',
      advanced({ guards: { cooldownMessages: 0.5 } }),
      'advanced.guards.cooldownMessages must be a whole number from 0, got 0.5',
    ],
    ['with guards of nothing', advanced({ guards: null }), 'advanced.guards must be an object'],
    [
      'with a rule misspelt',
      advanced({ trim: { orders: 'age' } }),
      'unknown setting "advanced.trim.orders"; did you mean "order"?',
    ],
    [
      'with another order',
      advanced({ trim: { order: 'size' } }),
      'share, priority or age, got "size"',
    ],
    ['with no such class', advanced({ trim: { priorities: { task: 1 } } }), 'priorities.task"'],
    [
      'with a priority of words',
      advanced({ trim: { priorities: { 'old-user-text': 'high' } } }),
      'advanced.trim.priorities.old-user-text must be a number, got "high"',
    ],
    ['without triggers', { name: 'x', triggers: null }, 'triggers must be an array of triggers'],
    [
      'with no such trigger',
      { name: 'x', triggers: [{ kind: 'mood' }] },
      'triggers[0].kind must be tokenRatio, tokens, messages, turns, onTrim, periodic, all or any',
    ],
    ['with a trigger of nothing', { name: 'x', triggers: [null] }, 'triggers[0] must be'],
    [
      'with a trigger misspelt',
      { name: 'x', triggers: [{ kind: 'tokens', at: 5, off: 1 }] },
      'unknown setting "triggers[0].off"; did you mean "of"?',
    ],
    [
      'with half a trigger misspelt',
      { name: 'x', triggers: [{ kind: 'tokens', att: 5 }] },
      'triggers[0].at is missing; unknown setting "triggers[0].att"; did you mean "at"?',
    ],
    [
      'with a reset above its trigger',
      { name: 'x', triggers: [{ kind: 'tokenRatio', at: 0.7, reset: 0.8, of: 'free' }] },
      'triggers[0] must have reset < at',
    ],
    [
      'with a reset above its trigger without a model',
      {
        name: 'x',
        triggers: [{ kind: 'tokenRatio', at: 0.9, withoutModel: 0.7, reset: 0.8, of: 'free' }],
      },
      'triggers[0] must have reset < at, and < withoutModel',
    ],
    [
      'with a target above its trigger without a model',
      {
        name: 'x',
        triggers: [{ kind: 'tokenRatio', at: 0.9, withoutModel: 0.4, reset: 0.3, of: 'free' }],
      },
      'target (0.45) must be below the trigger (0.4)',
    ],
    [
      'with a ratio of something else',
      { name: 'x', triggers: [{ kind: 'tokenRatio', at: 0.7, reset: 0.6, of: 'disk' }] },
      'triggers[0].of must be window, available or free, got "disk"',
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
      'keepRecent must be a number of one of messages, turns, exchanges or tokens',
    ],
    ['that keeps half a turn', { name: 'x', keepRecent: { turns: 0.5 } }, 'keepRecent.turns must'],
    [
      'that keeps a question alone',
      { name: 'x', keepRecent: { messages: 1 } },
      'keepRecent.messages must be a whole number from 2, got 1',
    ],
    [
      'with a share for pins',
      advanced({ slots: slots.map((slot) => ({ ...slot, share: { ratio: 0.1 } })) }),
      'advanced.slots[0] has a share, which only profile, retrieved, summary, ledger or files may',
    ],
    ['with two units', advanced({ margin: { ratio: 0.1, tokens: 5 } }), 'must be an amount'],
    [
      'with models that are none',
      { name: 'x', models: {} },
      'models must be an array of overrides',
    ],
    ['with a model without a name', { name: 'x', models: [{ match: '' }] }, 'models[0].match'],
    ['with a model misspelt', { name: 'x', models: [{ match: 'a', at: 1 }] }, 'models[0].at'],
    [
      'with a target at the trigger for some model',
      { name: 'x', models: [{ match: 'a', target: { ratio: 0.85 } }] },
      'target (0.85) must be below the trigger (0.75)',
    ],
    [
      'with a reserve of halves',
      { name: 'x', reserve: { tokens: 1.5 } },
      'reserve.tokens must be a whole number from 0, got 1.5',
    ],
    [
      'with more reserve than window',
      { name: 'x', reserve: { ratioMax: 2 } },
      'from 0 to 1, got 2',
    ],
    ['without a reserve', { name: 'x', reserve: null }, 'reserve must be an object, got null'],
    [
      'with half a reserve for a model',
      { name: 'x', models: [{ match: 'a', reserve: { tokens: 1 } }] },
      'models[0].reserve.ratioMax is missing',
    ],
    [
      'with stubs that have no size',
      advanced({ stub: { most: 1 } }),
      'whole number from 24, got 1',
    ],
    ['with stubs of a bare number', advanced({ stub: { tokens: 9 } }), 'must be an amount'],
    ['of another role', advanced({ derivedRole: 'assistant' }), 'advanced.derivedRole must be'],
    ['with a ratio above one', { name: 'x', target: { ratio: 75 } }, 'from 0 to 1, got 75'],
    ['with a ratio that is no number', advanced({ margin: { ratio: Number.NaN } }), '0 to 1'],
    ['with fewer tokens than none', advanced({ margin: { tokens: -1 } }), 'a whole number from 0'],
    [
      'that pins more than it leaves',
      advanced({ pinUserMessages: { ratio: 0.6 } }),
      'advanced.pinUserMessages.ratio must be a ratio from 0 to 0.5, got 0.6',
    ],
    ['that pins no amount', advanced({ pinUserMessages: true }), 'must be an amount'],
    ['with an amount of nothing', advanced({ margin: {} }), 'must be an amount'],
    ['with a bare number', advanced({ margin: 0.02 }), 'must be an amount'],
    ['with its target at the trigger', { name: 'x', target: { ratio: 0.8 } }, 'below the trigger'],
    [
      'with its target above the trigger, in tokens',
      { name: 'x', triggers: [{ kind: 'tokens', at: 10 }], target: { tokens: 11 } },
      'below the trigger (10)',
    ],
    ['without slots', advanced({ slots: {} }), 'advanced.slots must be an array of slots'],
    ['with a slot too few', advanced({ slots: slots.slice(1) }), 'slots must hold system'],
    ['with a slot twice', advanced({ slots: [...slots, slots[0]] }), 'once'],
    ['with a slot that is none', advanced({ slots: [...slots, null] }), 'slots[10] must be'],
    [
      'of another style',
      advanced({ narrative: { style: 'verse' } }),
      'advanced.narrative.style must be chronicle or tool-lines, got "verse"',
    ],
    [
      'with lines of tools that say nothing of errors',
      advanced({ narrative: { style: 'tool-lines', errorDetails: 1 } }),
      'advanced.narrative.errorDetails must be true or false, got 1',
    ],
    [
      'with a chronicle of errors',
      advanced({ narrative: { style: 'chronicle', errorDetails: true } }),
      'unknown setting "advanced.narrative.errorDetails"',
    ],
    [
      'with the system prompt last',
      advanced({ slots: slots.toReversed() }),
      'begin with the system',
    ],
    [
      'with the question in the middle',
      advanced({ slots: [slots[0], slots.at(-1), ...slots.slice(1, -1)] }),
      'must end with the current slot',
    ],
    [
      'with turns and no history',
      advanced({ slots: [...slots.slice(0, -1), { kind: 'turns' }, slots.at(-1)] }),
      'must hold turns and history together',
    ],
    [
      'with a share for what has rules of its own',
      advanced({
        slots: [...slots.slice(0, -1), { kind: 'theme', share: { tokens: 1 } }, slots.at(-1)],
      }),
      'slots[9] has a share',
    ],
    [
      'without a turn in full',
      advanced({ turns: { fullTurns: 0 } }),
      'turns.fullTurns must be a whole number from 1',
    ],
    ['with half a step', advanced({ turns: { fullSteps: 0.5 } }), 'turns.fullSteps must be'],
    ['with rules of turns unknown', advanced({ turns: { all: 1 } }), '"advanced.turns.all"'],
    ['with turns that are none', advanced({ turns: 3 }), 'turns must be an object'],
    [
      'with a share that is no amount',
      advanced({ slots: slots.map((slot) => (slot.share ? { ...slot, share: 5 } : slot)) }),
      'must be an amount',
    ],
    ['without patience', { name: 'x', limits: { timeMs: 0 } }, 'limits.timeMs must be'],
    [
      'with money of words',
      { name: 'x', limits: { usd: 'much' } },
      'US dollars from 0, got "much"',
    ],
    [
      'with a depth of none',
      { name: 'x', summarizers: [{ style: 'structured', depthMax: 0 }] },
      'summarizers[0].depthMax must be a whole number from 1',
    ],
    [
      'with a style of its own',
      { name: 'x', summarizers: [{ style: 'haiku' }] },
      'summarizers[0].style must be structured, running or digest, got "haiku"',
    ],
    [
      'with a prompt for nothing',
      { name: 'x', summarizers: [{ style: 'digest', prompt: 'Tell.' }] },
      'summarizers[0].prompt must contain {context} exactly once',
    ],
    [
      'with nobody to ask',
      { name: 'x', summarizers: [{ style: 'digest', models: [] }] },
      'summarizers[0].models must be',
    ],
    [
      'with recall by halves',
      { name: 'x', recall: { share: { ratio: 1 }, most: 5 } },
      'recall.upTo is missing',
    ],
  ])('is refused where it is %s', (_, input, why) => {
    expect(() => readPolicy(input)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(why) }),
    )
  })

  it('cannot be changed in its parts', () => {
    const { reserve }: Policy = readPolicy({ name: 'mine', reserve: { tokens: 7 } })
    expect(Object.isFrozen(reserve)).toBe(true)
  })

  it('is refused in our words where it holds a function', () => {
    const share = { ratio: 0.1, of: () => 1 }
    const input = advanced({ slots: slots.map((slot) => ({ ...slot, share })) })
    expect(() => readPolicy(input)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})
