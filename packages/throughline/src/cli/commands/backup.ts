/** Copies the databases of a server, and restores such a copy. */
import { ThroughlineError } from '../../errors.ts'
import type { Arguments, Run } from '../command.ts'
import { UsageError } from '../exit-result.ts'
import { importServer } from '../import-server.ts'
import { bytes } from '../screen/numbers.ts'
import { serverSettings } from './serve.ts'

export const backup: Run = async (args, world) => {
  const to = folderOf(args, 'backup')
  const server = await importServer('backup')
  const folder = folderOnSqlite(serverSettings(args, world, server), 'backup')
  const files = await server.backupServer(folder, to)
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  return {
    json: { folder: to, files },
    lines: () => [
      `Copied ${files.map(({ name }) => name).join(' and ')} to ${to}, ${bytes(size)}.`,
    ],
  }
}

export const restore: Run = async (args, world) => {
  const from = folderOf(args, 'restore')
  const server = await importServer('restore')
  const folder = folderOnSqlite(serverSettings(args, world, server), 'restore')
  const { replaced } = await server.restoreServer(from, folder, { replace: args.has('replace') })
  return {
    json: { folder, replaced },
    lines: () => [
      `Restored ${from} to ${folder}.`,
      ...(replaced === null ? [] : [`The databases that were there are in ${replaced}.`]),
    ],
  }
}

/** A copy of the folder alone would look like a backup, and have no conversations. */
function folderOnSqlite(
  { folder, database }: { readonly folder: string; readonly database: string | null },
  command: 'backup' | 'restore',
): string {
  if (database === null) return folder
  const run =
    command === 'backup'
      ? 'pg_dump -Fc --schema=throughline --schema=throughline_jobs -f chats.dump'
      : 'pg_restore --exit-on-error chats.dump -d'
  throw new ThroughlineError(
    'CONFIG_INVALID',
    `${command}: the conversations of this server are in PostgreSQL. Run "${run} ${withoutPassword(database)}" instead; ${folder} has only its keys. See docs/postgres.md#backup-recovery-failover-and-upgrade`,
  )
}

/** The tools of PostgreSQL ask for a password, or read PGPASSWORD. */
function withoutPassword(database: string): string {
  const url = URL.parse(database)
  if (url === null) return 'DATABASE'
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

function folderOf({ positionals }: Arguments, command: string): string {
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0)
    throw new UsageError(`${command} needs one folder: ${command} FOLDER`)
  return folder
}
