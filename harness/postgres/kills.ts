/**
 * Servers and workers on one PostgreSQL, of which random ones are killed, PostgreSQL too. Callers repeat
 * what failed, at any server. At the end SQL audits the tables: nothing acknowledged may be missing.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@throughline/client'
import { isThroughlineError } from 'throughline'
import { createFaultServer } from '../fault-server.ts'
import { seededFractions } from '../kernel/chance.ts'
import type { Finding, Print } from '../kernel/finding.ts'
import { auditTables } from './audit-tables.ts'
import { startProgram } from './programs.ts'
import { rowsOf, withPostgres } from './server.ts'

interface KillOptions {
  readonly seconds: number
  readonly conversations: number
  readonly seed: number
}

const servers = 4
const workers = 2
const callers = 12
/** Conversations that are purged now and then; the others must keep what was acknowledged. */
const purgedShare = 0.1

export async function runKills(options: KillOptions, print: Print) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-kills-'))
  const models = await createFaultServer({
    answers: ({ messages }) => `They spoke about ${messages.length} things and went on.`,
  })
  try {
    return await withPostgres({ durable: true }, (server) =>
      run(options, { server, folder, modelUrl: models.url }, print),
    )
  } finally {
    await models.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(
  { seconds, conversations, seed }: KillOptions,
  {
    server,
    folder,
    modelUrl,
  }: {
    readonly server: Parameters<Parameters<typeof withPostgres>[1]>[0]
    readonly folder: string
    readonly modelUrl: string
  },
  print: Print,
) {
  const random = seededFractions(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const logged = new Map<string, number>()
  const settings = { database: server.url, modelUrl, logged }
  const programs = await Promise.all([
    ...Array.from({ length: servers }, (_, at) =>
      startProgram('serve', { ...settings, folder: join(folder, `server-${at}`) }),
    ),
    ...Array.from({ length: workers }, (_, at) =>
      startProgram('worker', { ...settings, folder: join(folder, `worker-${at}`) }),
    ),
  ])
  const clients = programs
    .slice(0, servers)
    .map(({ url, key }) =>
      createClient({ url: url ?? '', key: key ?? '', retries: 0, timeoutMs: 20_000 }),
    )
  const acknowledged = new Map<string, Set<string>>()
  const codes = new Map<string, number>()
  const isPurged = (at: number) => at >= conversations * (1 - purgedShare)
  let [isOver, calls, number] = [false, 0, 0]
  const call = async (action: (client: Client) => Promise<unknown>) => {
    calls += 1
    try {
      await action(clients[pick(clients.length)] as Client)
      return true
    } catch (error) {
      const code = isThroughlineError(error)
        ? String(error.details?.['code'] ?? error.code)
        : 'OTHER'
      codes.set(code, (codes.get(code) ?? 0) + 1)
      await wait(50)
      return false
    }
  }
  const append = async (id: string) => {
    number += 1
    const key = `k${number}`
    const text = `${key} ${'about the invoice and its file src/pay.ts '.repeat(1 + pick(20))}`
    const message = { role: number % 2 === 0 ? 'user' : 'assistant', content: text } as const
    // The same key at any server, until one acknowledges it.
    for (let tries = 0; tries < 200; tries += 1)
      if (await call((client) => client.conversation(id).append(message, { key }))) {
        acknowledged.set(id, (acknowledged.get(id) ?? new Set()).add(key))
        return
      }
  }
  const step = async () => {
    const at = pick(conversations)
    const id = `c${at}`
    const kind = random()
    const model = 'toy/chat'
    if (kind < 0.66) await append(id)
    else if (kind < 0.8) await call((client) => client.conversation(id).context({ model }))
    else if (kind < 0.86) await call((client) => client.conversation(id).compact({ model }))
    else if (kind < 0.91)
      await call(async (client) => {
        const head = (await client.conversation(id).info())?.head ?? 0
        const content = `edited ${random()}`
        const message = { role: 'user', content } as const
        await client.conversation(id).history.edit(`#${pick(Math.max(1, head))}`, message)
      })
    else if (kind < 0.95) await call((client) => client.conversation(id).history.undo({ model }))
    else if (isPurged(at)) await call((client) => client.conversation(id).history.purge())
    else await call((client) => client.conversation(id).recall('invoice'))
  }
  const calling = Array.from({ length: callers }, async () => {
    while (!isOver) await step()
  })
  let [kills, crashes] = [0, 0]
  const endAt = performance.now() + seconds * 1_000
  while (performance.now() < endAt) {
    await wait(1_500 + random() * 4_000)
    if (random() < 0.2 && server.crash !== null) {
      crashes += 1
      await server.crash()
      await wait(200)
      await server.restart()
    } else {
      kills += 1
      await programs[pick(programs.length)]?.killAndRestart()
    }
  }
  isOver = true
  await Promise.all(calling)
  await Promise.all(programs.map(({ stop }) => stop()))
  const findings: Finding[] = [...(await auditTables(server.url))]
  print(`errors of callers: ${JSON.stringify(Object.fromEntries(codes))}`)
  print(`errors that servers logged: ${JSON.stringify(Object.fromEntries(logged))}`)
  // A call that waited too long for a connection of the pool, or for a lock.
  if (logged.has('STORE_BUSY'))
    findings.push({ rule: 'busy', detail: `${logged.get('STORE_BUSY')} answers` })
  let messages = 0
  for (const [id, keys] of acknowledged) {
    if (isPurged(Number(id.slice(1)))) continue
    const stored = new Set(await keysOf(server.url, id))
    messages += keys.size
    for (const key of keys)
      if (!stored.has(key)) findings.push({ rule: 'lost', detail: `${key} of ${id}` })
  }
  for (const line of deadlocksIn(server.logFile)) findings.push({ rule: 'deadlock', detail: line })
  return { findings, calls, acknowledged: messages, kills, crashes }
}

async function keysOf(url: string, id: string): Promise<readonly string[]> {
  const rows = await rowsOf(
    url,
    `SELECT m.key FROM throughline.messages m JOIN throughline.conversations c ON c.pk = m.conversation
     WHERE c.id = $1`,
    [id],
  )
  return rows.map(({ key }) => String(key))
}

function deadlocksIn(file: string | null): readonly string[] {
  if (file === null || !existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /deadlock detected|40P01/.test(line))
}
