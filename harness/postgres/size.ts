/** Many conversations in one database: bytes per message, and how long contexts and recall take. */
import { migratePostgres, postgres } from '@throughline/postgres'
import { createThroughline } from 'throughline'
import { seededFractions } from '../kernel/chance.ts'
import type { Print } from '../kernel/finding.ts'
import { rowsOf, withPostgres } from './server.ts'

const asked = 300

export function measureSize(
  { conversations, messages }: { readonly conversations: number; readonly messages: number },
  print: Print,
) {
  const settings = { shared_buffers: '512MB', shared_preload_libraries: 'pg_stat_statements' }
  return withPostgres({ settings }, async ({ url }) => {
    await migratePostgres({ url })
    const hasFigures = (await rowsOf(url, 'SHOW shared_preload_libraries'))[0]
    const isCounted = String(hasFigures?.['shared_preload_libraries']).includes('pg_stat')
    if (isCounted) await rowsOf(url, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const tl = createThroughline({ store: postgres({ url }) })
    let next = 0
    const cpuBefore = process.cpuUsage()
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let at = next++; at < conversations; at = next++)
          await tl.conversation(`c${at}`).append(batchOf(at, messages))
      }),
    )
    const cpu = process.cpuUsage(cpuBefore)
    const total = conversations * messages
    await rowsOf(url, 'ANALYZE')
    const tables = await rowsOf(
      url,
      `SELECT relname AS name, pg_total_relation_size(pg_class.oid)::float8 AS bytes
       FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = 'throughline' AND relkind = 'r' ORDER BY bytes DESC`,
    )
    const bytes = tables.reduce((sum, row) => sum + Number(row['bytes']), 0)
    print(
      `bytes per message ${Math.round(bytes / total)}; CPU of ours per message ${Math.round((cpu.user + cpu.system) / total)} µs`,
    )
    for (const row of tables.slice(0, 5))
      print(`  ${row['name']} ${Math.round(Number(row['bytes']) / total)} bytes per message`)
    const random = seededFractions(7)
    const chats = Array.from({ length: asked }, () =>
      tl.conversation(`c${Math.floor(random() * conversations)}`),
    )
    const measured = async (work: (chat: (typeof chats)[number]) => Promise<unknown>) => {
      if (isCounted) await rowsOf(url, 'SELECT pg_stat_statements_reset()')
      const times: number[] = []
      for (const chat of chats) times.push(await timed(() => work(chat)))
      await tl.settled()
      return { times, inPostgres: isCounted ? await figuresOf(url) : 'not counted by this server' }
    }
    const contexts = await measured((chat) => chat.context({ model: 'openai/gpt-5' }))
    // The first search of a conversation indexes it.
    const first = await measured((chat) => chat.recall('invoice'))
    const recalls = await measured((chat) => chat.recall('which invoice was paid in the harbour?'))
    for (const [name, { times, inPostgres }] of Object.entries({ contexts, first, recalls }))
      print(
        `${name} p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms, p99 ${quantile(times, 0.99)} ms; each in PostgreSQL: ${inPostgres}`,
      )
    await tl.close()
    return `${conversations} conversations with ${messages} messages`
  })
}

/** Of each call since the last reset, without what other work on the machine costs. */
async function figuresOf(url: string): Promise<string> {
  const [row] = await rowsOf(
    url,
    `SELECT sum(calls)::float8 AS calls, sum(total_exec_time)::float8 AS ms, sum(shared_blks_hit + shared_blks_read)::float8 AS pages
     FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'`,
  )
  const each = (name: string) => Number(row?.[name]) / asked
  return `${each('calls').toFixed(1)} statements, ${each('ms').toFixed(2)} ms, ${each('pages').toFixed(0)} pages`
}

const words = 'invoice paid harbour ship crane file order client answer later number list'.split(
  ' ',
)

function batchOf(conversation: number, messages: number) {
  return Array.from({ length: messages }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: Array.from(
      { length: 30 },
      (_, word) => `${words[(conversation * 7 + at * 3 + word * word) % words.length]}${word % 5}`,
    ).join(' '),
  }))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function quantile(all: readonly number[], share: number): string {
  const sorted = all.toSorted((left, right) => left - right)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}
