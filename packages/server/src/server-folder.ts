/** The folder of a server: its two databases, and a lock, so that one server at a time uses it. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ThroughlineError } from 'throughline'
import { type Access, type Key, type SqliteAccess, sqliteAccess } from './access.ts'

export const accessFile = 'access.db'
export const conversationsFile = 'conversations.db'
export const databaseFiles = [accessFile, conversationsFile] as const

export interface ServerFolder {
  readonly access: SqliteAccess
  /** Lets another server use the folder. */
  unlock(): void
}

/** Throws FOLDER_IN_USE if another server uses the folder. */
export function openServerFolder(folder: string): ServerFolder {
  const unlock = lockFolder(folder)
  try {
    const access = sqliteAccess(join(folder, accessFile))
    return { access, unlock }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Creates a key beside a running server, or before the first start, and returns its secret.
 *
 * @example
 * const secret = createServerKey('/var/lib/throughline', { tenant: 'default', name: 'ci', role: 'write' })
 */
export function createServerKey(folder: string, key: Parameters<Access['createKey']>[0]): string {
  makeFolder(folder)
  const access = sqliteAccess(join(folder, accessFile))
  try {
    const { key: made, secret } = access.createKey(key)
    access.record(createdBy('command-line', made))
    return secret
  } finally {
    access.close()
  }
}

/**
 * A key for one process, which is revoked when it ends.
 *
 * @example
 * const { secret, end } = lendServerKey('/var/lib/throughline', { tenant: 'default', name: 'run', role: 'write' })
 */
export function lendServerKey(
  folder: string,
  key: Parameters<Access['createKey']>[0],
): { readonly secret: string; end(): void } {
  const secret = createServerKey(folder, key)
  return {
    secret,
    end: () => {
      const access = sqliteAccess(join(folder, accessFile))
      try {
        const made = access.findKey(secret)
        if (made !== null) access.revokeKey(made.id)
      } finally {
        access.close()
      }
    },
  }
}

/** The audit row of a key that no other key created. */
export function createdBy(by: string, { id, tenant }: Key) {
  return { tenant, key: by, operation: 'createKey', subject: id, status: 201 }
}

/** A second server on the folder would take running requests of the first for interrupted ones. */
export function lockFolder(folder: string): () => void {
  makeFolder(folder)
  const lock = new DatabaseSync(join(folder, 'server.lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new ThroughlineError('FOLDER_IN_USE', `another server uses the folder ${folder}`, {
      cause,
    })
  }
  return () => lock.close()
}

/** Conversations are private. */
export function makeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `server settings: folder ${folder} cannot be made`,
      {
        cause,
      },
    )
  }
}
