/**
 * Copies the conversations of one database to another while the first is in use. It copies what changed
 * until little is left, then locks the first for the rest. A file beside the SQLite file has what is done,
 * with hashes, so that a move that was interrupted continues.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { ThroughlineError } from 'throughline'
import type { Archive, ArchivedConversation, ArchiveRecord } from 'throughline/stores'
import { sqliteArchive } from 'throughline/stores/sqlite'
import { postgresArchive } from './archive.ts'
import { migratePostgres } from './postgres.ts'

/** The options of `moveConversations`: one end is a SQLite file, the other a URL of PostgreSQL. */
export interface MoveOptions {
  readonly from: string
  readonly to: string
  /** The schema in PostgreSQL; `throughline` unless set. */
  readonly schema?: string | undefined
  /** Needed to move from PostgreSQL as a role that sees one tenant at a time. */
  readonly tenants?: readonly string[] | undefined
  /** Called after each conversation. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined
}

/** What was moved. */
export interface Moved {
  readonly conversations: number
  /** Of these, how many an interrupted move had copied already. */
  readonly resumed: number
  /** How long writers of the source waited. */
  readonly lockedMs: number
}

/**
 * Moves conversations between a SQLite file and PostgreSQL. Afterwards both have them: let programs use
 * the new place, and keep the old one until you trust it. No program may write to the new place meanwhile.
 *
 * @example
 * const { conversations } = await moveConversations({ from: 'chat.db', to: 'postgres://owner@localhost/chats' })
 */
export async function moveConversations(options: MoveOptions): Promise<Moved> {
  const { from, to, schema = 'throughline', tenants = null } = options
  const toPostgres = isUrl(to)
  if (toPostgres === isUrl(from))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'move: one of from and to must be a SQLite file, the other a URL as postgres://…',
    )
  const [file, url] = toPostgres ? [from, to] : [to, from]
  if (toPostgres && !existsSync(file))
    throw new ThroughlineError('CONFIG_INVALID', `move: there is no file ${file}`)
  if (toPostgres) await migratePostgres({ url, schema })
  const local = sqliteArchive(file)
  // A role that sees one tenant at a time can be asked for those of the file.
  const ofFile = async () => [...new Set((await local.list()).map(({ tenant }) => tenant))]
  const known = tenants ?? (toPostgres ? await ofFile() : null)
  const remote = await postgresArchive({ url, schema, tenants: known })
  const [source, target] = toPostgres ? [local, remote] : [remote, local]
  try {
    const where = JSON.stringify([toPostgres, new URL(url).host, new URL(url).pathname, schema])
    return await move({ source, target, state: readState(`${file}.move`, where) }, options)
  } finally {
    await Promise.all([local.close(), remote.close()])
  }
}

function isUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

interface Ends {
  readonly source: Archive
  readonly target: Archive
  readonly state: State
}

/** A pass that copied at most this many conversations leaves few for the last one. */
const fewLeft = 20
const maxPasses = 10

async function move(ends: Ends, { onProgress }: MoveOptions): Promise<Moved> {
  const { source, target, state } = ends
  const resumed = state.done.size
  for (const { tenant, id } of await target.list())
    if (!state.done.has(nameOf({ tenant, id })))
      throw new ThroughlineError(
        'CONFIG_INVALID',
        `move: the target has a conversation "${id}" of tenant "${tenant}" already; use an empty database`,
      )
  for (let pass = 0; pass < maxPasses; pass += 1)
    if ((await copyChanged(ends, onProgress)) <= fewLeft) break
  const unlock = await source.lock()
  const from = performance.now()
  try {
    await copyChanged(ends, onProgress)
    const left = new Set((await source.list()).map(nameOf))
    for (const { tenant, id } of (await target.list()).toReversed())
      if (!left.has(nameOf({ tenant, id }))) await target.remove({ tenant, id })
    await target.addPurges(await source.purges())
    if ((await target.list()).length !== left.size)
      throw new ThroughlineError('STORE_FAILED', 'move: the target has other conversations')
    const lockedMs = Math.round(performance.now() - from)
    state.end()
    return { conversations: left.size, resumed: Math.min(resumed, left.size), lockedMs }
  } finally {
    await unlock()
  }
}

/** Returns how many conversations it copied. */
async function copyChanged(
  { source, target, state }: Ends,
  onProgress: MoveOptions['onProgress'],
): Promise<number> {
  const all = await source.list()
  const changed = all.filter((each) => state.done.get(nameOf(each)) !== each.stamp)
  for (const [at, conversation] of changed.entries()) {
    const written = createHash('sha256')
    const serial = await target.write(conversation, hashed(source.read(conversation), written))
    const read = createHash('sha256')
    for await (const _ of hashed(target.read({ ...conversation, serial }), read));
    const hash = written.digest('hex')
    if (read.digest('hex') !== hash)
      throw new ThroughlineError('STORE_FAILED', `move: the copy of "${conversation.id}" differs`)
    state.add(nameOf(conversation), conversation.stamp, hash)
    onProgress?.(all.length - changed.length + at + 1, all.length)
  }
  return changed.length
}

async function* hashed(records: AsyncIterable<ArchiveRecord>, hash: ReturnType<typeof createHash>) {
  for await (const record of records) {
    hash.update(`${JSON.stringify(record)}\n`)
    yield record
  }
}

function nameOf({ tenant, id }: Pick<ArchivedConversation, 'tenant' | 'id'>): string {
  return JSON.stringify([tenant, id])
}

interface State {
  /** The stamps of the copied conversations, by name. */
  readonly done: ReadonlyMap<string, string>
  add(name: string, stamp: string, hash: string): void
  end(): void
}

/** Lines of JSON: where the copies are, then each conversation. */
function readState(file: string, where: string): State {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const done = new Map<string, string>()
  if (lines.length > 0 && lines[0] !== where)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `move: ${file} is of a move to or from another database; delete it to begin again`,
    )
  for (const line of lines.slice(1))
    try {
      const [name, stamp] = JSON.parse(line) as readonly [string, string]
      done.set(name, stamp)
    } catch {
      // The last line of a killed process.
    }
  if (lines.length === 0) appendFileSync(file, `${where}\n`)
  return {
    done,
    add: (name, stamp, hash) => {
      done.set(name, stamp)
      appendFileSync(file, `${JSON.stringify([name, stamp, hash])}\n`)
    },
    end: () => rmSync(file, { force: true }),
  }
}
