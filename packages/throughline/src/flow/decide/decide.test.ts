import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noSize, type Size } from '../../domain/context.ts'
import type { Trigger } from '../../domain/decision.ts'
import { completeCard } from '../../domain/model-card.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { createMeter } from '../measure/measure.ts'
import { planBudget, policyFor } from '../measure/plan-budget.ts'
import {
  type DecideInput,
  decide,
  decideRenewal,
  epochCauseOf,
  neverCompacted,
  triggerStateAfter,
} from './decide.ts'

const tokenizer = { id: 'words/1', exact: true, count: (text: string) => text.length }
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })
const nothing = { system: noSize, tools: noSize, pins: noSize }
/** Fires early enough for the guards: between its trigger and the limit, an epoch can grow. */
const balanced = readPolicy({
  name: 'early',
  triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }],
  target: { ratio: 0.35 },
})
const plan = planBudget(meter, balanced, nothing, null)
const { targetTokens, availableTokens } = plan.budget
const firesAt = Math.ceil(plan.freeTokens * 0.75)

const size = (tokens: number, wire = tokens): Size => ({ tokens, wire })

/** A long conversation in the middle of an epoch that began some time ago. */
const asking = (given: Partial<DecideInput> = {}): DecideInput => ({
  policy: balanced,
  writer: null,
  mode: 'on',
  suspended: false,
  requestedCompaction: null,
  plan,
  head: 100,
  coveredTo: 0,
  state: { armed: true, compactedAt: 60 },
  view: { line: 40, beganTokens: targetTokens },
  size: size(targetTokens),
  turnsSince: 4,
  ...given,
})

const triggered = (...triggers: readonly Trigger[]): DecideInput['policy'] => ({
  triggers,
  fill: 'target',
  guards: { cooldownMessages: 4, minMessages: 12, regrowthRatio: 0 },
})
/** The guards and triggers of the plan with ratios and a chain. */
const ratioOfWindow: Trigger = { kind: 'tokenRatio', at: 0.8, reset: 0.7, of: 'window' }

describe('an epoch', () => {
  it('continues below the trigger, with the figures', () => {
    expect(decide(asking({ size: size(firesAt - 1) }))).toEqual({
      kind: 'continue',
      reason: 'below',
      shadow: false,
      armed: true,
      figures: {
        tokens: firesAt - 1,
        availableTokens,
        ratio: (firesAt - 1) / 100_000,
        messagesSince: 40,
        turnsSince: 4,
      },
    })
  })

  it('U-003 ends at the trigger, with the reason and the figures', () => {
    const decision = decide(asking({ size: size(firesAt) }))
    expect(decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio', shadow: false })
    expect(epochCauseOf(decision)).toBe('trigger')
    expect(decision.figures).toMatchObject({ tokens: firesAt, messagesSince: 40 })
  })

  it('that began above the trigger lasts until enough has come on top', () => {
    const full = { line: 40, beganTokens: firesAt }
    const grown = firesAt + plan.freeTokens * 0.15
    const at = (tokens: number) => decide(asking({ view: full, size: size(tokens) }))
    expect(at(grown - 1)).toMatchObject({ kind: 'continue', reason: 'regrowth' })
    expect(at(grown + 1)).toMatchObject({ kind: 'compact' })
  })

  it('ends where the request would not fit, in the measure of the limit', () => {
    const at = (wire: number) => decide(asking({ size: size(targetTokens, wire) }))
    expect(at(availableTokens).kind).toBe('continue')
    expect(at(availableTokens + 1)).toMatchObject({ kind: 'compact', reason: 'emergency' })
    expect(epochCauseOf(at(availableTokens + 1))).toBe('overflow')
  })

  it('that is full is no emergency where rules write and no guard holds the trigger back', () => {
    const at = (given: Partial<DecideInput>) =>
      decide(asking({ size: size(firesAt - 1, availableTokens + 1), ...given })).reason
    expect(at({})).toBe('tokenRatio')
    expect(at({ size: size(availableTokens + 1) })).toBe('tokenRatio')
    expect(at({ state: { armed: true, compactedAt: 99 } })).toBe('emergency')
    expect(at({ suspended: true })).toBe('emergency')
    expect(at({ policy: triggered({ kind: 'messages', since: 20 }) })).toBe('emergency')
    // A model had time to write, and has not.
    expect(at({ writer: {} as DecideInput['writer'] })).toBe('emergency')
  })

  it.each([
    ['rules write the history', false, 0.97],
    ['a model writes summaries', true, 0.75],
  ])('of the shipped policy ends, if %s, at a share of the free tokens', (_, hasWriter, share) => {
    const policy = policyFor(readPolicy('balanced'), [], hasWriter)
    const shipped = planBudget(meter, policy, nothing, null)
    const trigger = Math.ceil(shipped.freeTokens * share)
    const at = (tokens: number, beganTokens = shipped.budget.targetTokens) =>
      decide(asking({ policy, plan: shipped, view: { line: 40, beganTokens }, size: size(tokens) }))
    expect(at(trigger - 1)).toMatchObject({ kind: 'continue', reason: 'below' })
    expect(at(trigger)).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    // Too little has come on top, but the request must fit.
    const full = availableTokens - 1
    expect(at(availableTokens, full)).toMatchObject({ kind: 'continue', reason: 'regrowth' })
    expect(at(availableTokens + 1, full)).toMatchObject({ kind: 'compact', reason: 'emergency' })
  })

  it('ends where so much went that what was left out has room again', () => {
    const emptied = (view: DecideInput['view'], share = 0.5, coveredTo = 0) =>
      decide(asking({ view, size: size(targetTokens * share), coveredTo }))
    const began = { line: 40, beganTokens: targetTokens }
    expect(emptied(began)).toMatchObject({ kind: 'renew', reason: 'refill' })
    // Nothing was left out, or it began as small.
    expect(emptied({ ...began, line: 0 }).kind).toBe('continue')
    // The turn memory covers the omitted messages, all of them or all but one.
    expect(emptied(began, 0.5, 40).kind).toBe('continue')
    expect(emptied(began, 0.5, 39)).toMatchObject({ kind: 'renew', reason: 'refill' })
    expect(emptied({ ...began, beganTokens: targetTokens * 0.5 }).kind).toBe('continue')
    expect(emptied(began, 0.65).kind).toBe('continue')
  })

  it('does not end again at once when it began with what it holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: availableTokens }), (tokens) => {
        const view = { line: 40, beganTokens: tokens }
        expect(decide(asking({ view, size: size(tokens) })).kind).toBe('continue')
      }),
    )
  })
})

