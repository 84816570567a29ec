/** The views that were in force in one conversation in memory, as the JSON text that a database would keep. */
import type { Seq } from '../../domain/ids.ts'
import { viewRestsOn } from '../../domain/rests-on.ts'
import type { View } from '../../domain/view.ts'
import { figuresOf, type ViewVersion } from '../../domain/view-version.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { VersionedView } from '../../ports/view-versions.ts'

interface Row {
  readonly figures: Omit<ViewVersion, 'current'>
  /** Null where everything was shown. */
  readonly body: string | null
}

/** The commit that brought a view. */
export interface ViewCommit {
  readonly version: number
  readonly at: number
  readonly of: number | null
}

export class MemoryVersions {
  /** Newest first. */
  #rows: readonly Row[] = []

  add(
    { model, view }: NonNullable<ConversationChanges['view']>,
    { version, at, of }: ViewCommit,
  ): void {
    const figures = { version, model, ...figuresOf(view), of, at }
    const body = view === null ? null : JSON.stringify(view)
    this.#rows = [{ figures, body }, ...this.#rows].slice(0, keptRows.versions)
  }

  /** `versionOf`: where the view of a model comes from that stands now; null where none does. */
  read(
    { model, limit }: { readonly model: string | null; readonly limit: number },
    versionOf: (model: string) => number | null,
  ): readonly ViewVersion[] {
    const newest = new Set<string>()
    const versions = this.#rows.map(({ figures, body }): ViewVersion => {
      const isNewest = !newest.has(figures.model)
      newest.add(figures.model)
      const standing = versionOf(figures.model)
      const current = standing === null ? isNewest && body === null : standing === figures.version
      return { ...figures, current }
    })
    return versions.filter((each) => model === null || each.model === model).slice(0, limit)
  }

  forget(seq: Seq): void {
    this.#rows = this.#rows.filter(
      ({ body }) => body === null || !viewRestsOn(JSON.parse(body) as View, seq),
    )
  }

  viewOf(version: number): VersionedView | null {
    const row = this.#rows.find(({ figures }) => figures.version === version)
    if (row === undefined) return null
    const view = row.body === null ? null : (JSON.parse(row.body) as View)
    return { model: row.figures.model, view }
  }
}
