/** The views that were in force: one row for each commit that brought or ended one. */

import type { View } from '../../domain/view.ts'
import { figuresOf, type ViewVersion } from '../../domain/view-version.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { VersionedView, VersionsQuery } from '../../ports/view-versions.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { modelName, nameCell, viewOf } from './derived-rows.ts'

export function writeVersion(
  connection: SqliteConnection,
  commit: { readonly pk: number; readonly version: number; readonly at: number },
  { model, view }: NonNullable<ConversationChanges['view']>,
  of: number | null,
): void {
  const { pk, version, at } = commit
  const { epoch, cause, line, tokens, summaryId } = figuresOf(view)
  connection.run(
    `INSERT INTO view_versions
       (conversation, version, model, at, restores, epoch, cause, line, tokens, summary, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[pk, version, modelName(model), at, of, epoch, cause, line, tokens, summaryId],
    view === null ? null : JSON.stringify(view),
  )
  connection.run(
    `DELETE FROM view_versions WHERE conversation = ? AND version <=
       (SELECT version FROM view_versions WHERE conversation = ?
        ORDER BY version DESC LIMIT 1 OFFSET ?)`,
    pk,
    pk,
    keptRows.versions,
  )
}

/** Where no view of a model stands, its newest version is in force if it ended one. */
const select = `SELECT version, model, at, restores, epoch, cause, line, tokens, summary,
    coalesce(
      (SELECT touched = version FROM views
       WHERE views.conversation = kept.conversation AND views.model = kept.model),
      epoch IS NULL AND version = (SELECT max(version) FROM view_versions AS other
        WHERE other.conversation = kept.conversation AND other.model = kept.model)
    ) AS current
  FROM view_versions AS kept`

export function readVersions(
  connection: SqliteConnection,
  pk: number,
  { model, limit }: Pick<VersionsQuery, 'model' | 'limit'>,
): readonly ViewVersion[] {
  const name = model === null ? null : modelName(model)
  return connection
    .all(
      `${select} WHERE conversation = ? AND coalesce(model = ?, true)
       ORDER BY version DESC LIMIT ?`,
      pk,
      name,
      limit,
    )
    .map(versionOf)
}

export function readViewOf(
  connection: SqliteConnection,
  pk: number,
  version: number,
): VersionedView | null {
  const row = connection.get(
    'SELECT model, body FROM view_versions WHERE conversation = ? AND version = ?',
    pk,
    version,
  )
  return row && { model: nameOf(row), view: viewOf(row['body']) }
}

function versionOf(row: Row): ViewVersion {
  const number = (cell: Row[string] | undefined) => (cell === null ? null : Number(cell))
  return {
    version: Number(row['version']),
    model: nameOf(row),
    epoch: number(row['epoch']),
    cause: row['cause'] as View['cause'] | null,
    line: Number(row['line']),
    tokens: Number(row['tokens']),
    summaryId: row['summary'] as string | null,
    of: number(row['restores']),
    at: Number(row['at']),
    current: Number(row['current']) === 1,
  }
}

function nameOf(row: Row): string {
  return nameCell(row['model'], 'the version of a view')
}
