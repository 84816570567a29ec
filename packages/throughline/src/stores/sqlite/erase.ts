/**
 * Overwrites the bytes of deleted rows. secure_delete zeroes cells, but rows that moved between
 * pages leave copies, and FTS5 keeps deleted terms; so both are rewritten, and the write-ahead log
 * is emptied. Rows of hidden conversations are deleted before.
 */
import type { ErasureRemains } from '../../ports/rewrite.ts'
import { type SqliteConnection, storeError } from './connection.ts'
import { pendingDeletions } from './deletions.ts'
import { forgetDeleted } from './pieces.ts'

/** A large file is rewritten by another thread, where the store knows its path. */
export async function overwriteOldPages(
  connection: SqliteConnection,
): Promise<readonly ErasureRemains[]> {
  const deletions = pendingDeletions(connection)
  const { file } = connection
  return file !== null && erasesInThread(connection)
    ? eraseInThread(file, deletions)
    : eraseAtOnce(connection, deletions)
}

export function erasesInThread(connection: SqliteConnection): boolean {
  return connection.file !== null && fileBytes(connection) > maxBytesAtOnce
}

/** Rewriting more would block the event loop for longer than a tenth of a second. */
const maxBytesAtOnce = 8 * 1024 * 1024

export function fileBytes(connection: SqliteConnection): number {
  const pages = Number(connection.get('PRAGMA page_count')?.['page_count'])
  return pages * Number(connection.get('PRAGMA page_size')?.['page_size'])
}

const rewrites = [...forgetDeleted, 'VACUUM']
const emptyLog = 'PRAGMA wal_checkpoint(TRUNCATE)'

/** VACUUM waits for readers with the write lock held, so it must not wait long. */
const waitBriefly = 'PRAGMA busy_timeout = 50'

function eraseAtOnce(
  connection: SqliteConnection,
  deletions: readonly string[],
): readonly ErasureRemains[] {
  const busyTimeoutMs = Number(connection.get('PRAGMA busy_timeout')?.['timeout'])
  try {
    const isDeleted = succeeds(() => {
      for (const sql of deletions) connection.exec(sql)
    })
    connection.exec(waitBriefly)
    const isRewritten = succeeds(() => {
      for (const sql of rewrites) connection.exec(sql)
    })
    let checkpoint: Checkpoint = null
    succeeds(() => {
      checkpoint = connection.get(emptyLog)
    })
    return remainsAfter(isDeleted && isRewritten, checkpoint)
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  }
}

function succeeds(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

type Checkpoint = Readonly<Record<string, unknown>> | null

function remainsAfter(isRewritten: boolean, checkpoint: Checkpoint): readonly ErasureRemains[] {
  const [busy, logPages, copiedPages] = ['busy', 'log', 'checkpointed'].map((name) =>
    Number(checkpoint?.[name]),
  )
  const remains: ErasureRemains[] = []
  if (!isRewritten || copiedPages !== logPages) remains.push('database')
  if (busy !== 0) remains.push('write-ahead-log')
  return remains
}

/** With a connection of its own. */
async function eraseInThread(
  file: string,
  deletions: readonly string[],
): Promise<readonly ErasureRemains[]> {
  const { Worker } = globalThis.process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(threadScript, {
    eval: true,
    workerData: {
      file,
      before: 'PRAGMA secure_delete = ON; PRAGMA busy_timeout = 5000',
      all: [...deletions, waitBriefly, ...rewrites],
      emptyLog,
    },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', ({ isRewritten, checkpoint }) =>
      resolve(remainsAfter(isRewritten, checkpoint)),
    )
    worker.once('error', (cause) => reject(storeError(cause, file)))
    worker.once('exit', () => reject(storeError('the thread ended', file)))
  })
}

const threadScript = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const { file, before, all, emptyLog } = workerData
  const database = new DatabaseSync(file)
  database.exec(before)
  let isRewritten = false
  let checkpoint = null
  try {
    for (const sql of all) database.exec(sql)
    isRewritten = true
  } catch {}
  try {
    checkpoint = { ...database.prepare(emptyLog).get() }
  } catch {}
  database.close()
  parentPort.postMessage({ isRewritten, checkpoint })`
