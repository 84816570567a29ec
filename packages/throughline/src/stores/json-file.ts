/**
 * The store in one JSON file: for a chat that should be a file of its own, to copy, inspect or put
 * under version control. It keeps everything in memory and writes the whole file after each
 * change, so it suits up to some thousand messages; use SQLite beyond that.
 *
 * The file is replaced in one step, so a crash leaves the old or the new state. One process at a
 * time may open it.
 */
import type { PurgeRecord } from '../domain/event.ts'
import type { TenantId } from '../domain/ids.ts'
import { isObject, parsedJson } from '../domain/json.ts'
import { describe } from '../domain/text.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { type FileLock, lockFile } from './json-file/lock.ts'
import { MemoryLog, type MemoryLogCopy, reserveSerials, usedSerials } from './memory/log.ts'
import { type MemoryState, memoryTenant, stateOf } from './memory/tenant.ts'

// Loaded at the first call: importing the package must load no Node module.
const fs = () => globalThis.process.getBuiltinModule('node:fs')
const paths = () => globalThis.process.getBuiltinModule('node:path')

const format = 'throughline-json-file'
const version = 1

/**
 * Opens a JSON file, and creates it with the first change if it is missing. Throws STORE_BUSY while
 * another process has it open.
 *
 * @example
 * const store = jsonFile('chat.json')
 */
export function jsonFile(file: string): Store {
  if (typeof file !== 'string' || file === '')
    throw new ThroughlineError('CONFIG_INVALID', `jsonFile: takes a path, got ${describe(file)}`)
  const open = new OpenJsonFile(
    fs().existsSync(file) ? fs().realpathSync(file) : paths().resolve(file),
  )
  return { tenant: (id) => jsonTenant(open, id), close: () => open.close() }
}

function jsonTenant(file: OpenJsonFile, id: TenantId): TenantStore {
  const tenant = memoryTenant(id, () => file.state(id))
  return {
    create: (command) => file.change(() => tenant.create(command)),
    load: (query) => file.read(() => tenant.load(query)),
    list: (query) => file.read(() => tenant.list(query)),
    append: (command) => file.change(() => tenant.append(command)),
    read: (query) => file.read(() => tenant.read(query)),
    bytes: (query) => file.read(() => tenant.bytes(query)),
    commit: (command) => file.change(() => tenant.commit(command)),
    record: (command) =>
      command.events === undefined
        ? file.changeSoon(() => tenant.record(command))
        : file.change(() => tenant.record(command)),
    // The index is not in the file: it is made again from the messages.
    index: (command) => file.read(() => tenant.index(command)),
    search: (query) => file.read(() => tenant.search(query)),
    events: (query) => file.read(() => tenant.events(query)),
    rewrite: (command) => file.change(() => tenant.rewrite(command)),
    purge: (command) => file.change(() => tenant.purge(command)),
  }
}

