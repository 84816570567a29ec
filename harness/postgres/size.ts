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
  return withPostgres({ settings: { shared_buffers: '512MB' } }, async ({ url }) => {
    await migratePostgres({ url })
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
    const contexts: number[] = []
    const recalls: number[] = []
    for (let at = 0; at < asked; at += 1) {
      const chat = tl.conversation(`c${Math.floor(random() * conversations)}`)
      contexts.push(await timed(() => chat.context({ model: 'openai/gpt-5' })))
      // The first search of a conversation indexes it.
      await chat.recall('invoice')
      recalls.push(await timed(() => chat.recall('which invoice was paid in the harbour?')))
    }
    print(`context p50 ${quantile(contexts, 0.5)} ms, p99 ${quantile(contexts, 0.99)} ms`)
    print(`recall p50 ${quantile(recalls, 0.5)} ms, p95 ${quantile(recalls, 0.95)} ms`)
    await tl.close()
    return `${conversations} conversations with ${messages} messages`
  })
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
