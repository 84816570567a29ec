/** For commands that need no engine, which takes four times as long to load. Always closes the store. */
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
  /** False if there is no store yet; then this one is empty and in memory. */
  readonly exists: boolean
}

export async function withStore<Value>(
  args: Arguments,
  world: World,
  use: (open: OpenStore) => Promise<Value>,
): Promise<Value> {
  const found = readSettings(args, world)
  const settings = found.values
  const exists = storeExists(settings.store)
  const { store } = openForReading(found, world)
  try {
    return await use({ settings, exists, store: store.tenant(tenantId(settings.tenant)) })
  } finally {
    await store.close()
  }
}

interface OpenOptions {
  readonly durability?: 'full' | 'normal'
  /** Turns an empty file into a store; a killed first import leaves such a file. */
  readonly createsStore?: boolean
}

/** For commands that write. Names a store outside the default path on stderr. */
export function openStore(found: FoundSettings, world: World, options: OpenOptions = {}): Store {
  const { store: file } = found.values
  const verb = storeExists(file) ? 'using' : 'created'
  const store = openForWriting(found, world, options)
  if (file !== defaultStore(world))
    world.notice({ code: 'STORE', message: `${verb} the store ${file}`, file })
  return store
}

function openForWriting(
  found: FoundSettings,
  world: World,
  { durability = 'full', createsStore = false }: OpenOptions = {},
): Store {
  const { store: file } = found.values
  refuseUnowned(found, world)
  if (!createsStore) refuseEmpty(file)
  const { unwritable } = sqliteFileState(file)
  if (unwritable !== null) {
    // Throws a better error if the file is not a store.
    void sqlite(file, { readOnly: true }).close()
    const what = unwritable === 'file' ? 'the file' : 'its folder'
    throw storeError('STORE_READ_ONLY', file, `${what} is read-only`)
  }
  // Conversations are private.
  makeFolder(dirname(file), { mode: 0o700 })
  // Another user may have created it in the meantime.
  refuseUnowned(found, world)
  return sqlite(file, { durability })
}

/**
 * Rejects a database that another user may have created or can change. A path given by a flag or in the
 * environment is accepted: the user chose that file.
 */
export function refuseUnowned({ values, sources }: FoundSettings, { user }: World): void {
  const { kind } = sources.store
  if (kind === 'flag' || kind === 'environment') return
  const { store: file } = values
  const foreignStore = (why: string) => storeError('STORE_NOT_OWNED', file, why)
  // SQLite also reads the log files next to the database.
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
    throw storeError('STORE_CORRUPT', file, 'the file is empty; an import turns it into a store')
}

function storeError(code: ErrorCode, file: string, why: string): ThroughlineError {
  return new ThroughlineError(code, `SQLite file "${file}": ${why}`)
}

export function storeExists(file: string): boolean {
  return sqliteFileState(file).kind !== 'missing'
}

/** For commands that only read: creates no store, and works on a read-only one. */
export function openForReading(found: FoundSettings, world: World) {
  const { store: file } = found.values
  if (!storeExists(file)) return { store: sqlite(':memory:'), isWritable: true }
  refuseUnowned(found, world)
  refuseEmpty(file)
  return sqliteFileState(file).unwritable === null
    ? { store: openForWriting(found, world), isWritable: true }
    : { store: sqlite(file, { readOnly: true }), isWritable: false }
}
