/**
 * From a model's window and a policy to the limits of a request (invariant 6).
 *
 * The hard limit is in what the provider counts, once it has reported that; before,
 * in the most that the request can be on the wire.
 */
import { resolveAmount } from '../../domain/amount.ts'
import type { Budget } from '../../domain/budget.ts'
import { type Calibration, calibrated } from '../../domain/calibration.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import type { Policy } from '../../domain/policy.ts'
import { addSizes, type Size } from '../../domain/size.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Meter } from './measure.ts'
import { firesFrom } from './triggers.ts'

export interface ProtectedSizes {
  readonly system: Size
  readonly tools: Size
  readonly pins: Size
}

export interface BudgetPlan {
  readonly budget: Budget
  /** In tokens as we count them. */
  readonly availableTokens: number
  /** What system, tools and pins have. */
  readonly heldTokens: number
  /** What they have, what the caller supplies, and the frame of the request. */
  readonly besideTokens: number
  /** What they leave. */
  readonly freeTokens: number
  hard(size: Size): number
  readonly hardTokens: number
  /** What the provider will report for so many tokens, as far as is known. */
  expected(tokens: number): number
}

export interface AskedBudget {
  /** The longest reply; null as the policy has it. */
  readonly replyTokens?: number | null
  /** Of the texts that the caller supplies for the request. */
  readonly suppliedTokens?: number
}

export function planBudget(
  { card, tokenizer }: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  sizes: ProtectedSizes,
  calibration: Calibration | null,
  { replyTokens = null, suppliedTokens = 0 }: AskedBudget = {},
): BudgetPlan {
  const reserveTokens = replyTokens ?? reserveOf(card, policy)
  const marginTokens = resolveAmount(policy.margin, card.contextWindowTokens)
  const takes = Math.min(
    card.contextWindowTokens - reserveTokens,
    card.maxInputTokens ?? Number.POSITIVE_INFINITY,
  )
  const held = addSizes([sizes.system, sizes.tools, sizes.pins])
  const refused = calibration?.ceiling?.tokens ?? Number.POSITIVE_INFINITY
  // Whatever was refused, there is room for a question and its answer.
  const ceiling = Math.max(refused, held.tokens + leastFreeTokens)
  const availableTokens = Math.max(0, Math.min(takes - marginTokens, ceiling))
  const known =
    calibration !== null && calibration.anchor !== null && calibration.tokenizerId === tokenizer.id
  // Whatever was reported, there is room for a conversation.
  const counted = known
    ? Math.max(countedFor(availableTokens, calibration), availableTokens * leastBelieved)
    : availableTokens
  // Where the tokenizer is the model's own, no report can make the text shorter.
  const ours = Math.floor(
    Math.min(ceiling, tokenizer.exact ? Math.min(counted, availableTokens) : counted),
  )
  const freeTokens = Math.max(0, ours - held.tokens)
  const windowTokens = card.contextWindowTokens * (ours / Math.max(1, availableTokens))
  const besideTokens = held.tokens + suppliedTokens + card.overhead.perRequestTokens
  const bases = {
    window: { of: windowTokens, plus: 0 },
    available: { of: ours, plus: 0 },
    free: { of: freeTokens, plus: held.tokens },
  }
  const threshold = firesFrom(policy.triggers, bases, { besideTokens })
  const asked = resolveAmount(policy.target, freeTokens)
  const target = held.tokens + Math.min(asked, Math.floor(freeTokens * belowTrigger))
  // So near to the target, every request would begin an epoch.
  const nearest = held.tokens + Math.ceil((target - held.tokens) / belowTrigger)
  const triggerTokens = Math.min(ours, Math.max(threshold, nearest))
  return {
    budget: {
      windowTokens: card.contextWindowTokens,
      windowSource: card.windowSource,
      reserveTokens,
      marginTokens,
      availableTokens,
      protected: {
        system: sizes.system.tokens,
        tools: sizes.tools.tokens,
        pins: sizes.pins.tokens,
      },
      triggerTokens,
      targetTokens: Math.min(target, triggerTokens),
    },
    availableTokens: ours,
    heldTokens: held.tokens,
    besideTokens,
    freeTokens,
    hard: (size) => (known ? size.tokens : size.wire),
    hardTokens: known ? ours : availableTokens,
    expected: (tokens) => (known ? calibrated(calibration, tokens) : tokens),
  }
}

const leastBelieved = 0.25
const leastFreeTokens = 1_000
const belowTrigger = 0.85

function reserveOf(card: ModelCard, { reserve }: Policy): number {
  return Math.min(
    reserve.tokens,
    Math.floor(reserve.ratioMax * card.contextWindowTokens),
    card.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  )
}

/** The most that we may count so that the provider counts no more than is available. */
function countedFor(availableTokens: number, calibration: Calibration): number {
  let fits = 0
  let over = availableTokens * 4 + 1
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (calibrated(calibration, middle) <= availableTokens) fits = middle
    else over = middle
  }
  return fits
}

/** Thrown when what must be sent whole is too large by itself. */
export function contextOverflow(
  plan: BudgetPlan,
  sizes: ProtectedSizes,
  model: string,
): ThroughlineError {
  const parts = Object.entries(sizes).map(([name, size]) => [name, plan.hard(size)] as const)
  const [largest] = parts.toSorted(([, left], [, right]) => right - left)
  const tokens = parts.reduce((sum, [, part]) => sum + part, 0)
  const advice = { system: 'shorten the system prompt', tools: 'offer fewer tools', pins: 'unpin' }
  const isReply = plan.budget.reserveTokens > plan.budget.windowTokens / 2
  const { windowTokens, reserveTokens, marginTokens, availableTokens } = plan.budget
  const figures = parts.map(([name, part]) => `${name} ${part}`).join(', ')
  const what = isReply
    ? 'ask for a shorter reply'
    : tokens < availableTokens / 2
      ? 'leave more to the request: lower the reserve or the margin of the policy'
      : advice[(largest?.[0] ?? 'system') as keyof typeof advice]
  return new ThroughlineError(
    'CONTEXT_OVERFLOW',
    `cannot fit the request into ${model}: ${figures}, together ${tokens} tokens, and ` +
      `${availableTokens} are available (window ${windowTokens}, reserve ${reserveTokens}, ` +
      `margin ${marginTokens}). Please ${what}, or use a model with a larger window`,
    { details: { ...Object.fromEntries(parts), tokens, availableTokens, windowTokens } },
  )
}