describe('a trigger', () => {
  const table: readonly (readonly [string, Trigger, Partial<DecideInput>, boolean])[] = [
    ['S1-055 tokenRatio of the window, below', ratioOfWindow, { size: size(79_999) }, false],
    ['S1-055 tokenRatio of the window, at it', ratioOfWindow, { size: size(80_000) }, true],
    [
      'tokenRatio of what is available',
      { kind: 'tokenRatio', at: 0.5, reset: 0.4, of: 'available' },
      { size: size(availableTokens / 2) },
      true,
    ],
    ['tokens, below', { kind: 'tokens', at: 60_000 }, { size: size(59_999) }, false],
    [
      'U-003 tokens, an absolute limit',
      { kind: 'tokens', at: 60_000 },
      { size: size(60_000) },
      true,
    ],
    ['messages, one too few', { kind: 'messages', since: 41 }, {}, false],
    ['messages since the last compaction', { kind: 'messages', since: 40 }, {}, true],
    ['turns, one too few', { kind: 'turns', since: 5 }, {}, false],
    ['turns since the last compaction', { kind: 'turns', since: 4 }, {}, true],
    ['periodic, in the same period', { kind: 'periodic', messages: 60 }, {}, false],
    ['S1-021 periodic, in the next one', { kind: 'periodic', messages: 50 }, {}, true],
    ['onTrim, while all fits', { kind: 'onTrim' }, {}, false],
    [
      'all of several, one missing',
      {
        kind: 'all',
        of: [
          { kind: 'turns', since: 4 },
          { kind: 'tokens', at: availableTokens },
        ],
      },
      {},
      false,
    ],
    [
      'all of several',
      {
        kind: 'all',
        of: [
          { kind: 'turns', since: 4 },
          { kind: 'messages', since: 40 },
        ],
      },
      {},
      true,
    ],
    [
      'any of several',
      {
        kind: 'any',
        of: [
          { kind: 'turns', since: 9 },
          { kind: 'messages', since: 40 },
        ],
      },
      {},
      true,
    ],
  ]
  it.each(table)('%s', (_, trigger, given, fires) => {
    const ofTrigger = planBudget(meter, { ...balanced, triggers: [trigger] }, nothing, null)
    const decision = decide(asking({ policy: triggered(trigger), plan: ofTrigger, ...given }))
    expect(decision.kind).toBe(fires ? 'compact' : 'continue')
    expect(decision.reason).toBe(fires ? trigger.kind : 'below')
  })

  it('S4-011 tokens of the conversation: whatever else is in the request', () => {
    const trigger: Trigger = { kind: 'tokens', at: 2_001, of: 'conversation' }
    const policy = { ...balanced, triggers: [trigger], target: { tokens: 1_000 } }
    const held = { ...nothing, system: size(1_500), tools: size(700) }
    const given = planBudget(meter, policy, held, null, { suppliedTokens: 4_000 })
    const beside = 1_500 + 700 + 4_000 + card.overhead.perRequestTokens
    const view = { line: 40, beganTokens: beside }
    const at = (tokens: number) =>
      decide(asking({ policy: triggered(trigger), plan: given, view, size: size(beside + tokens) }))
    expect(at(2_000)).toMatchObject({ kind: 'continue', reason: 'below' })
    expect(at(2_001)).toMatchObject({ kind: 'compact', reason: 'tokens' })
  })

  it('S4-001 of few tokens in a large window comes again, though little has grown of it', () => {
    const trigger: Trigger = { kind: 'tokens', at: 2_001 }
    const policy = { ...balanced, triggers: [trigger], target: { tokens: 1_000 } }
    const given = planBudget(meter, policy, nothing, null)
    const at = (beganTokens: number, tokens: number, fired: Trigger = trigger) =>
      decide(
        asking({
          policy: { ...policy, triggers: [fired] },
          plan: given,
          view: { line: 40, beganTokens },
          size: size(tokens),
        }),
      )
    expect(at(700, 2_001)).toMatchObject({ kind: 'compact', reason: 'tokens' })
    expect(at(700, 2_001, { kind: 'any', of: [trigger] })).toMatchObject({ kind: 'compact' })
    expect(at(2_500, 2_700)).toMatchObject({ kind: 'continue', reason: 'regrowth' })
    expect(at(2_500, 2_900)).toMatchObject({ kind: 'compact', reason: 'tokens' })
  })

  it('S2-052 onTrim names what would have to be trimmed', () => {
    const policy = triggered({ kind: 'onTrim' })
    const decision = decide(asking({ policy, size: size(availableTokens + 1) }))
    expect(decision).toMatchObject({ kind: 'compact', reason: 'onTrim' })
  })

  it('any one of the list suffices', () => {
    const policy = triggered({ kind: 'tokens', at: 1e9 }, { kind: 'messages', since: 40 })
    expect(decide(asking({ policy }))).toMatchObject({ kind: 'compact', reason: 'messages' })
  })
})

