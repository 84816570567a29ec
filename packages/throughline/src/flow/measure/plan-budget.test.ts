import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibrated, startCalibration } from '../../domain/calibration.ts'
import { noSize, type Size } from '../../domain/context.ts'
import { observe } from '../../domain/learn-calibration.ts'
import { completeCard, type ModelCardInput } from '../../domain/model-card.ts'
import type { Policy } from '../../domain/policy.ts'
import { isThroughlineError } from '../../errors.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { budgetFigures } from './budget-figures.ts'
import { contextOverflow } from './context-overflow.ts'
import { planBudget } from './plan-budget.ts'
import { repeatsUserText, userTextTokens } from './user-text.ts'

const balanced = readPolicy('balanced')
const nothing = { system: noSize, tools: noSize, pins: noSize }
const size = (tokens: number, wire = tokens): Size => ({ tokens, wire })
const counter = (exact: boolean) => ({ id: 'words/1', exact, count: () => 0 })

function metered(given: Partial<ModelCardInput> = {}, exact = true) {
  const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000, ...given })
  return { card, tokenizer: counter(exact) }
}

function reported(meter: ReturnType<typeof metered>, countedTokens: number, tokens: number) {
  return observe(startCalibration(meter), { countedTokens, reportedTokens: tokens })
}

describe('a budget', () => {
  it('S2-050: is the window without the reserve and the margin', () => {
    const { budget, countedTokens } = planBudget(metered(), balanced, nothing, null)
    expect(budget).toMatchObject({
      windowTokens: 100_000,
      reserveTokens: 4_096,
      marginTokens: 2_000,
      availableTokens: 93_904,
    })
    expect(countedTokens).toBe(93_904)
  })

  it('reserves no more than a share of a small window, nor than the model can say', () => {
    const small = planBudget(metered({ contextWindowTokens: 4_003 }), balanced, nothing, null)
    expect(small.budget.reserveTokens).toBe(1_000)
    const terse = planBudget(metered({ maxOutputTokens: 500 }), balanced, nothing, null)
    expect(terse.budget.reserveTokens).toBe(500)
  })

  it('stays within what the model takes as input', () => {
    const plan = planBudget(metered({ maxInputTokens: 50_000 }), balanced, nothing, null)
    expect(plan.countedTokens).toBe(48_000)
  })

  it('adds up from its own figures, with and without a limit of the input', () => {
    const cards: readonly Partial<ModelCardInput>[] = [
      {},
      { contextWindowTokens: 400_000, maxInputTokens: 272_000 },
      { contextWindowTokens: 100_000, maxInputTokens: 99_000 },
    ]
    for (const card of cards) {
      const { budget } = planBudget(metered(card), balanced, nothing, null)
      const { windowTokens, reserveTokens, inputLimitTokens, marginTokens } = budget
      expect(inputLimitTokens).toBe(card.maxInputTokens ?? null)
      expect(budget.availableTokens).toBe(
        Math.min(windowTokens - reserveTokens, inputLimitTokens ?? windowTokens) - marginTokens,
      )
    }
  })

  it('puts trigger and target between what is held and what is available', () => {
    const held = { system: size(10_000, 12_000), tools: size(3_000), pins: size(904) }
    const { budget, freeTokens } = planBudget(metered(), balanced, held, null)
    expect(freeTokens).toBe(80_000)
    expect(budget.triggerTokens).toBe(13_904 + 60_000)
    expect(budget.targetTokens).toBe(13_904 + 36_000)
    expect(budget.protected).toEqual({ system: 10_000, tools: 3_000, pins: 904 })
  })

  it('has a trigger that is a share of window, available or free tokens', () => {
    const held = { system: size(10_001), tools: size(2_000), pins: size(900) }
    const levels = (of: 'window' | 'available' | 'free', ratio: number) => {
      const triggers = [{ kind: 'tokenRatio', of, at: 0.5, reset: 0.4 }] as const
      const policy: Policy = { ...balanced, triggers, target: { ratio } }
      const { triggerTokens, targetTokens } = planBudget(metered(), policy, held, null).budget
      return [triggerTokens, targetTokens]
    }
    // 100,000 tokens in the window, 93,904 available, 81,003 free.
    expect(levels('window', 0.3)).toEqual([50_000, 12_901 + 24_300])
    expect(levels('available', 0.3)).toEqual([46_952, 12_901 + 24_300])
    expect(levels('free', 0.3)).toEqual([12_901 + 40_501, 12_901 + 24_300])
    // At most 85 % of the free tokens, and the trigger above it.
    expect(levels('free', 0.95)).toEqual([93_904, 12_901 + 68_852])
  })

  it('is never below nothing, whatever is held and however small the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300_000 }), fc.nat(400_000), (window, tokens) => {
        const held = { ...nothing, system: size(tokens) }
        const plan = planBudget(metered({ contextWindowTokens: window }), balanced, held, null)
        const { availableTokens, targetTokens, triggerTokens } = plan.budget
        expect(availableTokens).toBeGreaterThanOrEqual(0)
        expect(plan.freeTokens).toBe(Math.max(0, availableTokens - tokens))
        expect(targetTokens).toBeLessThanOrEqual(triggerTokens)
        expect(triggerTokens).toBeLessThanOrEqual(availableTokens)
      }),
    )
  })

  it('has nothing where the margin alone is larger than the window', () => {
    const policy = readPolicy({ name: 'wide', advanced: { margin: { tokens: 200_000 } } })
    const plan = planBudget(metered(), policy, nothing, null)
    expect(plan).toMatchObject({ countedTokens: 0, freeTokens: 0, limitTokens: 0 })
    expect(plan.budget).toMatchObject({ triggerTokens: 0, targetTokens: 0 })
  })

  it('has a target below its trigger whatever their units', () => {
    const policy: Policy = readPolicy({ name: 'mixed', target: { tokens: 90_000 } })
    const { budget } = planBudget(metered(), policy, nothing, null)
    expect(budget.targetTokens).toBeLessThanOrEqual(budget.triggerTokens)
  })
})

