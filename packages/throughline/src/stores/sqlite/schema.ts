/** Checks the schema of a file, and creates its tables. */
import { ThroughlineError } from '../../errors.ts'
import type { SqliteConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { applicationId, oldestVersion, schema, schemaVersion } from './schema-data.ts'

/** Only reads: a file of another program or another release is not changed. */
export function checkFile(connection: SqliteConnection, label: string): void {
  // One statement reads one state, because another process may be creating the file.
  const row = connection.get(
    `SELECT application_id AS application, user_version AS version,
       (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id, pragma_user_version`,
  )
  const application = Number(row?.['application'])
  const version = Number(row?.['version'])
  const isNew = application === 0 && version === 0 && Number(row?.['tables']) === 0
  if (application !== applicationId && !isNew) throw foreignFile(label)
  const versions = `has schema version ${version}; this release knows ${schemaVersion}`
  if (version > schemaVersion) throw new ThroughlineError('STORE_NEWER', `${label} ${versions}`)
  if (!isNew && version < oldestVersion)
    throw new ThroughlineError(
      'STORE_OLDER',
      `${label} ${versions}. Export its conversations with the older release that wrote it, and import them into a new file with this one`,
    )
}

export function foreignFile(label: string): ThroughlineError {
  return new ThroughlineError('STORE_FOREIGN', `${label} is a database of another program`)
}

export function createTables(connection: SqliteConnection, label: string): void {
  if (versionOf(connection) === schemaVersion) return
  connection.write(() => {
    // Another process may have been faster; from here on we have the lock.
    checkFile(connection, label)
    if (versionOf(connection) === schemaVersion) return
    if (versionOf(connection) === oldestVersion) migrate(connection)
    else connection.exec(schema)
    connection.exec(`PRAGMA application_id = ${applicationId}`)
    connection.exec(`PRAGMA user_version = ${schemaVersion}`)
  })
}

/** Throws for a read-only file without the tables of this release. */
export function checkTables(connection: SqliteConnection, label: string): void {
  const version = versionOf(connection)
  if (version === schemaVersion) return
  if (version !== 0)
    throw new ThroughlineError(
      'STORE_OLDER',
      `${label} has schema version ${version}; open it once for writing to change it to ${schemaVersion}`,
    )
  throw new ThroughlineError(
    'STORE_READ_ONLY',
    `${label} has no tables, and a read-only store cannot create them`,
  )
}

function versionOf(connection: SqliteConnection): number {
  return Number(connection.get('PRAGMA user_version')?.['user_version'])
}
