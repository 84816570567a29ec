import type { TokensTrigger, Trigger } from '../../domain/decision.ts'

export interface Levels {
  readonly budget: { readonly windowTokens: number; readonly triggerTokens: number }
  readonly countedTokens: number
  readonly heldTokens: number
  readonly besideTokens: number
  readonly freeTokens: number
  expected(tokens: number): number
}

/** What triggers look at. Null where it is not known yet: what asks for it has not fired. */
export interface Observed {
  readonly tokens: number | null
  readonly fits: boolean
  readonly head: number
  /** The end of the log at the last compaction. */
  readonly compactedAt: number
  readonly turnsSince: number | null
}

export function firedOf(
  triggers: readonly Trigger[],
  observed: Observed,
  plan: Levels,
): Trigger | null {
  return triggers.find((trigger) => hasFired(trigger, observed, plan)) ?? null
}

function hasFired(trigger: Trigger, observed: Observed, plan: Levels): boolean {
  const { tokens, fits, turnsSince } = observed
  switch (trigger.kind) {
    case 'tokenRatio':
      return canGain(tokens, plan) && ratioOf(trigger.of, tokens, plan) >= trigger.at
    case 'tokens':
      return canGain(tokens, plan) && tokens >= trigger.at + besideOf(trigger, plan)
    case 'messages':
    case 'periodic':
      return countHasFired(trigger, observed) === true
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

/** By the number of messages alone, which is known without looking at them. */
export function hasCountFired(triggers: readonly Trigger[], counted: Counted): boolean {
  return triggers.some((trigger) =>
    trigger.kind === 'any'
      ? hasCountFired(trigger.of, counted)
      : countHasFired(trigger, counted) === true,
  )
}

type Counted = Pick<Observed, 'head' | 'compactedAt'>

/** Null for a trigger that asks for something else. */
function countHasFired(trigger: Trigger, { head, compactedAt }: Counted): boolean | null {
  if (trigger.kind === 'messages') return head - compactedAt >= trigger.since
  if (trigger.kind !== 'periodic') return null
  const { messages } = trigger
  return Math.floor(head / messages) > Math.floor(compactedAt / messages)
}

function besideOf({ of }: TokensTrigger, { besideTokens }: Pick<Levels, 'besideTokens'>): number {
  return of === 'conversation' ? besideTokens : 0
}

/** Near to the target there is nothing to gain. */
function canGain(tokens: number | null, { budget }: Levels): tokens is number {
  return tokens !== null && tokens >= budget.triggerTokens
}

/** Whether every ratio of the list has come down to its reset. */
export function isBelowReset(triggers: readonly Trigger[], tokens: number, plan: Levels): boolean {
  return triggers.every((trigger) => {
    if (trigger.kind === 'tokenRatio') return ratioOf(trigger.of, tokens, plan) < trigger.reset
    return isOfOthers(trigger) ? isBelowReset(trigger.of, tokens, plan) : true
  })
}

function ratioOf(of: 'window' | 'available' | 'free', tokens: number, plan: Levels): number {
  const { countedTokens, freeTokens, heldTokens } = plan
  switch (of) {
    // A window is in what the provider counts.
    case 'window':
      return plan.expected(tokens) / plan.budget.windowTokens
    case 'available':
      return tokens / Math.max(1, countedTokens)
    case 'free':
      return (tokens - heldTokens) / Math.max(1, freeTokens)
  }
}

/** Whether it asks for tokens, and so for something to be gained. */
export function asksForTokens(trigger: Trigger): boolean {
  return trigger.kind === 'tokenRatio' || trigger.kind === 'tokens'
    ? true
    : isOfOthers(trigger) && trigger.of.some(asksForTokens)
}

export function goByRatio(triggers: readonly Trigger[]): boolean {
  return triggers.some((trigger) =>
    isOfOthers(trigger) ? goByRatio(trigger.of) : trigger.kind === 'tokenRatio',
  )
}

/** What growth is a ratio of: a limit in tokens may be far below what is free. */
export function growsIn(trigger: Trigger, freeTokens: number): number {
  if (trigger.kind === 'tokens') return Math.min(freeTokens, trigger.at)
  return isOfOthers(trigger)
    ? Math.min(...trigger.of.map((inner) => growsIn(inner, freeTokens)))
    : freeTokens
}

function isOfOthers(
  trigger: Trigger,
): trigger is Extract<Trigger, { readonly kind: 'all' | 'any' }> {
  return trigger.kind === 'all' || trigger.kind === 'any'
}

/** From how many tokens on a list of triggers fires; infinite where none asks for tokens. */
export function firesFrom(
  triggers: readonly Trigger[],
  bases: Readonly<Record<'window' | 'available' | 'free', { readonly of: number; plus: number }>>,
  beside: Pick<Levels, 'besideTokens'>,
): number {
  const threshold = (trigger: Trigger): number => {
    switch (trigger.kind) {
      case 'tokenRatio':
        return Math.floor(bases[trigger.of].plus + trigger.at * bases[trigger.of].of)
      case 'tokens':
        return trigger.at + besideOf(trigger, beside)
      case 'any':
        return Math.min(...trigger.of.map(threshold))
      case 'all':
        return Math.max(...trigger.of.filter(asksForTokens).map(threshold))
      case 'messages':
      case 'turns':
      case 'onTrim':
      case 'periodic':
        return Number.POSITIVE_INFINITY
    }
  }
  const asked = triggers.filter(asksForTokens).map(threshold)
  return asked.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...asked)
}
