/** Appends beside bare inserts of the same rows, contexts beside SQLite, and two processes beside one. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgres } from '@throughline/postgres'
import pg from 'pg'
import { createThroughline, type Throughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import type { Print } from '../kernel/finding.ts'
import { withPostgres } from './server.ts'

export function measureSpeed({ appends }: { readonly appends: number }, print: Print) {
  return withPostgres({ durable: true }, async ({ url }) => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-speed-'))
    try {
      const bare = await prepareBare(url)
      const tl = createThroughline({ store: postgres({ url }) })
      await tl.conversation('warm').append({ role: 'user', content: text })
      // One after the other in turns, so that other work on the machine slows both.
      let [bareMs, ourMs] = [0, 0]
      for (let round = 0; round < rounds; round += 1) {
        bareMs += await timed(() => atOnce(appends / rounds, (at) => bare.insert(round * 1e6 + at)))
        ourMs += await timed(() =>
          atOnce(appends / rounds, (at) =>
            tl.conversation(`c${at % 50}`).append({ role: 'user', content: text }),
          ),
        )
      }
      await bare.end()
      const share = bareMs / ourMs
      print(
        `appends/s ${perSecond(appends, ourMs)}, bare ${perSecond(appends, bareMs)}: ${share.toFixed(2)} ×`,
      )
      const file = createThroughline({ store: sqlite(join(folder, 'speed.db')) })
      const [pgP50, fileP50] = await contexts([tl, file])
      print(
        `context p50 ${pgP50.toFixed(2)} ms, SQLite ${fileP50.toFixed(2)} ms: ${(pgP50 / fileP50).toFixed(2)} ×`,
      )
      const [one, two] = await withLatency(url, appends)
      print(
        `with 5 ms to PostgreSQL: one process ${one}/s, two ${two}/s: ${(two / one).toFixed(2)} ×`,
      )
      await Promise.all([tl.close(), file.close()])
      return `${appends} appends each`
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

const rounds = 8
const text = 'A message of about two hundred characters, as people write them. '.repeat(3)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000)
}

/** Ten at once, as many as there are connections. */
async function atOnce(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** The rows of an append, in a transaction of plain statements: message, event, head. */
async function prepareBare(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(`CREATE TABLE bare_conversations (id bigint PRIMARY KEY, head bigint NOT NULL);
    CREATE TABLE bare_messages (id bigint PRIMARY KEY, key text, hashes bytea, body text);
    CREATE TABLE bare_events (id bigint PRIMARY KEY, at bigint, body text);
    INSERT INTO bare_conversations SELECT generate_series(0, 49), 0`)
  const body = JSON.stringify({ role: 'user', parts: [{ type: 'text', text }] })
  const event = JSON.stringify({ kind: 'messages-appended', span: { from: 0, to: 1 } })
  const hashes = Buffer.alloc(96)
  return {
    insert: async (id: number) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        await client.query('UPDATE bare_conversations SET head = head + 1 WHERE id = $1', [id % 50])
        await client.query('INSERT INTO bare_messages VALUES ($1, NULL, $2, $3)', [
          id,
          hashes,
          body,
        ])
        await client.query('INSERT INTO bare_events VALUES ($1, $2, $3)', [id, Date.now(), event])
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
    end: () => pool.end(),
  }
}

/** The median of contexts of one conversation that both stores have, in turns. */
async function contexts(engines: readonly Throughline[]): Promise<readonly [number, number]> {
  const messages = Array.from({ length: 60 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${at} ${text}`,
  }))
  for (const tl of engines) await tl.conversation('asked').append(messages)
  const times = engines.map((): number[] => [])
  for (let round = 0; round < 60; round += 1)
    for (const [at, tl] of engines.entries()) {
      await tl.conversation('asked').append({ role: 'user', content: `${round} ${text}` })
      const ms = await timed(() => tl.conversation('asked').context({ model: 'openai/gpt-5' }))
      if (round >= 10) times[at]?.push(ms)
    }
  const [first = 0, second = 0] = times.map((all) => all.toSorted((a, b) => a - b)[25] ?? 0)
  return [first, second]
}

/** Appends per second of one process and of two, through a proxy that delays every answer. */
async function withLatency(url: string, appends: number): Promise<readonly [number, number]> {
  const target = new URL(url)
  const proxy = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    for (const socket of [incoming, outgoing]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
    }
    incoming.pipe(outgoing)
    outgoing.on('data', (chunk) => void setTimeout(() => incoming.write(chunk), 5))
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const delayed = new URL(url)
  delayed.port = String(typeof address === 'object' ? address?.port : 0)
  const run = async (processes: number) => {
    const children = Array.from({ length: processes }, (_, at) =>
      spawn(
        process.execPath,
        [
          '--conditions=throughline-source',
          fileURLToPath(new URL('./append-child.ts', import.meta.url)),
          delayed.href,
          `${processes}-${at}`,
          String(appends),
        ],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      ),
    )
    await Promise.all(children.map((child) => once(child.stdout, 'data')))
    const ended = children.map((child) => once(child, 'exit'))
    const ms = await timed(async () => {
      for (const child of children) child.stdin.end('go\n')
      await Promise.all(ended)
    })
    return perSecond(appends * processes, ms)
  }
  try {
    return [await run(1), await run(2)]
  } finally {
    proxy.close()
  }
}
