/**
 * Computes the limits of a request from the model's window and the policy (invariant 6). Until the
 * provider has reported usage, the limit applies to the upper bound of the JSON, unless a policy with
 * `fill: 'recent'` fires so near the limit that this bound would exceed it first.
 */
import { type Calibration, calibrated } from '../../domain/calibration.ts'
import { addSizes, type Budget, type Size } from '../../domain/context.ts'
import type { Trigger } from '../../domain/decision.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import { type Policy, resolveAmount } from '../../domain/policy.ts'
import type { Meter } from './measure.ts'
import { firingThreshold } from './triggers.ts'

export interface ProtectedSizes {
  readonly system: Size
  readonly tools: Size
  readonly pins: Size
}

export interface BudgetPlan {
  readonly budget: Budget
  /** The available tokens in our count; `budget.availableTokens` is in the provider's count. */
  readonly countedTokens: number
  /** System prompt, tools and pins. */
  readonly protectedTokens: number
  /** Protected tokens, the caller's texts and the frame of the request. */
  readonly nonMessageTokens: number
  readonly freeTokens: number
  /** `freeTokens` before recall reduces it; the history block keeps its share of this. */
  readonly historyTokens: number
  /**
   * The tokens to compare with `limitTokens`: an upper bound for the JSON of the request, or our
   * count if a provider has reported usage or the triggers need the room.
   */
  tokensAgainstLimit(size: Size): number
  readonly limitTokens: number
  /** What the provider will probably report for a number of our tokens. */
  expected(tokens: number): number
}

/** `replyTokens`: the longest reply; null for the policy's reserve. `suppliedTokens`: the caller's texts. */
export function planBudget(
  meter: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  sizes: ProtectedSizes,
  calibration: Calibration | null,
  amounts: { readonly replyTokens?: number | null; readonly suppliedTokens?: number } = {},
): BudgetPlan {
  const { replyTokens = null, suppliedTokens = 0 } = amounts
  const { card } = meter
  const { system, tools, pins } = sizes
  const protectedTokens = addSizes([system, tools, pins]).tokens
  const limits = requestLimits(meter, policy, calibration, { replyTokens, protectedTokens })
  const { reserveTokens, marginTokens, availableTokens, countedTokens, reported } = limits
  const nonMessageTokens = protectedTokens + suppliedTokens + card.overhead.perRequestTokens
  const freeTokens = Math.max(0, countedTokens - protectedTokens)
  const { firingTokens, ...levels } = levelsOf(policy, {
    windowTokens: card.contextWindowTokens * (countedTokens / Math.max(1, availableTokens)),
    countedTokens,
    protectedTokens,
    nonMessageTokens,
    freeTokens,
  })
  // At the trigger, the bound of an ordinary conversation would be above the limit already: each
  // compaction would be an emergency, and no guard would hold.
  const boundAtTrigger = (firingTokens - protectedTokens) * usualBoundRatio
  const isTight =
    policy.fill === 'recent' && Number.isFinite(firingTokens) && boundAtTrigger > freeTokens
  const isBounded = reported === null && !isTight
  return {
    budget: {
      windowTokens: card.contextWindowTokens,
      windowSource: card.windowSource,
      reserveTokens,
      inputLimitTokens: card.maxInputTokens,
      marginTokens,
      availableTokens,
      protected: { system: system.tokens, tools: tools.tokens, pins: pins.tokens },
      ...levels,
    },
    countedTokens,
    protectedTokens,
    nonMessageTokens,
    freeTokens,
    historyTokens: freeTokens,
    tokensAgainstLimit: (size) => (isBounded ? size.wire : size.tokens),
    limitTokens: isBounded ? availableTokens : countedTokens,
    expected: (tokens) => (reported === null ? tokens : calibrated(reported, tokens)),
  }
}

type TokenCounts = Pick<
  BudgetPlan,
  'countedTokens' | 'protectedTokens' | 'nonMessageTokens' | 'freeTokens'
>

