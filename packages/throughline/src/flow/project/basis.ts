import type { RenewCause } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'

/**
 * What a view is built for; with another basis, the view may not be usable. `history` is for callers
 * of `fit`, who may pass another log next time.
 */
export function basisOf(meter: Meter, pins: readonly Seq[], policy: string, history = ''): string {
  const { contextWindowTokens, maxInputTokens } = meter.card
  const window = `${contextWindowTokens}/${maxInputTokens ?? ''}/${meter.tokenizer.id}`
  return JSON.stringify([policy, window, pins.join(), history])
}

function partsOf(basis: string): readonly [string, string, string, string] {
  return JSON.parse(basis)
}

/** The hash of the policy. */
export function policyIn(basis: string): string {
  return partsOf(basis)[0]
}

export function changedBasis(view: View, basis: string): RenewCause | null {
  if (view.basis === basis) return null
  const [policy, window, pins, history] = partsOf(basis)
  const before = partsOf(view.basis)
  if (before[3] !== history) return 'history-changed'
  if (before[0] !== policy) return 'policy-changed'
  if (before[1] !== window) return 'window-changed'
  const changedPins = seqsIn(before[2]).symmetricDifference(seqsIn(pins))
  return [...changedPins].every((seq) => showsWhole(view, seq)) ? null : 'pins-changed'
}

function seqsIn(pins: string): ReadonlySet<Seq> {
  return new Set(pins === '' ? [] : pins.split(',').map(Number))
}

/** A pin changes nothing in the request if the message is shown whole at its own position. */
function showsWhole({ line, keeps, stubs, next }: View, seq: Seq): boolean {
  const isShort = next?.seq === seq || stubs.some((stub) => stub.seq === seq)
  return (seq >= line || keeps.includes(seq)) && !isShort
}
