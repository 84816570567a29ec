/** What a view is made for, as text that can be compared. */
import type { RenewCause } from '../domain/epoch-cause.ts'
import type { View } from '../domain/view.ts'
import type { Meter } from './measure.ts'
import type { Basis } from './projecting.ts'

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
export function changedBasis(view: View, basis: Basis): RenewCause | null {
  if (view.basis === basisText(basis)) return null
  const [policy, window, , history] = JSON.parse(view.basis) as readonly string[]
  if (history !== basis.history) return 'history-changed'
  if (policy !== basis.policy) return 'policy-changed'
  return window === basis.window ? 'pins-changed' : 'window-changed'
}
