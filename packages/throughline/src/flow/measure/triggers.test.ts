import { describe, expect, it } from 'vitest'
import type { Trigger } from '../../domain/decision.ts'
import {
  countsTokens,
  findFiredTrigger,
  firingThreshold,
  growthBase,
  hasCountTriggerFired,
  isBelowReset,
  type Observed,
  usesRatio,
} from './triggers.ts'

const plan: Parameters<typeof findFiredTrigger>[2] = {
  budget: { windowTokens: 2_000, triggerTokens: 100 },
  countedTokens: 1_000,
  protectedTokens: 200,
  nonMessageTokens: 250,
  freeTokens: 800,
  expected: (tokens) => tokens * 2,
}
const observed: Observed = { tokens: 0, fits: true, head: 0, compactedAt: 0, turnsSince: 0 }

const ratio = (of: 'window' | 'available' | 'free'): Trigger => ({
  kind: 'tokenRatio',
  at: 0.5,
  reset: 0.25,
  of,
})
const tokens: Trigger = { kind: 'tokens', at: 300 }
const conversation: Trigger = { kind: 'tokens', at: 300, of: 'conversation' }
const messages: Trigger = { kind: 'messages', since: 10 }
const turns: Trigger = { kind: 'turns', since: 3 }
const periodic: Trigger = { kind: 'periodic', messages: 10 }
const onTrim: Trigger = { kind: 'onTrim' }
const all = (...of: readonly Trigger[]): Trigger => ({ kind: 'all', of })
const any = (...of: readonly Trigger[]): Trigger => ({ kind: 'any', of })

const hasFired = (trigger: Trigger, seen: Partial<Observed>, levels = plan) =>
  findFiredTrigger([trigger], { ...observed, ...seen }, levels) !== null

describe('a trigger', () => {
  it.each<[Trigger, Partial<Observed>, Partial<Observed>]>([
    [ratio('window'), { tokens: 500 }, { tokens: 499 }],
    [ratio('available'), { tokens: 500 }, { tokens: 499 }],
    [ratio('free'), { tokens: 600 }, { tokens: 599 }],
    [tokens, { tokens: 300 }, { tokens: 299 }],
    [conversation, { tokens: 550 }, { tokens: 549 }],
    [messages, { head: 30, compactedAt: 20 }, { head: 29, compactedAt: 20 }],
    [turns, { turnsSince: 3 }, { turnsSince: 2 }],
    [turns, { turnsSince: 3 }, { turnsSince: null }],
    [periodic, { head: 20, compactedAt: 19 }, { head: 19, compactedAt: 10 }],
    [onTrim, { fits: false }, { fits: true }],
    [all(tokens, turns), { tokens: 300, turnsSince: 3 }, { tokens: 300, turnsSince: 2 }],
    [any(tokens, turns), { tokens: 0, turnsSince: 3 }, { tokens: 299, turnsSince: 2 }],
  ])('%o fires with %o, and not with %o', (trigger, fired, quiet) => {
    expect(hasFired(trigger, fired)).toBe(true)
    expect(hasFired(trigger, quiet)).toBe(false)
  })

  it('on tokens fires neither below the trigger of the budget nor without a count', () => {
    const high = { ...plan, budget: { ...plan.budget, triggerTokens: 700 } }
    for (const trigger of [ratio('available'), tokens]) {
      expect(hasFired(trigger, { tokens: 700 }, high)).toBe(true)
      expect(hasFired(trigger, { tokens: 699 }, high)).toBe(false)
      expect(hasFired(trigger, { tokens: null }, high)).toBe(false)
    }
  })

  it('is the first of those that fired', () => {
    const seen = { ...observed, tokens: 400, turnsSince: 3 }
    expect(findFiredTrigger([onTrim, turns, tokens], seen, plan)).toBe(turns)
    expect(findFiredTrigger([onTrim], seen, plan)).toBeNull()
  })

  it('on a ratio has a finite ratio also where nothing is available', () => {
    const none = { ...plan, countedTokens: 0, freeTokens: 0, protectedTokens: 0 }
    expect(isBelowReset([ratio('available'), ratio('free')], 0, none)).toBe(true)
    expect(isBelowReset([ratio('available')], 1, none)).toBe(false)
    expect(isBelowReset([ratio('free')], 1, none)).toBe(false)
  })

  it('that counts messages is found without a measured request', () => {
    const counted = { head: 30, compactedAt: 20 }
    expect(hasCountTriggerFired([tokens, messages], counted)).toBe(true)
    expect(hasCountTriggerFired([any(turns, any(periodic))], counted)).toBe(true)
    expect(hasCountTriggerFired([tokens, turns, onTrim], counted)).toBe(false)
    // Whether the others of `all` have fired is not known yet.
    expect(hasCountTriggerFired([all(messages)], counted)).toBe(false)
    expect(hasCountTriggerFired([messages], { head: 29, compactedAt: 20 })).toBe(false)
  })
})

describe('the reset level', () => {
  it('is below that of every ratio, also of nested ones', () => {
    expect(isBelowReset([ratio('available')], 249, plan)).toBe(true)
    expect(isBelowReset([ratio('available')], 250, plan)).toBe(false)
    expect(isBelowReset([turns, all(any(ratio('available')))], 250, plan)).toBe(false)
    expect(isBelowReset([ratio('window'), ratio('free')], 399, plan)).toBe(false)
    expect(isBelowReset([turns, tokens], 9_999, plan)).toBe(true)
  })
})

describe('triggers on tokens', () => {
  it('are found in compound ones', () => {
    for (const trigger of [tokens, ratio('free'), all(turns, tokens), any(all(ratio('free')))])
      expect(countsTokens(trigger)).toBe(true)
    for (const trigger of [turns, messages, periodic, onTrim, all(turns), any()])
      expect(countsTokens(trigger)).toBe(false)
    expect(usesRatio([turns, all(tokens, ratio('free'))])).toBe(true)
    expect(usesRatio([turns, any(tokens)])).toBe(false)
  })

  it('limit the base of regrowth', () => {
    expect(growthBase(tokens, 800)).toBe(300)
    expect(growthBase(tokens, 200)).toBe(200)
    expect(growthBase(any(turns, all(tokens)), 800)).toBe(300)
    expect(growthBase(ratio('free'), 800)).toBe(800)
  })

  it('fire from the lowest of their thresholds on, and `all` from its highest', () => {
    const bases = {
      window: { whole: 2_001, offset: 0 },
      available: { whole: 1_000, offset: 0 },
      free: { whole: 800, offset: 200 },
    }
    const threshold = (...triggers: readonly Trigger[]) => firingThreshold(triggers, bases, 250)
    expect(threshold(ratio('window'))).toBe(1_000)
    expect(threshold(ratio('available'))).toBe(500)
    expect(threshold(ratio('free'))).toBe(600)
    expect(threshold(tokens)).toBe(300)
    expect(threshold(conversation)).toBe(550)
    expect(threshold(turns, conversation, ratio('free'))).toBe(550)
    expect(threshold(any(turns, conversation, ratio('free')))).toBe(550)
    expect(threshold(all(turns, conversation, ratio('free')))).toBe(600)
    for (const trigger of [turns, messages, periodic, onTrim])
      expect(threshold(trigger)).toBe(Number.POSITIVE_INFINITY)
  })
})