describe('the hard limit', () => {
  it('counts the text on the wire until a provider has reported usage', () => {
    const plan = planBudget(metered(), balanced, nothing, null)
    expect(plan.tokensAgainstLimit(size(5, 9))).toBe(9)
    expect(plan.limitTokens).toBe(plan.budget.availableTokens)
    expect(plan.expected(1_234)).toBe(1_234)
  })

  it('is still so where reports were of another tokenizer, or of none', () => {
    const meter = metered()
    const other = { ...reported(meter, 1_000, 1_100), tokenizerId: 'other/1' }
    for (const calibration of [other, startCalibration(meter)]) {
      const plan = planBudget(meter, balanced, nothing, calibration)
      expect(plan.tokensAgainstLimit(size(5, 9))).toBe(9)
      expect(plan.expected(1_234)).toBe(1_234)
    }
  })

  it('is in what we count once a provider has reported', () => {
    const meter = metered()
    const calibration = reported(meter, 50_000, 50_500)
    const plan = planBudget(meter, balanced, nothing, calibration)
    expect(plan.tokensAgainstLimit(size(5, 9))).toBe(5)
    expect(plan.expected(50_000)).toBe(calibrated(calibration, 50_000))
  })

  it('is the most that we may count for the provider to count no more than it takes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 90_000 }),
        fc.integer({ min: 50, max: 250 }),
        (counted, percent) => {
          const meter = metered({}, false)
          const calibration = reported(meter, counted, Math.round((counted * percent) / 100))
          const { limitTokens, budget } = planBudget(meter, balanced, nothing, calibration)
          const { availableTokens } = budget
          // Whatever was reported, some room is left.
          if (limitTokens <= availableTokens * 0.25) return
          if (limitTokens > 0)
            expect(calibrated(calibration, limitTokens)).toBeLessThanOrEqual(availableTokens)
          expect(calibrated(calibration, limitTokens + 1)).toBeGreaterThan(availableTokens)
        },
      ),
    )
  })

  it('leaves a quarter of what is available, rounded down, after an extreme report', () => {
    const meter = metered({}, false)
    const extreme = reported(meter, 1_000, 500_000)
    const plan = planBudget(meter, balanced, nothing, extreme, { replyTokens: 4_097 })
    expect(plan.budget.availableTokens).toBe(93_903)
    expect(plan.countedTokens).toBe(23_475)
  })

  it('converts a share of the window, which is in the tokens of the provider', () => {
    const meter = metered({}, false)
    const triggers = [{ kind: 'tokenRatio', of: 'window', at: 0.5, reset: 0.4 }] as const
    const policy: Policy = { ...balanced, triggers, target: { tokens: 1_000 } }
    const { budget, countedTokens } = planBudget(
      ...([meter, policy, nothing, reported(meter, 50_000, 100_000)] as const),
    )
    const windowTokens = 100_000 * (countedTokens / budget.availableTokens)
    expect(countedTokens).toBeLessThan(50_000)
    expect(budget.triggerTokens).toBe(Math.floor(windowTokens / 2))
  })

  it('is in what we count if a policy with `fill: recent` fires where JSON would be above it', () => {
    const boundedWith =
      (fill: Policy['fill']) =>
      (at: number, replyTokens: number | null, held = 0) => {
        const policy: Policy = { ...balanced, fill, triggers: [{ kind: 'tokens', at }] }
        const sizes = { ...nothing, system: size(held) }
        const plan = planBudget(metered(), policy, sizes, null, { replyTokens })
        return plan.tokensAgainstLimit(size(5, 9)) === 9
      }
    const isBounded = boundedWith('recent')
    expect(boundedWith('target')(93_904, null)).toBe(true)
    // 93,904 tokens are free, and the bound is 1.3 times as large as the tokens.
    expect([isBounded(72_233, null), isBounded(72_234, null)]).toEqual([true, false])
    // 10 × 1.3 is 13, with or without a system prompt.
    expect([isBounded(10, 97_987), isBounded(11, 97_987)]).toEqual([true, false])
    expect([isBounded(20, 97_977, 10), isBounded(21, 97_977, 10)]).toEqual([true, false])
  })

  it('is never above what is available where the tokenizer is the model’s own', () => {
    const meter = metered()
    const plan = planBudget(meter, balanced, nothing, reported(meter, 50_000, 30_000))
    expect(plan.limitTokens).toBe(plan.budget.availableTokens)
    const guessed = metered({}, false)
    const more = planBudget(guessed, balanced, nothing, reported(guessed, 50_000, 30_000))
    expect(more.limitTokens).toBeGreaterThan(more.budget.availableTokens)
  })
})