function levelsOf(
  { triggers, target }: Policy,
  counts: TokenCounts & { readonly windowTokens: number },
): Pick<Budget, 'triggerTokens' | 'targetTokens'> & { readonly firingTokens: number } {
  const { windowTokens, countedTokens, protectedTokens, freeTokens } = counts
  const bases = {
    window: { whole: windowTokens, offset: 0 },
    available: { whole: countedTokens, offset: 0 },
    free: { whole: freeTokens, offset: protectedTokens },
  }
  const firingTokens = firingThreshold(triggers, bases, counts.nonMessageTokens)
  const maxTarget = Math.floor(freeTokens * maxTargetOfTrigger)
  const freeTarget = Math.min(resolveAmount(target, freeTokens), maxTarget)
  // A trigger nearer to the target would start an epoch with every request.
  const minTriggerTokens = protectedTokens + Math.ceil(freeTarget / maxTargetOfTrigger)
  const triggerTokens = Math.min(countedTokens, Math.max(firingTokens, minTriggerTokens))
  const targetTokens = Math.min(protectedTokens + freeTarget, triggerTokens)
  return { triggerTokens, targetTokens, firingTokens }
}

const maxTargetOfTrigger = 0.85
// How much larger the JSON of short messages is than their tokens.
const usualBoundRatio = 1.3

/**
 * `availableTokens` is in the provider's count, `countedTokens` in ours; `reported` converts
 * between them, and is null before the first report.
 */
function requestLimits(
  { card, tokenizer }: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  calibration: Calibration | null,
  amounts: { readonly replyTokens: number | null; readonly protectedTokens: number },
) {
  const { replyTokens, protectedTokens } = amounts
  const reserveTokens = replyTokens ?? reserveOf(card, policy)
  const marginTokens = resolveAmount(policy.margin, card.contextWindowTokens)
  const inputTokens = Math.min(
    card.contextWindowTokens - reserveTokens,
    card.maxInputTokens ?? Number.POSITIVE_INFINITY,
  )
  const refusedTokens = calibration?.ceiling?.tokens ?? Number.POSITIVE_INFINITY
  // Even after refused requests, keep room for a question and its answer.
  const maxTokens = Math.max(refusedTokens, protectedTokens + minFreeTokens)
  const availableTokens = Math.max(0, Math.min(inputTokens - marginTokens, maxTokens))
  const isReported =
    calibration !== null && calibration.anchor !== null && calibration.tokenizerId === tokenizer.id
  const reported = isReported ? calibration : null
  let counted = reported === null ? availableTokens : countedFor(availableTokens, reported)
  // With the model's own tokenizer, a report cannot make texts smaller.
  if (tokenizer.exact) counted = Math.min(counted, availableTokens)
  const countedTokens = Math.floor(Math.min(maxTokens, counted))
  return { reserveTokens, marginTokens, availableTokens, countedTokens, reported }
}

const minFreeTokens = 1_000

function reserveOf(card: ModelCard, { reserve }: Policy): number {
  return Math.min(
    reserve.tokens,
    Math.floor(reserve.ratioMax * card.contextWindowTokens),
    card.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  )
}

// Even with an extreme report, keep room for a conversation.
const minCalibratedShare = 0.25
// A calibration expects at least 0.4 tokens of the provider for one of ours, so no more can fit.
const maxCalibratedShare = 3

/** The largest count of ours with which the provider counts at most `availableTokens`. */
function countedFor(availableTokens: number, calibration: Calibration): number {
  let fitting = availableTokens * minCalibratedShare
  let tooMany = availableTokens * maxCalibratedShare
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (calibrated(calibration, middle) <= availableTokens) fitting = middle
    else tooMany = middle
  }
  return fitting
}

/**
 * The policy for a model: with the first override whose pattern matches one of its names, and with
 * the triggers for whoever writes the history, a model or rules.
 */
export function policyFor(policy: Policy, names: readonly string[], hasWriter = true): Policy {
  const overridden = withOverride(policy, names)
  const triggers = hasWriter ? overridden.triggers : overridden.triggers.map(byRules)
  return triggers === overridden.triggers ? overridden : { ...overridden, triggers }
}

function byRules(trigger: Trigger): Trigger {
  if (trigger.kind === 'all' || trigger.kind === 'any')
    return { ...trigger, of: trigger.of.map(byRules) }
  if (trigger.kind !== 'tokenRatio') return trigger
  return { ...trigger, at: trigger.withoutModel ?? trigger.at }
}

function withOverride(policy: Policy, names: readonly string[]): Policy {
  const isMatch = (pattern: string) => names.some((name) => matchesPattern(pattern, name))
  const override = policy.models.find(({ match }) => isMatch(match))
  if (override === undefined) return policy
  const { match: _, ...settings } = override
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { ...policy, ...Object.fromEntries(defined) }
}

/** Searches the pieces between the stars one after the other, in linear time. */
function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
