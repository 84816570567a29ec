/**
 * What docs/postgres.md says about operations, tried on an installed PostgreSQL with its tools: a dump that is
 * restored, a recovery to a point in time, and a failover to a synchronous standby. Programs append meanwhile.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { migratePostgres, postgres } from '@throughline/postgres'
import { createThroughline, isThroughlineError, type Throughline } from 'throughline'
import {
  answering,
  asUser,
  freePort,
  giveToUser,
  installedPrograms,
} from '../../packages/postgres/test/postgres-server.ts'
import type { Finding, Print } from '../kernel/finding.ts'
import { rowsOf } from './server.ts'

const conversations = 20

export async function tryOperations({ seconds }: { readonly seconds: number }, print: Print) {
  const programs = installedPrograms()
  if (programs === null) throw new Error('no installed PostgreSQL with pg_dump and pg_basebackup')
  const folder = mkdtempSync(join(tmpdir(), 'throughline-operations-'))
  const clusters = clustersIn(programs, folder)
  const findings: Finding[] = []
  const primary = await clusters.create()
  const proxy = await startProxy(primary.port)
  try {
    await migratePostgres({ url: proxy.url })
    const tl = createThroughline({ store: postgres({ url: proxy.url }) })
    const writing = startWriting(tl)
    await delay(seconds * 1000)
    findings.push(...(await tryDump(clusters, primary, writing, print)))
    findings.push(...(await tryRecovery(clusters, primary, writing, print)))
    findings.push(...(await tryFailover(clusters, primary, proxy, writing, seconds, print)))
    await tl.close()
    return { findings, appended: writing.acknowledged() }
  } finally {
    proxy.close()
    clusters.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Clusters = ReturnType<typeof clustersIn>
type Cluster = Awaited<ReturnType<Clusters['create']>>
type Writing = ReturnType<typeof startWriting>

/** Copies while programs append, and restores the copy into an empty database. */
async function tryDump({ run }: Clusters, primary: Cluster, writing: Writing, print: Print) {
  const before = writing.heads()
  const file = join(primary.folder, '..', 'dump')
  const dumpMs = timed(() =>
    run('pg_dump', ['-Fc', '--schema=throughline', '-f', file, primary.url]),
  )
  await rowsOf(primary.url, 'CREATE DATABASE restored')
  const url = primary.url.replace(/postgres$/, 'restored')
  const restoreMs = timed(() => run('pg_restore', ['-d', url, file]))
  const { findings, messages } = await compare('dump', url, writing, before)
  print(`dump: copied in ${dumpMs} ms, restored in ${restoreMs} ms, ${messages} messages`)
  return findings
}

/** Recovers a conversation that was purged by mistake, from a base backup and the archived log. */
async function tryRecovery(clusters: Clusters, primary: Cluster, writing: Writing, print: Print) {
  const [copy, backupMs] = await clusters.copyOf(primary, false)
  await delay(1_000)
  const before = writing.heads()
  const [row] = await rowsOf(primary.url, 'SELECT clock_timestamp()::text AS at')
  await delay(1_000)
  await writing.purge('c0')
  await rowsOf(primary.url, 'SELECT pg_switch_wal()')
  const from = performance.now()
  await clusters.recover(copy, String(row?.['at']))
  const recoverMs = Math.round(performance.now() - from)
  const { findings, messages } = await compare('recovery', copy.url, writing, before)
  print(
    `recovery: base backup in ${backupMs} ms, recovered in ${recoverMs} ms, ${messages} messages, with the purged conversation`,
  )
  return findings
}

