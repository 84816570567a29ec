/**
 * Undo follows the views of a model to the one that each replaced, so that undoing twice goes
 * back twice.
 */
import type { RestoredView } from '../../derived/changes.ts'
import type { CompactionCause } from '../../domain/decision.ts'
import type { KeptSummary } from '../../domain/summary.ts'
import type { ViewVersion } from '../../domain/view.ts'

interface UndoSteps {
  /** The view in force and those before it, newest first; none of them is a restored one. */
  readonly steps: readonly ViewVersion[]
  /** Before the last step everything was shown; false where the oldest are not kept any more. */
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

/** Where so many compactions lead back to; the number of those that there are, where there are fewer. */
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
    // What it took the place of is not known.
    if (isFirst && !isWhole) return []
    // What a turn memory describes is in the next request too.
    const isFirstView = isFirst && step.epoch !== null && step.cause !== 'remembered'
    return isCompaction(step) || isFirstView ? [index] : []
  })
}

/** A view that was made anew for another basis is no step of its own: the one before is of no use. */
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
 * The summaries of undone views are withdrawn with all that was made from them, or the next one
 * would contain
 * them; the restored view's summary is in force again, with its chain.
 */
export function withdrawSummaries(
  summaries: readonly Pick<KeptSummary, 'id' | 'parentId' | 'withdrawn'>[],
  /** The summaries of the views that were undone, and that of the restored one. */
  shown: { readonly undone: readonly (string | null)[]; readonly restored: string | null },
): Pick<RestoredView, 'withdrawn' | 'returned'> {
  const byId = new Map(summaries.map((record) => [record.id, record]))
  const stays = chainOf(shown.restored, byId)
  const undone = new Set(shown.undone.filter((id) => id !== null && !stays.has(id)))
  const goes = ({ id }: { readonly id: string }) =>
    !stays.has(id) && [...chainOf(id, byId)].some((each) => undone.has(each))
  return {
    withdrawn: summaries.filter((record) => !record.withdrawn && goes(record)).map(({ id }) => id),
    returned: summaries
      .filter(({ id, withdrawn }) => withdrawn && stays.has(id))
      .map(({ id }) => id),
  }
}

function chainOf(
  id: string | null,
  byId: ReadonlyMap<string, Pick<KeptSummary, 'parentId'>>,
): ReadonlySet<string> {
  const chain = new Set<string>()
  for (let at = id; at !== null && !chain.has(at); at = byId.get(at)?.parentId ?? null)
    chain.add(at)
  return chain
}
