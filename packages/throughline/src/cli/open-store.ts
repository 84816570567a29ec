/**
 * The store that the settings name, opened for one command and closed whatever happens. Commands
 * that only look take this and not the engine: it loads in a quarter of the time.
 */
import { dirname } from 'node:path'
import { tenantId } from '../domain/ids.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { sqlite } from '../stores/sqlite.ts'
import type { Arguments } from './command.ts'
import { makeFolder } from './make-folder.ts'
import { readSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface OpenStore {
  readonly settings: CliSettings
  readonly store: TenantStore
}

export async function withStore<Value>(
  args: Arguments,
  world: World,
  use: (open: OpenStore) => Promise<Value>,
): Promise<Value> {
  const { values: settings } = readSettings(args, world)
  const store = openStore(settings)
  try {
    return await use({ settings, store: store.tenant(tenantId(settings.tenant)) })
  } finally {
    await store.close()
  }
}

export function openStore(
  { store: file }: CliSettings,
  durability: 'full' | 'normal' = 'full',
): Store {
  // Conversations are private, and so is the folder that is made for them.
  if (file !== ':memory:') makeFolder(dirname(file), { mode: 0o700 })
  return sqlite(file, { durability })
}