describe('the guards of the plan with ratios, as they are resolved', () => {
  const policy = triggered(ratioOfWindow)
  const high = size(85_000)

  it('S1-054 X1-2 the size is looked at first: an emergency asks for no guard', () => {
    const state = { armed: false, compactedAt: 99 }
    const view = { line: 95, beganTokens: 90_000 }
    const decision = decide(asking({ policy, state, view, size: size(availableTokens + 1) }))
    expect(decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
  })

  it('S1-054 too few messages that are not compacted yet', () => {
    const view = { line: 89, beganTokens: 0 }
    expect(decide(asking({ policy, view, size: high })).reason).toBe('minimum')
    const enough = { line: 88, beganTokens: 0 }
    expect(decide(asking({ policy, view: enough, size: high })).kind).toBe('compact')
  })

  it('S1-059 X1-4 the cooldown counts places of the log', () => {
    const at = (compactedAt: number) =>
      decide(asking({ policy, state: { armed: true, compactedAt }, size: high }))
    expect(at(97)).toMatchObject({ kind: 'continue', reason: 'cooldown' })
    expect(at(96)).toMatchObject({ kind: 'compact' })
  })

  it('S1-094 an emergency ignores the cooldown', () => {
    const state = { armed: false, compactedAt: 98 }
    const decision = decide(asking({ policy, state, size: size(100_000) }))
    expect(decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
  })

  it('S1-060 S1-098 a burst over the trigger compacts once', () => {
    let [state, tokens] = [neverCompacted, 72_000]
    const kinds: string[] = []
    for (let head = 30; head < 35; head += 1) {
      tokens += 6_000
      const view = { line: 0, beganTokens: 0 }
      const decision = decide(asking({ policy, head, state, view, size: size(tokens) }))
      kinds.push(decision.kind)
      if (decision.kind === 'compact') tokens = 62_000
      state = triggerStateAfter(decision, state, { head, epochBegan: decision.kind === 'compact' })
    }
    // The last of the five is above the trigger again, and the cooldown is not over.
    expect(tokens).toBe(80_000)
    expect(kinds.filter((kind) => kind === 'compact')).toHaveLength(1)
  })

  it('S1-011 X1-3 is disarmed by firing, and armed again below the reset or by the cooldown', () => {
    const fired = decide(asking({ policy, size: high }))
    const state = triggerStateAfter(fired, neverCompacted, { head: 100, epochBegan: true })
    expect(state).toEqual({ armed: false, compactedAt: 100 })
    const later = (tokens: number, head: number) =>
      decide(asking({ policy, state, head, size: size(tokens) }))
    expect(later(75_000, 101).armed).toBe(false)
    expect(later(69_000, 101).armed).toBe(true)
    expect(later(75_000, 104).armed).toBe(true)
  })

  it('S1-092 a small burst after a compaction does not compact again', () => {
    const state = { armed: true, compactedAt: 100 }
    const decision = decide(asking({ policy, state, head: 102, size: high }))
    expect(decision).toMatchObject({ kind: 'continue', reason: 'cooldown' })
  })

  it('P0-010 S1-015 off: only what must go goes', () => {
    expect(decide(asking({ policy, mode: 'off', size: high }))).toMatchObject({
      kind: 'continue',
      reason: 'off',
    })
    const over = decide(asking({ policy, mode: 'off', size: size(availableTokens + 1) }))
    expect(over).toMatchObject({ kind: 'trim', reason: 'emergency' })
    expect(epochCauseOf(over)).toBe('overflow')
  })

  it('suspended: only what must go goes, or what was asked for', () => {
    const given = { suspended: true, size: size(firesAt) }
    expect(decide(asking(given))).toMatchObject({ kind: 'continue', reason: 'suspended' })
    expect(decide(asking({ ...given, mode: 'shadow' }))).toMatchObject({ shadow: false })
    expect(decide(asking({ ...given, size: size(availableTokens + 1) }))).toMatchObject({
      kind: 'compact',
      reason: 'emergency',
    })
    const requestedCompaction = { reason: 'manual' } as const
    expect(decide(asking({ ...given, requestedCompaction }))).toMatchObject({
      kind: 'compact',
      reason: 'manual',
    })
  })

  it('shadow: decides and reports, but changes nothing', () => {
    expect(decide(asking({ policy, mode: 'shadow', size: high }))).toMatchObject({
      kind: 'compact',
      reason: 'tokenRatio',
      shadow: true,
    })
    expect(
      decide(asking({ policy, mode: 'shadow', size: size(availableTokens + 1) })),
    ).toMatchObject({ kind: 'trim', shadow: false })
  })

  it('what was asked for is done, whatever the guards say', () => {
    const state = { armed: false, compactedAt: 100 }
    const manual = decide(asking({ policy, state, requestedCompaction: { reason: 'manual' } }))
    expect(manual).toMatchObject({ kind: 'compact', reason: 'manual' })
    expect(epochCauseOf(manual)).toBe('manual')
    const requestedCompaction = { reason: 'provider-overflow', model: 'm', of: 'f' } as const
    expect(epochCauseOf(decide(asking({ policy, state, requestedCompaction, mode: 'off' })))).toBe(
      'provider-overflow',
    )
  })
})

describe('without a view', () => {
  const known = {
    policy: balanced,
    mode: 'on',
    suspended: false,
    writer: null,
    requestedCompaction: null,
    plan,
    head: 50,
  } as const

  it('the cause is the reason', () => {
    const decision = decideRenewal({ ...known, state: neverCompacted }, 'first')
    expect(decision).toMatchObject({ kind: 'renew', reason: 'first' })
    expect(decision.figures).toMatchObject({ tokens: null, ratio: null, messagesSince: 50 })
    expect(epochCauseOf(decision)).toBe('first')
  })

  it('messages are counted nevertheless', () => {
    const policy = triggered({ kind: 'messages', since: 20 })
    const state = neverCompacted
    expect(decideRenewal({ ...known, policy, state }, 'first')).toMatchObject({ kind: 'compact' })
    expect(decideRenewal({ ...known, policy, state, mode: 'off' }, 'first').kind).toBe('renew')
    expect(decideRenewal({ ...known, policy, state, head: 11 }, 'first').kind).toBe('renew')
  })
})

describe('what the triggers remember', () => {
  it('is kept while nothing is compacted', () => {
    const before = { armed: false, compactedAt: 60 }
    const decision = decide(asking({ state: before, size: size(firesAt - 1) }))
    expect(triggerStateAfter(decision, before, { head: 100, epochBegan: false })).toEqual({
      armed: true,
      compactedAt: 60,
    })
  })

  it('U-005 a compaction that gained nothing is not tried again at once', () => {
    const decision = decide(asking({ size: size(firesAt) }))
    const state = triggerStateAfter(decision, neverCompacted, { head: 100, epochBegan: false })
    expect(state.compactedAt).toBe(100)
    const again = decide(asking({ state, head: 101, size: size(firesAt) }))
    expect(again).toMatchObject({ kind: 'continue', reason: 'cooldown' })
  })
})
