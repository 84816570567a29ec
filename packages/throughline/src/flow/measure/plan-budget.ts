/**
 * From a model's window and a policy to the limits of a request (invariant 6): in provider tokens
 * once it has
 * reported, before that in the most that the request can be on the wire.
 */
import { type Calibration, calibrated } from '../../domain/calibration.ts'
import { addSizes, type Budget, type Size } from '../../domain/context.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import { type Policy, resolveAmount } from '../../domain/policy.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Meter } from './measure.ts'
import { firingThreshold } from './triggers.ts'

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
  readonly protectedTokens: number
  /** What they have, what the caller supplies, and the frame of the request. */
  readonly nonMessageTokens: number
  readonly freeTokens: number
  /** The same before recall takes a part of it: summaries and names of messages keep their share. */
  readonly historyTokens: number
  limitSize(size: Size): number
  readonly limitTokens: number
  /** What the provider will report for so many tokens, as far as is known. */
  expected(tokens: number): number
}

/** `replyTokens`: the longest reply; null as the policy has it. `suppliedTokens`: of the caller's texts. */
export function planBudget(
  meter: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  sizes: ProtectedSizes,
  calibration: Calibration | null,
  amounts: { readonly replyTokens?: number | null; readonly suppliedTokens?: number } = {},
): BudgetPlan {
  const { replyTokens = null, suppliedTokens = 0 } = amounts
  const { card } = meter
  const protectedTokens = addSizes([sizes.system, sizes.tools, sizes.pins]).tokens
  const room = availableRoom(meter, policy, calibration, { replyTokens, protectedTokens })
  const { reserveTokens, marginTokens, availableTokens, countedTokens, reported } = room
  const nonMessageTokens = protectedTokens + suppliedTokens + card.overhead.perRequestTokens
  const freeTokens = Math.max(0, countedTokens - protectedTokens)
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
        protectedTokens,
        nonMessageTokens,
        freeTokens,
      }),
    },
    countedTokens,
    protectedTokens,
    nonMessageTokens,
    freeTokens,
    historyTokens: freeTokens,
    limitSize: (size) => (reported === null ? size.wire : size.tokens),
    limitTokens: reported === null ? availableTokens : countedTokens,
    expected: (tokens) => (reported === null ? tokens : calibrated(reported, tokens)),
  }
}

function levelsOf(
  { triggers, target }: Policy,
  levels: Pick<
    BudgetPlan,
    'countedTokens' | 'protectedTokens' | 'nonMessageTokens' | 'freeTokens'
  > & {
    readonly windowTokens: number
  },
): Pick<Budget, 'triggerTokens' | 'targetTokens'> {
  const { windowTokens, countedTokens, protectedTokens, nonMessageTokens, freeTokens } = levels
  const bases = {
    window: { of: windowTokens, plus: 0 },
    available: { of: countedTokens, plus: 0 },
    free: { of: freeTokens, plus: protectedTokens },
  }
  const fires = firingThreshold(triggers, bases, { nonMessageTokens })
  const asked = resolveAmount(target, freeTokens)
  const targetTokens =
    protectedTokens + Math.min(asked, Math.floor(freeTokens * targetBelowTrigger))
  // So near to the target, every request would begin an epoch.
  const nearest = protectedTokens + Math.ceil((targetTokens - protectedTokens) / targetBelowTrigger)
  const triggerTokens = Math.min(countedTokens, Math.max(fires, nearest))
  return { triggerTokens, targetTokens: Math.min(targetTokens, triggerTokens) }
}

const targetBelowTrigger = 0.85

/**
 * `availableTokens` as the provider counts, `countedTokens` as we do; `reported` relates them,
 * null without reports.
 */
