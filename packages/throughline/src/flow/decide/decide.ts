/**
 * Decides whether a request compacts, with the reason and the figures. Pure.
 *
 * A new epoch loses the provider's cached prefix, so a decision names the cause. Guards delay
 * triggers, but not an emergency: a request that does not fit cannot be sent.
 */
import type { Size } from '../../domain/context.ts'
import type { AskedCompaction, CompactionMode } from '../../domain/conversation.ts'
import type {
  Decision,
  DecisionReason,
  EpochCause,
  RenewCause,
  Trigger,
  TriggerState,
} from '../../domain/decision.ts'
import type { Policy } from '../../domain/policy.ts'
import type { View } from '../../domain/view.ts'
import type { BudgetPlan } from '../measure/plan-budget.ts'
import {
  countsTokens,
  findFiredTrigger,
  growthBase,
  isBelowReset,
  type Observed,
} from '../measure/triggers.ts'
import type { SummaryWriter } from '../summarize/summary-writer.ts'

export interface DecideInput {
  readonly policy: Pick<Policy, 'triggers' | 'guards' | 'fill'>
  /** Null if no model writes summaries. */
  readonly writer: SummaryWriter | null
  readonly mode: CompactionMode
  /** After an undo, no trigger compacts; only an emergency does. */
  readonly suspended: boolean
  readonly requestedCompaction: AskedCompaction | null
  readonly plan: BudgetPlan
  readonly head: number
  /** The context extension describes the messages before this position. */
  readonly coveredTo: number
  readonly state: TriggerState
  readonly view: Pick<View, 'line' | 'beganTokens'>
  readonly size: Size
  /** User turns since the last compaction. */
  readonly turnsSince: number
}

/** What is known of messages without their view. */
export type Unviewed = Pick<DecideInput, 'size' | 'turnsSince' | 'view' | 'coveredTo'>

// Of the target, and of the size with which the epoch began: below both, hidden messages return.
const maxRefillTargetRatio = 0.6
const maxRefillBeganRatio = 0.67

export function decide(input: DecideInput): Decision {
  const { plan, size, requestedCompaction, mode, view } = input
  const decision = decisionBuilder(input, size.tokens)
  if (requestedCompaction !== null) return decision('compact', requestedCompaction.reason)
  const fits = plan.tokensAgainstLimit(size) <= plan.limitTokens
  const { turnsSince } = input
  const fired = firedTrigger(input, { tokens: size.tokens, turnsSince, fits })
  if (!fits) {
    if (mode !== 'on') return decision('trim', 'emergency')
    return decision('compact', reasonIfFull(input, fired))
  }
  if (fired !== null) {
    const guard = guardAgainst(fired, input, size.tokens)
    if (guard !== null) return decision('continue', guard)
    return mode === 'shadow'
      ? decision('compact', fired.kind, true)
      : decision('compact', fired.kind)
  }
  // Something large left the request (tools, a long prompt), so hidden messages can return.
  const canRefill =
    input.policy.fill === 'target' &&
    size.tokens < plan.budget.targetTokens * maxRefillTargetRatio &&
    size.tokens < view.beganTokens * maxRefillBeganRatio
  if (canRefill && view.line > input.coveredTo) return decision('renew', 'refill')
  return decision('continue', 'below')
}

/**
 * A trigger below the limit gives a model time to write. Where rules write, a full request is what
 * their trigger waits for, and an emergency only if a guard holds it back.
 */
function reasonIfFull(input: DecideInput, fired: Trigger | null): DecisionReason {
  if (fired?.kind === 'onTrim') return 'onTrim'
  const trigger = input.writer === null ? (fired ?? input.policy.triggers.find(countsTokens)) : null
  if (!trigger || !countsTokens(trigger)) return 'emergency'
  return guardAgainst(trigger, input, input.size.tokens) === null ? trigger.kind : 'emergency'
}

