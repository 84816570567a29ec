/** The state that a caller kept, checked as far as what reads it relies on. */
import type { FitModelState, FitState } from '../domain/fit-state.ts'
import type { Insert } from '../domain/insert.ts'
import type { View } from '../domain/view.ts'
import { invalidOption } from '../flow/check/check-options.ts'

/** State is JSON that somebody else keeps. */
export function readState(state: unknown): readonly FitModelState[] {
  if (state === undefined || state === null) return []
  const { version, models } = state as Partial<FitState>
  if (version !== 1 || !Array.isArray(models) || !models.every(isModelState))
    throw invalidOption('fit: state must be what fit gave back, or be left out')
  return models
}

function isModelState(value: unknown): value is FitModelState {
  const { model, view, last, witnesses, history, inserts } = (value ?? {}) as Partial<FitModelState>
  return (
    typeof model === 'string' &&
    typeof history === 'number' &&
    typeof last?.tokens === 'number' &&
    typeof last.prefix?.chain === 'string' &&
    Array.isArray(witnesses) &&
    witnesses.every((witness) => typeof witness?.hash === 'string') &&
    (view === null || isView(view)) &&
    (inserts === undefined || (Array.isArray(inserts) && inserts.every(isInsert)))
  )
}

function isInsert(insert: Partial<Insert> | null): boolean {
  const { epoch, before, of, text, sources } = insert ?? {}
  return (
    [epoch, before].every((each) => typeof each === 'number') &&
    [of, text].every((each) => typeof each === 'string') &&
    Array.isArray(sources) &&
    sources.every((span) => typeof span?.from === 'number' && typeof span.to === 'number')
  )
}

function isView(view: View | undefined): boolean {
  return (
    typeof view?.line === 'number' &&
    typeof view.basis === 'string' &&
    view.basis.startsWith('[') &&
    Array.isArray(view.keeps) &&
    Array.isArray(view.stubs) &&
    view.stubs.every((stub) => Array.isArray(stub?.parts) && typeof stub.size?.tokens === 'number')
  )
}
