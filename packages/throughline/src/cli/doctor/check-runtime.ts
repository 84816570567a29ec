/** The Node that runs us, and what its SQLite can do. */
import { DatabaseSync } from 'node:sqlite'
import { bad, type Finding, sound } from './finding.ts'

export function checkRuntime(): readonly Finding[] {
  return [sound('Node', `${process.versions.node} at ${process.execPath}`), checkSqlite()]
}

function checkSqlite(): Finding {
  const database = new DatabaseSync(':memory:')
  try {
    const version = String(
      database.prepare('SELECT sqlite_version() AS version').get()?.['version'],
    )
    const missing = features.filter(([, sql]) => fails(database, sql)).map(([name]) => name)
    return missing.length === 0
      ? sound('SQLite', `${version} with full-text search and JSON`)
      : bad('SQLite', `${version} has no ${missing.join(', no ')}: use the Node of nodejs.org`)
  } finally {
    database.close()
  }
}

const features = [
  [
    'full-text search',
    "CREATE VIRTUAL TABLE words USING fts5 (word, content = '', columnsize = 0, detail = none)",
  ],
  ['JSON', `SELECT '{"a":1}' ->> '$.a'`],
  ['strict tables', 'CREATE TABLE strict_table (a INTEGER) STRICT'],
] as const

function fails(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(sql)
    return false
  } catch {
    return true
  }
}