class OpenJsonFile {
  readonly #path: string
  readonly #lock: FileLock
  #tenants: Map<TenantId, MemoryState>
  #closed = false
  /** Rows without events wait for the next change: the port lets a power cut lose them. */
  #unsaved = false
  /** Commands run one after another, so that a reader never sees what is not in the file. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    this.#lock = inFile(path, () => lockFile(path))
    try {
      this.#tenants = inFile(path, () => readTenants(path))
    } catch (cause) {
      this.#lock.release()
      throw cause
    }
  }

  state(id: TenantId): MemoryState {
    if (this.#closed)
      throw new ThroughlineError('STORE_CLOSED', `${labelOf(this.#path)} was closed`)
    return stateOf(this.#tenants, id)
  }

  read<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#last.then(work)
    this.#last = answer.catch(() => {})
    return answer
  }

  change<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.changeSoon(async () => {
      const outcome = await work()
      this.#save()
      return outcome
    })
  }

  changeSoon<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.read(() => {
      this.#unsaved = true
      return work()
    })
  }

  close(): Promise<void> {
    return this.read(async () => {
      if (this.#closed) return
      try {
        if (this.#unsaved) this.#save()
      } finally {
        this.#closed = true
        this.#tenants.clear()
        this.#lock.release()
      }
    })
  }

  /** If the file cannot be written, memory returns to what the file has. */
  #save(): void {
    try {
      inFile(this.#path, () => {
        this.#lock.check()
        replaceFile(this.#path, textOf(this.#tenants))
      })
    } catch (cause) {
      this.#tenants = inFile(this.#path, () => readTenants(this.#path))
      throw cause
    } finally {
      this.#unsaved = false
    }
  }
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.tmp`
  // Conversations are private: only the owner can read a new file. An old file keeps its mode.
  const mode = fs().existsSync(path) ? fs().statSync(path).mode & 0o777 : 0o600
  try {
    const descriptor = fs().openSync(temporary, 'w', mode)
    try {
      fs().writeFileSync(descriptor, text)
      fs().fsyncSync(descriptor)
    } finally {
      fs().closeSync(descriptor)
    }
    fs().chmodSync(temporary, mode)
    fs().renameSync(temporary, path)
  } catch (cause) {
    fs().rmSync(temporary, { force: true })
    throw cause
  }
  syncFolder(paths().dirname(path))
}

/** Makes the new name survive a power cut, where the system can open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = fs().openSync(folder, 'r')
  try {
    fs().fsyncSync(descriptor)
  } finally {
    fs().closeSync(descriptor)
  }
}

interface StoredState {
  readonly lastSerial: number
  readonly tenants: readonly {
    readonly id: TenantId
    readonly purges: readonly PurgeRecord[]
    readonly conversations: readonly MemoryLogCopy[]
  }[]
}

function textOf(tenants: ReadonlyMap<TenantId, MemoryState>): string {
  const state: StoredState = {
    lastSerial: usedSerials(),
    tenants: [...tenants].map(([id, { logs, purges }]) => {
      return { id, purges, conversations: [...logs.values()].map((log) => log.copy()) }
    }),
  }
  const text = JSON.stringify(state, encodeBytes)
  return `{"format":"${format}","version":${version},"sha256":"${sha256(text)}",\n"state":${text}}\n`
}

function readTenants(path: string): Map<TenantId, MemoryState> {
  const tenants = new Map<TenantId, MemoryState>()
  if (!fs().existsSync(path)) return tenants
  const { lastSerial, tenants: stored } = checkedState(path, fs().readFileSync(path, 'utf8'))
  reserveSerials(lastSerial)
  for (const { id, purges, conversations } of stored) {
    const state = stateOf(tenants, id)
    state.purges.push(...purges)
    // Sources come before their forks, as they were created.
    for (const each of conversations) {
      const log = MemoryLog.restore(state.logs, decodeBytes(each))
      state.logs.set(log.id, log)
    }
  }
  return tenants
}

/** The hash is of the state without spaces, so a formatted file is still valid. */
function checkedState(path: string, text: string): StoredState {
  const file = parsedJson(text)
  if (!isObject(file) || !('state' in file))
    throw invalidFile('STORE_CORRUPT', path, 'is no complete JSON file')
  if (file['format'] !== format)
    throw invalidFile('STORE_FOREIGN', path, 'was not written by throughline')
  if (file['version'] !== version)
    throw invalidFile('STORE_NEWER', path, 'was written by a newer throughline')
  if (sha256(JSON.stringify(file['state'])) !== file['sha256'])
    throw invalidFile('STORE_CORRUPT', path, 'does not match its hash: it was changed or damaged')
  // Safe cast: the hash proves that `textOf` wrote it.
  return file['state'] as StoredState
}

/** Bytes become base64: the original of a message, and the bytes of its files. */
function encodeBytes(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function decodeBytes(log: MemoryLogCopy): MemoryLogCopy {
  // In the file these are texts.
  const bytes = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64'))
  const messages = log.messages.map((row) => {
    const { raw, files } = row.message
    const decoded = files.map((each) => ({ ...each, bytes: bytes(each.bytes) }))
    return {
      ...row,
      message: { ...row.message, raw: raw === null ? null : bytes(raw), files: decoded },
    }
  })
  return { ...log, messages }
}

/** Errors of the file system, with a code. */
function inFile<Answer>(path: string, work: () => Answer): Answer {
  try {
    return work()
  } catch (cause) {
    if (isThroughlineError(cause)) throw cause
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
    const known = errorCodes[`${code}`] ?? 'STORE_FAILED'
    throw new ThroughlineError(known, `${labelOf(path)}: ${message}`, { cause })
  }
}

const errorCodes: Readonly<Record<string, 'STORE_FULL' | 'STORE_READ_ONLY' | 'CONFIG_INVALID'>> = {
  ENOSPC: 'STORE_FULL',
  EACCES: 'STORE_READ_ONLY',
  EPERM: 'STORE_READ_ONLY',
  EROFS: 'STORE_READ_ONLY',
  ENOENT: 'CONFIG_INVALID',
  EISDIR: 'CONFIG_INVALID',
  ENOTDIR: 'CONFIG_INVALID',
}

function invalidFile(
  code: 'STORE_CORRUPT' | 'STORE_FOREIGN' | 'STORE_NEWER',
  path: string,
  why: string,
): ThroughlineError {
  return new ThroughlineError(code, `${labelOf(path)} ${why}`)
}

const labelOf = (path: string) => `JSON file "${path}"`