/** Kills the primary while programs append, and lets the standby take its place. */
async function tryFailover(
  clusters: Clusters,
  primary: Cluster,
  proxy: Proxy,
  writing: Writing,
  seconds: number,
  print: Print,
): Promise<readonly Finding[]> {
  const [standby] = await clusters.copyOf(primary, true)
  await clusters.start(standby)
  await rowsOf(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await rowsOf(primary.url, 'SELECT pg_reload_conf()')
  while (
    (await rowsOf(primary.url, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"))
      .length === 0
  )
    await delay(100)
  await delay(seconds * 1000)
  const before = writing.acknowledged()
  const from = performance.now()
  primary.kill()
  clusters.run('pg_ctl', ['promote', '-w', '-D', standby.folder])
  proxy.pointTo(standby.port)
  while (writing.acknowledged() === before) await delay(20)
  const outageMs = Math.round(performance.now() - from)
  await delay(seconds * 1000)
  await writing.stop()
  const { findings, messages } = await compare('failover', standby.url, writing, writing.heads())
  const doubled = await rowsOf(
    standby.url,
    'SELECT key FROM throughline.messages GROUP BY tenant, conversation, key HAVING count(*) > 1',
  )
  print(`failover: appends again after ${outageMs} ms, ${messages} messages`)
  return doubled.length === 0
    ? findings
    : [...findings, { rule: 'doubled', detail: `${doubled.length} keys` }]
}

/** Each acknowledged message must be there, in its place. */
async function compare(
  rule: string,
  url: string,
  { chains }: Writing,
  heads: ReadonlyMap<string, number>,
): Promise<{ readonly findings: readonly Finding[]; readonly messages: number }> {
  const tl = createThroughline({ store: postgres({ url, createTables: false }) })
  const findings: Finding[] = []
  let messages = 0
  for (const [id, head] of heads) {
    const found = await Array.fromAsync(tl.conversation(id).messages())
    messages += found.length
    const lost = (chains.get(id) ?? [])
      .slice(0, head)
      .filter((content, seq) => JSON.stringify(found[seq]?.parts).includes(content) === false)
    if (lost.length > 0)
      findings.push({ rule, detail: `${id}: ${lost.length} of ${head} messages` })
  }
  await tl.close()
  return { findings, messages }
}

/** Appends to several conversations, each one message at a time, and tries again with the same key. */
function startWriting(tl: Throughline) {
  const chains = new Map<string, string[]>()
  const purged = new Set<string>()
  let [isStopped, all] = [false, 0]
  const write = async (id: string) => {
    const own: string[] = []
    chains.set(id, own)
    for (let next = 0; !isStopped && !purged.has(id); next += 1) {
      const content = `message ${next} of ${id}.`
      for (;;)
        try {
          await tl.conversation(id).append({ role: 'user', content }, { key: `${id} ${next}` })
          break
        } catch (error) {
          if (!isThroughlineError(error) || !error.retryable) throw error
        }
      own.push(content)
      all += 1
    }
  }
  const ids = Array.from({ length: conversations }, (_, at) => `c${at}`)
  const working = Promise.all(ids.map(write))
  return {
    chains,
    acknowledged: () => all,
    heads: () =>
      new Map([...chains].flatMap(([id, { length }]) => (purged.has(id) ? [] : [[id, length]]))),
    purge: async (id: string) => {
      purged.add(id)
      await tl.conversation(id).history.purge()
    },
    stop: async () => {
      isStopped = true
      await working
    },
  }
}

function clustersIn(programs: string, folder: string) {
  giveToUser(folder)
  const archive = join(folder, 'archive')
  mkdirSync(archive)
  giveToUser(archive)
  const started: string[] = []
  const run = (program: string, words: readonly string[]) => {
    const { status, stderr, error } = spawnSync(join(programs, program), words, {
      ...{ ...asUser, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
    })
    if (status !== 0) throw new Error(`${program}: ${stderr || error?.message}`)
  }
  const configure = (data: string, lines: readonly string[]) =>
    appendFileSync(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`)
  const start = async (cluster: { readonly folder: string; readonly url: string }) => {
    // Its output goes to the file: a pipe of ours would stay open.
    run('pg_ctl', ['start', '-D', cluster.folder, '-l', join(cluster.folder, 'log'), '-W'])
    started.push(cluster.folder)
    await answering(cluster.url)
  }
  const clusterIn = (data: string, port: number) => ({
    ...{ folder: data, port, url: `postgres://postgres@127.0.0.1:${port}/postgres` },
    kill: () => {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(pid, 'SIGKILL')
    },
  })
  return {
    run,
    start,
    create: async () => {
      const [data, port] = [join(folder, 'primary'), await freePort()]
      run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'])
      configure(data, [
        `port = ${port}`,
        "listen_addresses = '127.0.0.1'",
        "unix_socket_directories = ''",
        'archive_mode = on',
        `archive_command = 'cp %p ${archive}/%f'`,
      ])
      const cluster = clusterIn(data, port)
      await start(cluster)
      return cluster
    },
    /** A base backup with a port of its own; `follows` makes it a standby. */
    copyOf: async ({ url }: { readonly url: string }, follows: boolean) => {
      const port = await freePort()
      const data = join(folder, `copy-${port}`)
      const ms = timed(() =>
        run('pg_basebackup', ['-d', url, '-D', data, '-c', 'fast', ...(follows ? ['-R'] : [])]),
      )
      configure(data, [`port = ${port}`, 'archive_mode = off'])
      return [clusterIn(data, port), ms] as const
    },
    recover: async (copy: ReturnType<typeof clusterIn>, at: string) => {
      configure(copy.folder, [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${at}'`,
        "recovery_target_action = 'promote'",
      ])
      writeFileSync(join(copy.folder, 'recovery.signal'), '')
      await start(copy)
      while ((await rowsOf(copy.url, 'SELECT pg_is_in_recovery() AS is'))[0]?.['is'] === true)
        await delay(100)
    },
    stop: () => {
      for (const data of started)
        spawnSync(join(programs, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], asUser)
    },
  }
}

type Proxy = Awaited<ReturnType<typeof startProxy>>

/** One address for programs, as a load balancer is: connections end when it points elsewhere. */
async function startProxy(first: number) {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pointTo: (next: number) => {
      target = next
      endAll()
    },
    close: () => {
      server.close()
      endAll()
    },
  }
}

function timed(work: () => void): number {
  const from = performance.now()
  work()
  return Math.round(performance.now() - from)
}
