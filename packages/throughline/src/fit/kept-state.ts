/** The state that a caller keeps until the next call. */
import type { FitModelState, FitState, Witness } from '../domain/fit-state.ts'
import type { Insert } from '../domain/insert.ts'
import type { View } from '../domain/view.ts'
import type { ArrayLog } from '../flow/read/array-log.ts'

/** What was recalled stays for its epoch. */
export function insertsOf(view: View | null, inserts: readonly Insert[]): readonly Insert[] {
  return inserts.filter(({ epoch }) => epoch === view?.epoch)
}

/** The oldest that is shown, the newest, and everything that the view has shortened. */
export function witnessesOf(log: ArrayLog, view: View | null): readonly Witness[] {
  const places = [
    ...(view?.keeps ?? []),
    ...(view?.stubs.map(({ seq }) => seq) ?? []),
    ...log.pins,
    view?.line ?? 0,
    log.head - 1,
  ]
  const shown = [...new Set(places)].filter((seq) => seq >= 0 && seq < log.head)
  return shown.sort((left, right) => left - right).map((seq) => log.witness(seq))
}

const modelsKept = 8

export function withModel(states: readonly FitModelState[], model: FitModelState): FitState {
  const others = states.filter((other) => other.model !== model.model)
  return { version: 1, models: [...others, model].slice(-modelsKept) }
}
