/**
 * The store that the settings name, opened for one command and closed whatever happens. Commands
 * that only look take this and not the engine: it loads in a quarter of the time. They also work on
 * a database that cannot be written.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ErrorCode, ThroughlineError } from '../errors.ts'
import { type Store, type TenantStore, tenantId } from '../stores/index.ts'
import { sqlite, sqliteFileState } from '../stores/sqlite.ts'
import type { Arguments } from './command.ts'
import { foreignFile, foreignFolder, makeFolder } from './ownership.ts'
import { type FoundSettings, readSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import { defaultStore } from './settings/setting-files.ts'
import type { World } from './world.ts'

export interface OpenStore {
  readonly settings: CliSettings
  readonly store: TenantStore
  /** False where nothing was ever kept: the store is empty, and goes with the command. */
  readonly isThere: boolean
}

export async function withStore<Value>(
  args: Arguments,
  world: World,
  use: (open: OpenStore) => Promise<Value>,
): Promise<Value> {
  const found = readSettings(args, world)
  const settings = found.values
  const isThere = isStoreThere(settings.store)
  const { store } = openToLook(found, world)
  try {
    return await use({ settings, isThere, store: store.tenant(tenantId(settings.tenant)) })
  } finally {
    await store.close()
  }
}

interface OpenOptions {
  readonly durability?: 'full' | 'normal'
  /**
   * An empty file becomes a store, as one does that is not there: for commands that bring conversations.
   * One that was killed with its first breath leaves such a file, and is begun anew.
   */
  readonly begins?: boolean
}

/** For commands that write. A store that is not in the default place is named on stderr. */
export function openStore(found: FoundSettings, world: World, options: OpenOptions = {}): Store {
  const { store: file } = found.values
  const store = openToWrite(found, world, options)
  if (file !== defaultStore(world))
    world.notice({ code: 'STORE', message: `writes to the store ${file}`, file })
  return store
}

function openToWrite(
  found: FoundSettings,
  world: World,
  { durability = 'full', begins = false }: OpenOptions = {},
): Store {
  const { store: file } = found.values
  refuseForeign(found, world)
  if (!begins) refuseEmpty(file)
  const { unwritable: closed } = sqliteFileState(file)
  if (closed !== null) {
    // What is not ours is told of as what it is.
    void sqlite(file, { readOnly: true }).close()
    const why = `because ${closed === 'file' ? 'it' : 'its folder'} cannot be written`
    throw ofFile('STORE_READ_ONLY', file, `can only be looked at, ${why}`)
  }
  // Conversations are private, and so is the folder that is made for them.
  makeFolder(dirname(file), { mode: 0o700 })
  // Somebody may have been quicker to make it.
  refuseForeign(found, world)
  return sqlite(file, { durability })
}

/**
 * A database that another user may have put there, or can change. Whoever names it on the command line or
 * in the environment means that very file; a default or a settings file does not say whose it is.
 */
export function refuseForeign({ values, sources }: FoundSettings, { user }: World): void {
  const { kind } = sources.store
  if (kind === 'flag' || kind === 'environment') return
  const { store: file } = values
  const foreignStore = (why: string) => ofFile('STORE_NOT_OWNED', file, why)
  // Beside the file a log is looked for, and brought into it.
  const real = realPath(file)
  const folder = foreignFolder(dirname(real), user)
  if (folder !== null) throw foreignStore(`its folder, ${dirname(real)}: ${folder}`)
  for (const path of [file, ...['-wal', '-shm', '-journal'].map((end) => `${real}${end}`)]) {
    const foreign = foreignFile(path, user)
    if (foreign !== null) throw foreignStore(`${path === file ? '' : `${path}: `}${foreign}`)
  }
}

function realPath(file: string): string {
  const folder = dirname(file)
  if (existsSync(file)) return realpathSync(file)
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file
}

function refuseEmpty(file: string): void {
  if (sqliteFileState(file).kind === 'empty')
    throw ofFile('STORE_CORRUPT', file, 'is empty; an import makes a store of it')
}

function ofFile(code: ErrorCode, file: string, why: string): ThroughlineError {
  return new ThroughlineError(code, `SQLite file "${file}": ${why}`)
}

/** Whether anything stands where the store is to be. */
export function isStoreThere(file: string): boolean {
  return sqliteFileState(file).kind !== 'missing'
}

/** For commands that only look: one that cannot be written stays as it is, and none is made. */
export function openToLook(found: FoundSettings, world: World) {
  const { store: file } = found.values
  if (!isStoreThere(file)) return { store: sqlite(':memory:'), isWritable: true }
  refuseForeign(found, world)
  refuseEmpty(file)
  return sqliteFileState(file).unwritable === null
    ? { store: openToWrite(found, world), isWritable: true }
    : { store: sqlite(file, { readOnly: true }), isWritable: false }
}
