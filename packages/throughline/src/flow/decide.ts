/**
 * Stage 3 of 8: decide. Whether the epoch goes on, with the reason and the figures. Pure.
 *
 * An epoch ends for a named cause and for nothing else, because its end costs the
 * provider's cache: what the view was made for has changed, the request has grown
 * over the trigger or over what fits, or it has become so small that there is room
 * for what was left out.
 */
import { defaults } from '../defaults.ts'
import type { EpochCause } from '../domain/context.ts'
import type { Size } from '../domain/size.ts'
import type { View } from '../domain/view.ts'
import type { Meter } from './measure.ts'
import type { BudgetPlan } from './plan-budget.ts'
import type { Basis } from './projecting.ts'

export type Decision =
  | { readonly kind: 'go-on'; readonly tokens: number; readonly triggerTokens: number }
  | {
      readonly kind: 'begin'
      readonly cause: EpochCause
      readonly tokens: number | null
      readonly triggerTokens: number
    }

const emptiedRatio = 0.6
const shrunkRatio = 0.67

export function decide(view: View, size: Size, plan: BudgetPlan): Decision {
  const { tokens } = size
  const { targetTokens } = plan.budget
  const triggerTokens = Math.max(
    plan.budget.triggerTokens,
    view.beganTokens + plan.freeTokens * defaults.regrowthRatio.value,
  )
  const begin = (cause: EpochCause): Decision => ({ kind: 'begin', cause, tokens, triggerTokens })
  if (plan.hard(size) > plan.hardTokens) return begin('overflow')
  if (tokens > triggerTokens) return begin('trigger')
  // Something large went (tools, a long prompt): what had to give way comes back.
  const emptied = tokens < targetTokens * emptiedRatio && tokens < view.beganTokens * shrunkRatio
  if (emptied && view.line > 0) return begin('refill')
  return { kind: 'go-on', tokens, triggerTokens }
}

/** What a view is made for: another one, another epoch. */
export function basisOf(
  meter: Meter,
  pins: readonly number[],
  policy: string,
  history = '',
): Basis {
  const { contextWindowTokens, maxInputTokens } = meter.card
  const window = `${contextWindowTokens}/${maxInputTokens ?? ''}/${meter.tokenizer.id}`
  return { policy, window, pins: pins.join(), history }
}

export function basisText({ policy, window, pins, history }: Basis): string {
  return JSON.stringify([policy, window, pins, history])
}

/** Why a view is of no use any more; null where it is. */
export function changedBasis(view: View, basis: Basis): EpochCause | null {
  if (view.basis === basisText(basis)) return null
  const [policy, window, , history] = JSON.parse(view.basis) as readonly string[]
  if (history !== basis.history) return 'history-changed'
  if (policy !== basis.policy) return 'policy-changed'
  return window === basis.window ? 'pins-changed' : 'window-changed'
}
