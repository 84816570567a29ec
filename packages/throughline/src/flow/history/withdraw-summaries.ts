/**
 * Which summaries a restored view takes back, and which it brings back. What the views showed
 * that were undone is taken back, with all that was made from it: a summary that nobody wants
 * would be in the next one otherwise. What the restored view shows is in force again, with what
 * that was made from. Pure.
 */

import type { KeptSummary } from '../../domain/summary.ts'
import type { RestoredView } from '../../ports/view-versions.ts'

export function withdrawnBy(
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

/** A summary and those that it was made from. */
function chainOf(
  id: string | null,
  byId: ReadonlyMap<string, Pick<KeptSummary, 'parentId'>>,
): ReadonlySet<string> {
  const chain = new Set<string>()
  for (let at = id; at !== null && !chain.has(at); at = byId.get(at)?.parentId ?? null)
    chain.add(at)
  return chain
}
