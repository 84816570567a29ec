/** What an import has left in a database, as one hash: the same messages in the same order, each once. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export interface ImportedRows {
  readonly messages: number
  readonly conversations: number
  readonly keys: number
  readonly hash: string
  readonly integrity: string
}

export function importedRows(file: string): ImportedRows {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const hash = createHash('sha256')
    let messages = 0
    const rows = database
      .prepare(
        `SELECT conversations.id AS conversation, conversations.title, messages.seq, messages.key,
           messages.created_at, hex(messages.content_hash) AS content, hex(messages.chain_hash) AS chain
         FROM messages JOIN conversations ON conversations.pk = messages.conversation
         ORDER BY conversations.id, messages.seq`,
      )
      .iterate()
    for (const row of rows) {
      hash.update(`${JSON.stringify(row)}\n`)
      messages += 1
    }
    const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0])
    return {
      messages,
      conversations: count('SELECT count(*) FROM conversations'),
      keys: count('SELECT count(*) FROM (SELECT DISTINCT conversation, key FROM messages)'),
      hash: hash.digest('hex'),
      integrity: String(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]),
    }
  } finally {
    database.close()
  }
}