describe('an overflow', () => {
  it.each([
    ['system', 'shorten the system prompt'],
    ['tools', 'offer fewer tools'],
    ['pins', 'unpin'],
  ] as const)('by %s says the figures and the way out', (name, advice) => {
    const sizes = {
      system: size(10),
      tools: size(20),
      pins: size(30),
      [name]: size(90_000, 95_000),
    }
    const plan = planBudget(metered(), balanced, sizes, null)
    const error = contextOverflow(plan, sizes, 'house-model')
    expect(isThroughlineError(error) && error.code).toBe('CONTEXT_OVERFLOW')
    expect(error.message).toContain(advice)
    expect(error.message).toContain(`${name} 95000`)
    expect(error.message).toContain('93904 are available (window 100000')
    expect(error.details).toMatchObject({ [name]: 95_000, availableTokens: 93_904 })
  })

  it('has the input limit if the model has one', () => {
    const sizes = { ...nothing, system: size(300_000) }
    const meter = metered({ contextWindowTokens: 400_000, maxInputTokens: 272_000 })
    const error = contextOverflow(planBudget(meter, balanced, sizes, null), sizes, 'house-model')
    expect(error.message).toContain(
      '264000 are available (window 400000, reserve 4096, input limit 272000, margin 8000)',
    )
    expect(error.details).toMatchObject({ inputLimitTokens: 272_000 })
  })

  it('advises what leaves most room: a shorter reply, a lower reserve, or fewer tokens', () => {
    const adviceFor = (replyTokens: number, tokens: number) => {
      const sizes = { ...nothing, tools: size(tokens) }
      const plan = planBudget(metered(), balanced, sizes, null, { replyTokens })
      return /Please ([^,]+),/.exec(contextOverflow(plan, sizes, 'm').message)?.[1]
    }
    const reserve = 'leave more room for the request: lower the reserve or the margin of the policy'
    expect(adviceFor(50_001, 90_000)).toBe('ask for a shorter reply')
    expect(adviceFor(50_000, 23_999)).toBe(reserve)
    expect(adviceFor(50_000, 24_000)).toBe('offer fewer tools')
  })

  it('adds up what must be sent whole', () => {
    const sizes = { system: size(90_000), tools: size(30_000), pins: size(5_000) }
    const plan = planBudget(metered(), balanced, sizes, null)
    const { details } = contextOverflow(plan, sizes, 'house-model')
    const { system, tools, pins, tokens } = details as Record<string, number>
    expect(tokens).toBe((system ?? 0) + (tools ?? 0) + (pins ?? 0))
  })
})

