/** The least that a server must do: Hono, a JSON body, and an insert with a sync to disk. */
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [, , file = ''] = process.argv
const database = new DatabaseSync(file)
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
`)
const insert = database.prepare('INSERT INTO messages (body) VALUES (?)')
const app = new Hono()
app.post('/messages', async (context) => {
  const { lastInsertRowid } = insert.run(JSON.stringify(await context.req.json()))
  return context.json({ head: Number(lastInsertRowid) }, 201)
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.send?.({ url: `http://127.0.0.1:${port}`, firstKey: null }),
)
process.on('disconnect', () => process.exit(0))
