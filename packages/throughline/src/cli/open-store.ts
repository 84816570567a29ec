/**
 * The store that the settings name, opened for one command and closed whatever happens. Commands
 * that only look take this and not the engine: it loads in a quarter of the time. They also work on
 * a database that cannot be written.
 */
import { dirname } from 'node:path'
import { tenantId } from '../domain/ids.ts'
import { ThroughlineError } from '../errors.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { checkPath } from '../stores/sqlite/check-path.ts'
import { fileKind } from '../stores/sqlite/file-kind.ts'
import { unwritable } from '../stores/sqlite/write-access.ts'
import { sqlite } from '../stores/sqlite.ts'
import type { Arguments } from './command.ts'
import { makeFolder } from './make-folder.ts'
import { readSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
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
  const { values: settings } = readSettings(args, world)
  const isThere = isStoreThere(settings.store)
  const { store } = openToLook(settings)
  try {
    return await use({ settings, isThere, store: store.tenant(tenantId(settings.tenant)) })
  } finally {
    await store.close()
  }
}

export interface OpenOptions {
  readonly durability?: 'full' | 'normal'
  /**
   * An empty file becomes a store, as one does that is not there: for commands that bring conversations.
   * One that was killed with its first breath leaves such a file, and is begun anew.
   */
  readonly begins?: boolean
}

/** For commands that write. */
export function openStore(
  { store: file }: CliSettings,
  { durability = 'full', begins = false }: OpenOptions = {},
): Store {
  if (!begins) refuseEmpty(file)
  const closed = unwritable(file)
  if (closed !== null) throw onlyToLookAt(file, closed)
  // Conversations are private, and so is the folder that is made for them.
  if (file !== ':memory:') makeFolder(dirname(file), { mode: 0o700 })
  return sqlite(file, { durability })
}

function refuseEmpty(file: string): void {
  if (fileKind(file) === 'empty')
    throw new ThroughlineError(
      'STORE_CORRUPT',
      `SQLite file "${file}": is empty; an import makes a store of it`,
    )
}

function onlyToLookAt(file: string, closed: 'file' | 'folder'): ThroughlineError {
  const where = `SQLite file "${file}"`
  // What is not ours is told of as what it is.
  checkPath(file, where)
  const what = closed === 'file' ? 'it' : 'its folder'
  return new ThroughlineError(
    'STORE_READ_ONLY',
    `${where}: can only be looked at, because ${what} cannot be written`,
  )
}

export interface LookedAt {
  readonly store: Store
  readonly isWritable: boolean
}

/** Whether anything stands where the store is to be. */
export function isStoreThere(file: string): boolean {
  return fileKind(file) !== 'missing'
}

/** For commands that only look: one that cannot be written stays as it is, and none is made. */
export function openToLook(settings: CliSettings): LookedAt {
  const { store: file } = settings
  if (!isStoreThere(file)) return { store: sqlite(':memory:'), isWritable: true }
  refuseEmpty(file)
  const isWritable = unwritable(file) === null
  return {
    store: isWritable ? openStore(settings) : sqlite(file, { readOnly: true }),
    isWritable,
  }
}