function availableRoom(
  { card, tokenizer }: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  calibration: Calibration | null,
  {
    replyTokens,
    protectedTokens,
  }: { readonly replyTokens: number | null; readonly protectedTokens: number },
) {
  const reserveTokens = replyTokens ?? reserveOf(card, policy)
  const marginTokens = resolveAmount(policy.margin, card.contextWindowTokens)
  const takenTokens = Math.min(
    card.contextWindowTokens - reserveTokens,
    card.maxInputTokens ?? Number.POSITIVE_INFINITY,
  )
  const refusedTokens = calibration?.ceiling?.tokens ?? Number.POSITIVE_INFINITY
  // Whatever was refused, there is room for a question and its answer.
  const ceiling = Math.max(refusedTokens, protectedTokens + minFreeTokens)
  const availableTokens = Math.max(0, Math.min(takenTokens - marginTokens, ceiling))
  const isReported =
    calibration !== null && calibration.anchor !== null && calibration.tokenizerId === tokenizer.id
  const reported = isReported ? calibration : null
  // Whatever was reported, there is room for a conversation.
  const believed =
    reported === null
      ? availableTokens
      : Math.max(countedFor(availableTokens, reported), availableTokens * minCalibratedShare)
  // Where the tokenizer is the model's own, no report can make the text shorter.
  const counted = tokenizer.exact ? Math.min(believed, availableTokens) : believed
  const countedTokens = Math.floor(Math.min(ceiling, counted))
  return { reserveTokens, marginTokens, availableTokens, countedTokens, reported }
}

const minCalibratedShare = 0.25
const minFreeTokens = 1_000

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

/** How much of what it may have a request has. */
export interface BudgetFigures {
  readonly maxInputTokens: number
  readonly currentTokens: number
  /** What is left; 0 where there is less than nothing. */
  readonly availableTokens: number
  /** What has exactly as much as it may have is within it. */
  readonly withinBudget: boolean
  /** Rounded; above 100 where it is too much. */
  readonly utilizationPercent: number
}

export function budgetFigures(
  figures: Pick<BudgetFigures, 'maxInputTokens' | 'currentTokens'>,
): BudgetFigures {
  const { maxInputTokens, currentTokens } = figures
  const full = currentTokens === 0 ? 0 : 100
  return {
    maxInputTokens,
    currentTokens,
    availableTokens: Math.max(0, maxInputTokens - currentTokens),
    withinBudget: currentTokens <= maxInputTokens,
    utilizationPercent:
      maxInputTokens === 0 ? full : Math.round((100 * currentTokens) / maxInputTokens),
  }
}

/** Thrown when what must be sent whole is too large by itself. */
export function contextOverflow(
  plan: BudgetPlan,
  sizes: ProtectedSizes,
  model: string,
): ThroughlineError {
  const parts = Object.entries(sizes).map(([name, size]) => [name, plan.limitSize(size)] as const)
  const [largest] = parts.toSorted(([, left], [, right]) => right - left)
  const tokens = parts.reduce((sum, [, part]) => sum + part, 0)
  const advice = { system: 'shorten the system prompt', tools: 'offer fewer tools', pins: 'unpin' }
  const isReply = plan.budget.reserveTokens > plan.budget.windowTokens / 2
  const { windowTokens, reserveTokens, inputLimitTokens, marginTokens, availableTokens } =
    plan.budget
  const inputLimit = inputLimitTokens === null ? '' : `input limit ${inputLimitTokens}, `
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
      `${inputLimit}margin ${marginTokens}). Please ${what}, or use a model with a larger window`,
    {
      details: {
        ...Object.fromEntries(parts),
        tokens,
        availableTokens,
        windowTokens,
        inputLimitTokens,
      },
    },
  )
}

/** Where a policy leaves users' words to its summary: for what no summary covers. */
const uncoveredShare = 0.15

export function userTextTokens(
  policy: Pick<Policy, 'userText'>,
  { freeTokens }: Pick<BudgetPlan, 'freeTokens'>,
): number {
  const amount = repeatsUserText(policy) ? policy.userText : { ratio: uncoveredShare }
  return resolveAmount(amount, freeTokens)
}

/** Whether it is repeated beside a summary that covers it. */
export function repeatsUserText({ userText }: Pick<Policy, 'userText'>): boolean {
  return 'tokens' in userText ? userText.tokens > 0 : userText.ratio > 0
}

export function policyFor(policy: Policy, names: readonly string[]): Policy {
  const override = policy.models.find(({ match }) =>
    names.some((name) => matchesPattern(match, name)),
  )
  if (override === undefined) return policy
  const { match: _, ...fields } = override
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...policy, ...Object.fromEntries(given) }
}

/** Pieces between the stars, found one after the other: no pattern takes longer than its text. */
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
