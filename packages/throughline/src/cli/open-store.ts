/**
 * The store of the settings, opened for one command and always closed. Read-only commands use this rather
 * than the engine, which takes four times as long to load.
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
  /** False where no store exists: this one is empty and in memory. */
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
  /** An empty file becomes a store, for commands that import; a killed first import leaves such a file. */
  readonly begins?: boolean
}

/** For commands that write. Names a store that is not in the default place on stderr. */
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
    // Reports a file that is not a store as such.
    void sqlite(file, { readOnly: true }).close()
    const why = `because ${closed === 'file' ? 'it' : 'its folder'} cannot be written`
    throw ofFile('STORE_READ_ONLY', file, `can only be looked at, ${why}`)
  }
  // Conversations are private.
  makeFolder(dirname(file), { mode: 0o700 })
  // Another user may have made it meanwhile.
  refuseForeign(found, world)
  return sqlite(file, { durability })
}

/**
 * Refuses a database that another user may have put there or can change. One named by a flag or in the
 * environment is meant; a default or a settings file does not say whose it is.
 */
export function refuseForeign({ values, sources }: FoundSettings, { user }: World): void {
  const { kind } = sources.store
  if (kind === 'flag' || kind === 'environment') return
  const { store: file } = values
  const foreignStore = (why: string) => ofFile('STORE_NOT_OWNED', file, why)
  // SQLite reads a log beside the file.
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

export function isStoreThere(file: string): boolean {
  return sqliteFileState(file).kind !== 'missing'
}

/** For commands that only read: creates no store and does not change one that cannot be written. */
export function openToLook(found: FoundSettings, world: World) {
  const { store: file } = found.values
  if (!isStoreThere(file)) return { store: sqlite(':memory:'), isWritable: true }
  refuseForeign(found, world)
  refuseEmpty(file)
  return sqliteFileState(file).unwritable === null
    ? { store: openToWrite(found, world), isWritable: true }
    : { store: sqlite(file, { readOnly: true }), isWritable: false }
}
