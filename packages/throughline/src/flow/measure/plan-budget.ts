/**
 * From a model's window and a policy to the limits of a request (invariant 6).
 *
 * The hard limit is in what the provider counts, once it has reported that; before,
 * in the most that the request can be on the wire.
 */
import { resolveAmount } from '../../domain/amount.ts'
import type { Budget } from '../../domain/budget.ts'
import { type Calibration, calibrated } from '../../domain/calibration.ts'
import type { Policy } from '../../domain/policy.ts'
import { addSizes, type Size } from '../../domain/size.ts'
import type { Meter } from './measure.ts'
import { firesFrom } from './triggers.ts'
import { roomIn } from './window-room.ts'

export interface ProtectedSizes {
  readonly system: Size
  readonly tools: Size
  readonly pins: Size
}

export interface BudgetPlan {
  readonly budget: Budget
  /** What is available, in tokens as we count them; `budget` has it as the provider does. */
  readonly countedTokens: number
  /** What system, tools and pins have. */
  readonly heldTokens: number
  /** What they have, what the caller supplies, and the frame of the request. */
  readonly besideTokens: number
  /** What they leave. */
  readonly freeTokens: number
  /** The same before recall takes a part of it: summaries and names of messages keep their share. */
  readonly historyTokens: number
  hard(size: Size): number
  readonly hardTokens: number
  /** What the provider will report for so many tokens, as far as is known. */
  expected(tokens: number): number
}

export interface RequestAmounts {
  /** The longest reply; null as the policy has it. */
  readonly replyTokens?: number | null
  /** Of the texts that the caller supplies for the request. */
  readonly suppliedTokens?: number
}

export function planBudget(
  meter: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  sizes: ProtectedSizes,
  calibration: Calibration | null,
  { replyTokens = null, suppliedTokens = 0 }: RequestAmounts = {},
): BudgetPlan {
  const { card } = meter
  const heldTokens = addSizes([sizes.system, sizes.tools, sizes.pins]).tokens
  const room = roomIn(meter, policy, calibration, { replyTokens, heldTokens })
  const { reserveTokens, marginTokens, availableTokens, countedTokens, reported } = room
  const besideTokens = heldTokens + suppliedTokens + card.overhead.perRequestTokens
  const freeTokens = Math.max(0, countedTokens - heldTokens)
  return {
    budget: {
      windowTokens: card.contextWindowTokens,
      windowSource: card.windowSource,
      reserveTokens,
      inputLimitTokens: card.maxInputTokens,
      marginTokens,
      availableTokens,
      protected: {
        system: sizes.system.tokens,
        tools: sizes.tools.tokens,
        pins: sizes.pins.tokens,
      },
      ...levelsOf(policy, {
        windowTokens: card.contextWindowTokens * (countedTokens / Math.max(1, availableTokens)),
        countedTokens,
        heldTokens,
        besideTokens,
        freeTokens,
      }),
    },
    countedTokens,
    heldTokens,
    besideTokens,
    freeTokens,
    historyTokens: freeTokens,
    hard: (size) => (reported === null ? size.wire : size.tokens),
    hardTokens: reported === null ? availableTokens : countedTokens,
    expected: (tokens) => (reported === null ? tokens : calibrated(reported, tokens)),
  }
}

/** Where a request is compacted, and down to what. */
function levelsOf(
  { triggers, target }: Policy,
  levels: Pick<BudgetPlan, 'countedTokens' | 'heldTokens' | 'besideTokens' | 'freeTokens'> & {
    /** As we would count it. */
    readonly windowTokens: number
  },
): Pick<Budget, 'triggerTokens' | 'targetTokens'> {
  const { windowTokens, countedTokens, heldTokens, besideTokens, freeTokens } = levels
  const bases = {
    window: { of: windowTokens, plus: 0 },
    available: { of: countedTokens, plus: 0 },
    free: { of: freeTokens, plus: heldTokens },
  }
  const fires = firesFrom(triggers, bases, { besideTokens })
  const asked = resolveAmount(target, freeTokens)
  const targetTokens = heldTokens + Math.min(asked, Math.floor(freeTokens * belowTrigger))
  // So near to the target, every request would begin an epoch.
  const nearest = heldTokens + Math.ceil((targetTokens - heldTokens) / belowTrigger)
  const triggerTokens = Math.min(countedTokens, Math.max(fires, nearest))
  return { triggerTokens, targetTokens: Math.min(targetTokens, triggerTokens) }
}

const belowTrigger = 0.85