/** `unviewed`: the messages that a view would show if nothing moved its line; null if not measured. */
export function decideRenewal(
  input: Omit<DecideInput, keyof Unviewed>,
  cause: RenewCause,
  unviewed: Unviewed | null = null,
): Decision {
  if (unviewed !== null) {
    const decision = decide({ ...input, ...unviewed })
    const isKept = decision.kind === 'continue' || decision.shadow
    return isKept ? { ...decision, kind: 'renew', reason: cause, shadow: false } : decision
  }
  const { requestedCompaction, mode } = input
  const decision = decisionBuilder({ ...input, turnsSince: 0 }, null)
  if (requestedCompaction !== null) return decision('compact', requestedCompaction.reason)
  const fired = firedTrigger(input, { tokens: null, turnsSince: null, fits: true })
  if (fired === null || mode !== 'on') return decision('renew', cause)
  return guardAgainst(fired, { ...input, view: { line: 0, beganTokens: 0 } }, 0) === null
    ? decision('compact', fired.kind)
    : decision('renew', cause)
}

function firedTrigger(
  { policy, plan, head, state }: Pick<DecideInput, 'policy' | 'plan' | 'head' | 'state'>,
  observed: Omit<Observed, 'head' | 'compactedAt'>,
): Trigger | null {
  const { compactedAt } = state
  return findFiredTrigger(policy.triggers, { ...observed, head, compactedAt }, plan)
}

/** The guard that delays a trigger which fired; null if none does. */
function guardAgainst(
  fired: Trigger,
  input: Omit<DecideInput, 'size' | 'turnsSince' | 'coveredTo'>,
  tokens: number,
): DecisionReason | null {
  const { policy, plan, head, state, view, mode, suspended } = input
  const { cooldownMessages, minMessages, regrowthRatio } = policy.guards
  if (mode === 'off') return 'off'
  if (suspended) return 'suspended'
  if (head - view.line < minMessages) return 'minimum'
  if (state.compactedAt > 0 && head - state.compactedAt < cooldownMessages) return 'cooldown'
  if (!countsTokens(fired)) return null
  if (!isArmed(input, tokens)) return 'disarmed'
  const regrownTokens = view.beganTokens + growthBase(fired, plan.freeTokens) * regrowthRatio
  return view.beganTokens > 0 && tokens <= regrownTokens ? 'regrowth' : null
}

function isArmed(
  { policy, plan, head, state }: Pick<DecideInput, 'policy' | 'plan' | 'head' | 'state'>,
  tokens: number | null,
): boolean {
  return (
    state.armed ||
    head - state.compactedAt >= policy.guards.cooldownMessages ||
    (tokens !== null && isBelowReset(policy.triggers, tokens, plan))
  )
}

function decisionBuilder(
  input: Pick<DecideInput, 'policy' | 'plan' | 'head' | 'state' | 'turnsSince'>,
  tokens: number | null,
): (kind: Decision['kind'], reason: DecisionReason, shadow?: boolean) => Decision {
  const { plan, head, state, turnsSince } = input
  const { countedTokens } = plan
  return (kind, reason, shadow = false) => ({
    kind,
    reason,
    shadow,
    armed: isArmed(input, tokens),
    figures: {
      tokens,
      availableTokens: countedTokens,
      ratio: tokens === null ? null : plan.expected(tokens) / plan.budget.windowTokens,
      messagesSince: head - state.compactedAt,
      turnsSince,
    },
  })
}

export function epochCauseOf({ kind, reason }: Decision): EpochCause {
  if (kind === 'trim' || reason === 'emergency' || reason === 'onTrim') return 'overflow'
  // The reason of a renewal is always a RenewCause.
  if (kind === 'renew') return reason as RenewCause
  return reason === 'manual' || reason === 'provider-overflow' ? reason : 'trigger'
}

/** Restarts the guards also after a compaction that changed nothing, or each request would retry it. */
export function triggerStateAfter(
  { kind, armed }: Decision,
  before: TriggerState,
  { head, epochBegan }: { readonly head: number; readonly epochBegan: boolean },
): TriggerState {
  return epochBegan || kind === 'compact'
    ? { armed: false, compactedAt: head }
    : { armed, compactedAt: before.compactedAt }
}

export const neverCompacted: TriggerState = { armed: true, compactedAt: 0 }
