/**
 * Finds the view that an undo restores. It follows the views of a model to the one that each
 * replaced, so undoing twice undoes two compactions.
 */
import type { RestoredView } from '../../derived/changes.ts'
import type { CompactionCause } from '../../domain/decision.ts'
import type { KeptSummary } from '../../domain/summary.ts'
import type { ViewVersion } from '../../domain/view.ts'

interface UndoSteps {
  /** The current view and those before it, newest first; restored views appear as their originals. */
  readonly steps: readonly ViewVersion[]
  /** True if every message was shown before the oldest step; false if older views were deleted. */
  readonly isWhole: boolean
}

export interface KeptVersions {
  readonly versions: readonly ViewVersion[]
  readonly isWhole: boolean
}

export function undoSteps(kept: KeptVersions, from: ViewVersion | null): UndoSteps {
  const steps: ViewVersion[] = []
  let at = from
  while (at !== null) {
    const step = restoredVersion(kept, at)
    if (step === 'everything') return { steps, isWhole: true }
    if (step === 'unknown') return { steps, isWhole: false }
    steps.push(step)
    at = kept.versions.find(({ version }) => version < step.version) ?? null
  }
  return { steps, isWhole: kept.isWhole }
}

export function restoredVersion(
  { versions }: Pick<KeptVersions, 'versions'>,
  version: ViewVersion,
): ViewVersion | 'everything' | 'unknown' {
  if (version.cause !== 'restored') return version
  if (version.of === null) return 'everything'
  return versions.find((each) => each.version === version.of) ?? 'unknown'
}

/** The view before the last `compactions` compactions, or how many can be undone if fewer. */
export function undoTarget(
  { steps, isWhole }: UndoSteps,
  compactions: number,
): { readonly step: ViewVersion | 'everything' } | { readonly fewer: number } {
  const places = compactionIndexes({ steps, isWhole })
  const place = places[compactions - 1]
  if (place === undefined) return { fewer: places.length }
  return { step: steps[place + 1] ?? 'everything' }
}

export function compactionIndexes({ steps, isWhole }: UndoSteps): readonly number[] {
  return steps.flatMap((step, index) => {
    const isFirst = index === steps.length - 1
    // The view that it replaced was deleted.
    if (isFirst && !isWhole) return []
    // Undoing the first view of a turn memory has no effect: the next request has the memory too.
    const isFirstView = isFirst && step.epoch !== null && step.cause !== 'remembered'
    return isCompaction(step) || isFirstView ? [index] : []
  })
}

/** A view that was rebuilt for another basis is no compaction: its predecessor is unusable. */
function isCompaction({ cause }: ViewVersion): boolean {
  return causes.some((each) => each === cause)
}

const causes: readonly (CompactionCause | 'first')[] = [
  'first',
  'trigger',
  'overflow',
  'manual',
  'provider-overflow',
]

/**
 * Withdraws the summaries of undone views and all summaries made from them; otherwise the next
 * summary would continue them. The restored view's summary and its chain become valid again.
 */
export function withdrawSummaries(
  summaries: readonly Pick<KeptSummary, 'id' | 'parentId' | 'withdrawn'>[],
  /** The summaries of the views that were undone, and that of the restored one. */
  shown: { readonly undone: readonly (string | null)[]; readonly restored: string | null },
): Pick<RestoredView, 'withdrawn' | 'returned'> {
  const byId = new Map(summaries.map((record) => [record.id, record]))
  const valid = chainOf(shown.restored, byId)
  const undone = new Set(shown.undone.filter((id) => id !== null && !valid.has(id)))
  const isUndone = ({ id }: { readonly id: string }) =>
    !valid.has(id) && [...chainOf(id, byId)].some((each) => undone.has(each))
  return {
    withdrawn: summaries
      .filter((record) => !record.withdrawn && isUndone(record))
      .map(({ id }) => id),
    returned: summaries
      .filter(({ id, withdrawn }) => withdrawn && valid.has(id))
      .map(({ id }) => id),
  }
}

function chainOf(id: string | null, byId: ReadonlyMap<string, Pick<KeptSummary, 'parentId'>>) {
  const chain = new Set<string>()
  for (let at = id; at !== null && !chain.has(at); at = byId.get(at)?.parentId ?? null)
    chain.add(at)
  return chain
}
