/**
 * A view that is or was in force, named by the version of the commit that brought it: what
 * can be gone back to. Without the view itself, which may be large. Plain JSON.
 */
import type { EpochCause } from './epoch-cause.ts'
import type { Seq } from './ids.ts'
import type { View } from './view.ts'

export interface ViewVersion {
  readonly version: number
  readonly model: string
  /** Null, as its cause is, where it ended a view: from there on everything was shown. */
  readonly epoch: number | null
  readonly cause: EpochCause | null
  readonly line: Seq
  /** Of the request that began its epoch. */
  readonly tokens: number
  /** The summary by a model or a person that it shows. */
  readonly summaryId: string | null
  /** Of one that was restored, the version that it shows again; null for everything. */
  readonly of: number | null
  readonly at: number
  /** Whether it is what the contexts of its model show now. */
  readonly current: boolean
}

/**
 * What the row of a version says of its view.
 *
 * @example
 * const rows = views.map((view, version) => ({ version, ...figuresOf(view) }))
 */
export function figuresOf(
  view: View | null,
): Pick<ViewVersion, 'epoch' | 'cause' | 'line' | 'tokens' | 'summaryId'> {
  return {
    epoch: view?.epoch ?? null,
    cause: view?.cause ?? null,
    line: view?.line ?? 0,
    tokens: view?.beganTokens ?? 0,
    summaryId: view?.past?.written?.id ?? null,
  }
}