describe('a limit that a provider reported with a refusal', () => {
  const refused = (meter: ReturnType<typeof metered>, tokens: number) => ({
    ...startCalibration(meter),
    ceiling: { tokens, observed: 0 },
  })

  it('is the limit, with room for 1,000 tokens beside what must be sent whole', () => {
    const meter = metered()
    const held = { ...nothing, system: size(5_000) }
    for (const [ceiling, available] of [
      [20_000, 20_000],
      [6_001, 6_001],
      [5_999, 6_000],
      [99_999, 93_904],
    ] as const) {
      const plan = planBudget(meter, balanced, held, refused(meter, ceiling))
      expect([plan.budget.availableTokens, plan.countedTokens]).toEqual([available, available])
    }
  })

  it('is also the limit of the JSON', () => {
    const meter = metered()
    const plan = planBudget(meter, balanced, nothing, refused(meter, 20_000))
    expect(plan.tokensAgainstLimit(size(5, 20_000))).toBe(20_000)
    expect(plan.tokensAgainstLimit(size(5, 20_001))).toBeGreaterThan(plan.limitTokens)
  })

  it('is also the limit in our count', () => {
    const meter = metered({}, false)
    const calibration = {
      ...reported(meter, 50_000, 25_000),
      ceiling: { tokens: 20_000, observed: 0 },
    }
    expect(planBudget(meter, balanced, nothing, calibration).countedTokens).toBe(20_000)
  })
})

describe('levels of a budget', () => {
  it('keep the trigger at a distance from the target', () => {
    const policy = readPolicy({ name: 'near', target: { ratio: 0.5 } })
    const near = { ...policy, triggers: [{ kind: 'tokens', at: 10_000 } as const] }
    const held = { ...nothing, system: size(3_904) }
    const { budget } = planBudget(metered(), near, held, null)
    expect(budget.targetTokens).toBe(3_904 + 45_000)
    expect(budget.triggerTokens).toBe(3_904 + Math.ceil(45_000 / 0.85))
    const high = { ...near, target: { tokens: 89_999 } }
    const { budget: most } = planBudget(metered(), high, held, null)
    expect(most.targetTokens).toBe(3_904 + Math.floor(90_000 * 0.85))
    expect(most.triggerTokens).toBe(93_904)
  })

  it('count texts of the caller and the frame of a request besides messages', () => {
    const held = { system: size(10), tools: size(20), pins: size(30) }
    const plan = planBudget(metered(), balanced, held, null, { suppliedTokens: 500 })
    const frame = metered().card.overhead.perRequestTokens
    expect(plan.nonMessageTokens).toBe(60 + 500 + frame)
    expect(planBudget(metered(), balanced, held, null).nonMessageTokens).toBe(60 + frame)
    expect(plan.historyTokens).toBe(plan.freeTokens)
  })
})

describe('room for user text', () => {
  it('is the amount of the policy, or a small share if only uncovered text needs it', () => {
    const tokensFor = (userText: Policy['userText']) =>
      userTextTokens({ userText }, { freeTokens: 1_000 })
    expect(tokensFor({ ratio: 0.4 })).toBe(400)
    expect(tokensFor({ tokens: 1 })).toBe(1)
    expect([tokensFor({ ratio: 0 }), tokensFor({ tokens: 0 })]).toEqual([150, 150])
    expect(repeatsUserText({ userText: { tokens: 1 } })).toBe(true)
    expect(repeatsUserText({ userText: { ratio: 0 } })).toBe(false)
  })
})

describe('the figures of a budget', () => {
  it.each([
    [0, 0, 0, 0, true],
    [0, 1, 100, 0, false],
    [200, 50, 25, 150, true],
    [200, 200, 100, 0, true],
    [200, 201, 101, 0, false],
  ])(
    'of %i, with %i used: %i percent, %i left',
    (maxInputTokens, currentTokens, percent, left, within) => {
      expect(budgetFigures({ maxInputTokens, currentTokens })).toEqual({
        maxInputTokens,
        currentTokens,
        availableTokens: left,
        utilizationPercent: percent,
        withinBudget: within,
      })
    },
  )
})
