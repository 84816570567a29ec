/** What a view is made for, as text that can be compared. */
import type { RenewCause } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import type { Basis } from './records.ts'

/** What a view is made for: with another one it may be of no use. */
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
  const [policy, window, pins = '', history] = JSON.parse(view.basis) as readonly string[]
  if (history !== basis.history) return 'history-changed'
  if (policy !== basis.policy) return 'policy-changed'
  if (window !== basis.window) return 'window-changed'
  return changedPlaces(pins, basis.pins).every((seq) => showsWhole(view, seq))
    ? null
    : 'pins-changed'
}

/** Those that are pinned in only one of the two. */
function changedPlaces(before: string, now: string): readonly Seq[] {
  const [old, pinned] = [placesIn(before), placesIn(now)]
  return [...old.symmetricDifference(pinned)]
}

function placesIn(pins: string): ReadonlySet<Seq> {
  return new Set(pins === '' ? [] : pins.split(',').map(Number))
}

/** Where a message stands whole at its place, a pin changes nothing of what is sent. */
function showsWhole({ line, keeps, stubs, next }: View, seq: Seq): boolean {
  const isShort = next?.seq === seq || stubs.some((stub) => stub.seq === seq)
  return (seq >= line || keeps.includes(seq)) && !isShort
}
