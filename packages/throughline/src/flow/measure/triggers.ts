/** Whether the triggers of a policy fire, and at how many tokens. */
import type { TokensTrigger, Trigger } from '../../domain/decision.ts'

interface TokenLevels {
  readonly budget: { readonly windowTokens: number; readonly triggerTokens: number }
  readonly countedTokens: number
  readonly protectedTokens: number
  readonly nonMessageTokens: number
  readonly freeTokens: number
  expected(tokens: number): number
}

/** The values that triggers compare. Null: not known yet, so a trigger on it has not fired. */
export interface Observed {
  readonly tokens: number | null
  readonly fits: boolean
  readonly head: number
  /** Of the trigger state: triggers count messages from here. */
  readonly compactedAt: number
  readonly turnsSince: number | null
}

export function findFiredTrigger(
  triggers: readonly Trigger[],
  observed: Observed,
  plan: TokenLevels,
): Trigger | null {
  return triggers.find((trigger) => hasFired(trigger, observed, plan)) ?? null
}

function hasFired(trigger: Trigger, observed: Observed, plan: TokenLevels): boolean {
  const { tokens, fits, turnsSince } = observed
  switch (trigger.kind) {
    case 'tokenRatio':
      return isAboveTrigger(tokens, plan) && ratioOf(trigger.of, tokens, plan) >= trigger.at
    case 'tokens':
      return (
        isAboveTrigger(tokens, plan) &&
        tokens >= trigger.at + excludedTokens(trigger, plan.nonMessageTokens)
      )
    case 'messages':
    case 'periodic':
      return hasCountFired(trigger, observed)
    case 'turns':
      return turnsSince !== null && turnsSince >= trigger.since
    case 'onTrim':
      return !fits
    case 'all':
      return trigger.of.every((inner) => hasFired(inner, observed, plan))
    case 'any':
      return trigger.of.some((inner) => hasFired(inner, observed, plan))
  }
}

/** Checks only triggers that count messages; they need no rendering. */
export function hasCountTriggerFired(triggers: readonly Trigger[], counted: Counted): boolean {
  return triggers.some((trigger) =>
    trigger.kind === 'any'
      ? hasCountTriggerFired(trigger.of, counted)
      : hasCountFired(trigger, counted),
  )
}

type Counted = Pick<Observed, 'head' | 'compactedAt'>

/** False for a trigger that does not count messages. */
function hasCountFired(trigger: Trigger, { head, compactedAt }: Counted): boolean {
  if (trigger.kind === 'messages') return head - compactedAt >= trigger.since
  if (trigger.kind !== 'periodic') return false
  const { messages } = trigger
  return Math.floor(head / messages) > Math.floor(compactedAt / messages)
}

function excludedTokens({ of }: TokensTrigger, nonMessageTokens: number): number {
  return of === 'conversation' ? nonMessageTokens : 0
}

/** Below `triggerTokens` the request is so near the target that a compaction saves nothing. */
function isAboveTrigger(tokens: number | null, { budget }: TokenLevels): tokens is number {
  return tokens !== null && tokens >= budget.triggerTokens
}

/** Whether every ratio trigger is below its reset level. */
export function isBelowReset(
  triggers: readonly Trigger[],
  tokens: number,
  plan: TokenLevels,
): boolean {
  return triggers.every((trigger) => {
    if (isCompound(trigger)) return isBelowReset(trigger.of, tokens, plan)
    return trigger.kind !== 'tokenRatio' || ratioOf(trigger.of, tokens, plan) < trigger.reset
  })
}

function ratioOf(of: 'window' | 'available' | 'free', tokens: number, plan: TokenLevels): number {
  const { countedTokens, freeTokens, protectedTokens } = plan
  switch (of) {
    // The window is in the provider's tokens.
    case 'window':
      return plan.expected(tokens) / plan.budget.windowTokens
    case 'available':
      return tokens / Math.max(1, countedTokens)
    case 'free':
      return (tokens - protectedTokens) / Math.max(1, freeTokens)
  }
}

/** Whether a trigger depends on tokens, so that it makes sense only if tokens are saved. */
export function countsTokens(trigger: Trigger): boolean {
  if (isCompound(trigger)) return trigger.of.some(countsTokens)
  return trigger.kind === 'tokenRatio' || trigger.kind === 'tokens'
}

export function usesRatio(triggers: readonly Trigger[]): boolean {
  return triggers.some((trigger) =>
    isCompound(trigger) ? usesRatio(trigger.of) : trigger.kind === 'tokenRatio',
  )
}

/** The base of the regrowth ratio: a limit in tokens may be far below the free tokens. */
export function growthBase(trigger: Trigger, freeTokens: number): number {
  if (isCompound(trigger))
    return Math.min(...trigger.of.map((inner) => growthBase(inner, freeTokens)))
  return trigger.kind === 'tokens' ? Math.min(freeTokens, trigger.at) : freeTokens
}

function isCompound(
  trigger: Trigger,
): trigger is Extract<Trigger, { readonly kind: 'all' | 'any' }> {
  return trigger.kind === 'all' || trigger.kind === 'any'
}

/**
 * The number of tokens at which the triggers fire; infinite if none depends on tokens. A ratio
 * trigger fires at `offset` tokens plus its ratio of `whole`.
 */
export function firingThreshold(
  triggers: readonly Trigger[],
  bases: Readonly<
    Record<'window' | 'available' | 'free', { readonly whole: number; offset: number }>
  >,
  nonMessageTokens: number,
): number {
  const threshold = (trigger: Trigger): number => {
    switch (trigger.kind) {
      case 'tokenRatio':
        return Math.floor(bases[trigger.of].offset + trigger.at * bases[trigger.of].whole)
      case 'tokens':
        return trigger.at + excludedTokens(trigger, nonMessageTokens)
      case 'any':
        return Math.min(...trigger.of.map(threshold))
      case 'all':
        return Math.max(...trigger.of.filter(countsTokens).map(threshold))
      case 'messages':
      case 'turns':
      case 'onTrim':
      case 'periodic':
        return Number.POSITIVE_INFINITY
    }
  }
  return Math.min(...triggers.filter(countsTokens).map(threshold))
}
