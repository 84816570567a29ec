/** Copies of a server's databases: made while it runs, checked, and restored. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ThroughlineError } from 'throughline'
import { databaseFiles, lockFolder } from './server-folder.ts'

export interface BackupFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

const manifestFile = 'backup.json'

/**
 * Copies the databases of a folder into a new one, while a server may use them. Each copy is its database at one
 * moment, and has nothing that was purged before.
 *
 * @example
 * const files = await backupServer('/var/lib/throughline', '/backups/2026-11-18')
 */
export async function backupServer(folder: string, to: string): Promise<readonly BackupFile[]> {
  if (existsSync(to)) throw invalid(`${to} exists; name a new folder for the backup`)
  const missing = databaseFiles.find((name) => !existsSync(join(folder, name)))
  if (missing !== undefined)
    throw invalid(`${folder} has no ${missing}; it is no folder of a server`)
  const partial = `${to}.partial-${process.pid}`
  makePrivate(partial)
  try {
    const files: BackupFile[] = []
    // Keys and stored answers first: an append with a stored answer is then in the later copy.
    for (const name of databaseFiles) {
      const copy = join(partial, name)
      vacuumInto(join(folder, name), copy)
      sync(copy)
      files.push({ name, bytes: statSync(copy).size, sha256: await hashOf(copy) })
    }
    const manifest = { madeAt: new Date().toISOString(), files }
    writeFileSync(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
    })
    sync(join(partial, manifestFile))
    renameSync(partial, to)
    sync(dirname(to))
    return files
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/**
 * Restores a backup into the folder of a server that does not run. Databases that are there are refused, or with
 * `replace` moved into a folder beside them, whose name is returned.
 *
 * @example
 * const { replaced } = await restoreServer('/backups/2026-11-18', '/var/lib/throughline', { replace: true })
 */
export async function restoreServer(
  from: string,
  folder: string,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<{ readonly files: readonly BackupFile[]; readonly replaced: string | null }> {
  const files = await checkBackup(from)
  const unlock = lockFolder(folder)
  try {
    const present = readdirSync(folder).filter((name) => /^(?:access|conversations)\.db/.test(name))
    if (present.length > 0 && !replace)
      throw invalid(`${folder} has databases; --replace moves them into a folder of their own`)
    for (const { name } of files) {
      copyFileSync(join(from, name), join(folder, `restored-${name}`))
      sync(join(folder, `restored-${name}`))
    }
    const aside = `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    const replaced = present.length === 0 ? null : join(folder, aside)
    if (replaced !== null) makePrivate(replaced)
    // The log files of SQLite belong to the old databases and must leave with them.
    for (const name of present) renameSync(join(folder, name), join(folder, aside, name))
    for (const { name } of files) renameSync(join(folder, `restored-${name}`), join(folder, name))
    sync(folder)
    return { files, replaced }
  } finally {
    unlock()
  }
}

async function checkBackup(from: string): Promise<readonly BackupFile[]> {
  const file = join(from, manifestFile)
  if (!existsSync(file))
    throw invalid(`${from} has no ${manifestFile}; it is no backup of a server`)
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly files: readonly BackupFile[]
  }
  for (const name of databaseFiles) {
    const listed = files.find((each) => each.name === name)
    const copy = join(from, name)
    if (listed === undefined || !existsSync(copy) || (await hashOf(copy)) !== listed.sha256)
      throw new ThroughlineError('STORE_CORRUPT', `backup: ${copy} is missing or was changed`)
    checkIntegrity(copy)
  }
  return files.filter(({ name }) => (databaseFiles as readonly string[]).includes(name))
}

function vacuumInto(file: string, copy: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.prepare('VACUUM INTO ?').run(copy)
  } finally {
    database.close()
  }
}

function checkIntegrity(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const [row] = database.prepare('PRAGMA integrity_check').all()
    if (row?.['integrity_check'] !== 'ok')
      throw new ThroughlineError('STORE_CORRUPT', `backup: ${file} is damaged`)
  } finally {
    database.close()
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** So that a power cut after the rename does not leave empty files. */
function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `backup: ${message}`)
}
