import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelCard } from '../domain/model-card.ts'
import { noSize, type Size } from '../domain/size.ts'
import type { View } from '../domain/view.ts'
import { readPolicy } from '../policies.ts'
import { basisOf, basisText, changedBasis, decide } from './decide.ts'
import { createMeter } from './measure.ts'
import { planBudget } from './plan-budget.ts'

const tokenizer = { id: 'words/1', exact: true, count: (text: string) => text.length }
const card = modelCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })
const nothing = { system: noSize, tools: noSize, pins: noSize }
const plan = planBudget(meter, readPolicy('balanced'), nothing, null)
const { triggerTokens, targetTokens, availableTokens } = plan.budget

const view = (given: Partial<View> = {}): View => ({
  epoch: 2,
  cause: 'trigger',
  line: 40,
  keeps: [],
  stubs: [],
  basis: '',
  beganTokens: targetTokens,
  next: null,
  squeezed: null,
  ...given,
})
const size = (tokens: number, wire = tokens): Size => ({ tokens, wire })

describe('an epoch', () => {
  it('goes on up to the trigger', () => {
    expect(decide(view(), size(triggerTokens), plan)).toEqual({
      kind: 'go-on',
      tokens: triggerTokens,
      triggerTokens,
    })
  })

  it('ends above the trigger, with the figures', () => {
    expect(decide(view(), size(triggerTokens + 1), plan)).toEqual({
      kind: 'begin',
      cause: 'trigger',
      tokens: triggerTokens + 1,
      triggerTokens,
    })
  })

  it('that began above the trigger lasts until enough has come on top', () => {
    const full = view({ beganTokens: triggerTokens })
    const grown = triggerTokens + plan.freeTokens * 0.15
    expect(decide(full, size(grown - 1), plan).kind).toBe('go-on')
    expect(decide(full, size(grown + 1), plan)).toMatchObject({ cause: 'trigger' })
  })

  it('ends where the request would not fit, in the measure of the limit', () => {
    expect(decide(view(), size(targetTokens, availableTokens), plan).kind).toBe('go-on')
    expect(decide(view(), size(targetTokens, availableTokens + 1), plan)).toMatchObject({
      kind: 'begin',
      cause: 'overflow',
    })
  })

  it('ends where so much went that what was left out has room again', () => {
    const emptied = size(targetTokens * 0.5)
    expect(decide(view(), emptied, plan)).toMatchObject({ kind: 'begin', cause: 'refill' })
    // Nothing was left out, or it began as small.
    expect(decide(view({ line: 0 }), emptied, plan).kind).toBe('go-on')
    expect(decide(view({ beganTokens: targetTokens * 0.5 }), emptied, plan).kind).toBe('go-on')
    expect(decide(view(), size(targetTokens * 0.65), plan).kind).toBe('go-on')
  })

  it('does not end again at once when it began with what it holds', () => {
    fc.assert(
      fc.property(fc.nat(availableTokens), (tokens) => {
        expect(decide(view({ beganTokens: tokens }), size(tokens), plan).kind).toBe('go-on')
      }),
    )
  })
})

describe('the basis of a view', () => {
  const basis = basisOf(meter, [3, 17], 'policy-hash', '1')
  const made = view({ basis: basisText(basis) })

  it('is unchanged while nothing has changed', () => {
    expect(changedBasis(made, basis)).toBeNull()
    expect(
      changedBasis(view({ basis: basisText(basisOf(meter, [], 'p')) }), basisOf(meter, [], 'p')),
    ).toBeNull()
  })

  it('names what has changed', () => {
    const larger = createMeter({ card: { ...card, contextWindowTokens: 200_000 }, tokenizer })
    const finer = createMeter({ card, tokenizer: { ...tokenizer, id: 'letters/1' } })
    const less = createMeter({ card: { ...card, maxInputTokens: 1_000 }, tokenizer })
    expect(changedBasis(made, basisOf(meter, [3], 'policy-hash', '1'))).toBe('pins-changed')
    expect(changedBasis(made, basisOf(meter, [3, 17], 'other', '1'))).toBe('policy-changed')
    expect(changedBasis(made, basisOf(meter, [3, 17], 'policy-hash', '2'))).toBe('history-changed')
    for (const other of [larger, finer, less])
      expect(changedBasis(made, basisOf(other, [3, 17], 'policy-hash', '1'))).toBe('window-changed')
  })

  it('of another history is said first: nothing of the view is of use then', () => {
    expect(changedBasis(made, basisOf(meter, [], 'other', '2'))).toBe('history-changed')
  })

  it('is unchanged with a tokenizer of any name', () => {
    const named = createMeter({ card, tokenizer: { ...tokenizer, id: 'house|v2' } })
    const same = basisOf(named, [], 'p', '')
    expect(changedBasis(view({ basis: basisText(same) }), same)).toBeNull()
  })
})
