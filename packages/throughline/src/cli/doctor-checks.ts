/** The file of the store, as SQLite sees it: whole, ours, and for its owner alone. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isThroughlineError } from '../errors.ts'
import { keyHeaders } from '../models/index.ts'
import { tenantId } from '../stores/index.ts'
import { inspectSqlite, sqliteFileState } from '../stores/sqlite.ts'
import { checkConversation } from '../toolkit/index.ts'
import { errorText } from './ending.ts'
import { allConversations } from './find-conversation.ts'
import { openToLook } from './open-store.ts'
import { findProvider, type Provider, providerProblem } from './provider.ts'
import { knownProviders } from './providers-data.ts'
import { bytes, counted, grouped } from './screen/numbers.ts'
import { progressBar } from './screen/progress.ts'
import { safeLine } from './screen/safe-text.ts'
import type { FoundSettings } from './settings/read-settings.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

interface CheckedFile {
  readonly findings: readonly Finding[]
  /** Whether it is worth looking into. */
  readonly readable: boolean
  readonly tenants: readonly string[]
}

/** With `rows`, each row is checked against its hash, which takes a moment. */
export function checkFile(file: string, { rows }: { readonly rows: boolean }): CheckedFile {
  const { kind, unwritable } = sqliteFileState(file)
  if (kind === 'missing')
    return refused(note('store', `${file} is not there yet; the first import makes it`))
  const isWritable = kind !== 'empty' && unwritable === null
  try {
    const found = inspectSqlite(file, { rows: rows ? rowsListed : 0 })
    return {
      findings: [
        sound('store', `${file}, ${bytes(statSync(file).size)}`),
        ...rights(file, isWritable),
        ...fileFindings(found),
        ...found.changedRows.map(rowFinding),
      ],
      tenants: found.tenants,
      readable: true,
    }
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return refused(
      bad('store', errorText(cause)),
      ...(kind === 'filled' ? rights(file, isWritable) : []),
    )
  }
}

/** Whoever has so many needs a backup, not a longer list. */
const rowsListed = 20

function refused(...findings: readonly Finding[]): CheckedFile {
  return { findings, readable: false, tenants: [] }
}

function rights(file: string, isWritable: boolean): readonly Finding[] {
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  return [
    ...(isWritable
      ? []
      : [warning('store', 'it cannot be written: it can be looked at, and nothing can be added')]),
    ...(isOpen ? [warning('store', `others may read it too: chmod 600 ${file}`)] : []),
  ]
}

type Inspection = ReturnType<typeof inspectSqlite>

function fileFindings(found: Inspection): readonly Finding[] {
  const { unfinishedPurges, problems, orphans, indexedTooFar, missingPieces } = found
  const purges = `${counted(unfinishedPurges, 'purge')} did not finish, and old bytes may remain; the next command that opens the store erases them, or purge again`
  const lost = `${counted(missingPieces, 'piece')} missing: recall does not find what was there`
  const ahead = `ends behind the log in ${counted(indexedTooFar, 'conversation')}`
  return [
    ...(unfinishedPurges > 0 ? [warning('purges', purges)] : []),
    ...problems.map((line) => bad('file', line)),
    ...(orphans > 0 ? [bad('file', `${counted(orphans, 'row')} without what they belong to`)] : []),
    ...(indexedTooFar > 0 ? [bad('index', ahead)] : []),
    ...(missingPieces > 0 ? [bad('index', lost)] : []),
    ...(problems.length + orphans === 0
      ? [sound('file', 'every page and every index is whole')]
      : []),
  ]
}

function rowFinding({ conversation, seq }: Inspection['changedRows'][number]): Finding {
  const [where, what] =
    seq === null ? ['', 'title, time or other fields'] : [`#${seq}: `, 'time, key or marks']
  return bad('log', `${safeLine(conversation)}: ${where}its ${what} are not what they were`)
}

/** What the doctor has looked at, and what it has found. */
export interface Finding {
  readonly about: string
  /** `note`: nothing is wrong with it. `warning`: it works, and should be otherwise. */
  readonly state: 'sound' | 'note' | 'warning' | 'bad'
  readonly text: string
}

const found = (state: Finding['state']) => (about: string, text: string) => ({ about, state, text })

export const sound = found('sound')
const note = found('note')
const warning = found('warning')
export const bad = found('bad')

/** The Node that runs us, and what its SQLite can do. */
export function checkRuntime(): readonly Finding[] {
  return [sound('Node', `${process.versions.node} at ${process.execPath}`), checkSqlite()]
}

function checkSqlite(): Finding {
  const database = new DatabaseSync(':memory:')
  try {
    const version = String(
      database.prepare('SELECT sqlite_version() AS version').get()?.['version'],
    )
    const missing = features.filter(([, sql]) => fails(database, sql)).map(([name]) => name)
    return missing.length === 0
      ? sound('SQLite', `${version} with full-text search and JSON`)
      : bad('SQLite', `${version} has no ${missing.join(', no ')}: use the Node of nodejs.org`)
  } finally {
    database.close()
  }
}

const features = [
  [
    'full-text search',
    "CREATE VIRTUAL TABLE words USING fts5 (word, content = '', columnsize = 0, detail = none)",
  ],
  ['JSON', `SELECT '{"a":1}' ->> '$.a'`],
  ['strict tables', 'CREATE TABLE strict_table (a INTEGER) STRICT'],
] as const

function fails(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(sql)
    return false
  } catch {
    return true
  }
}

/** Which providers have a key (never which), and whether the model answers. */
export function checkKeys({ providers }: CliSettings, { env }: World): readonly Finding[] {
  const all = Object.entries({ ...knownProviders, ...providers })
  const has = (keyEnv: string | null | undefined) =>
    typeof keyEnv === 'string' && Boolean(env[keyEnv])
  const found = all.filter(([, { keyEnv }]) => has(keyEnv)).map(([name]) => name)
  return [
    found.length === 0
      ? note('keys', 'none is set; all but chat and summaries by a model works without')
      : sound('keys', `set for ${found.join(', ')}`),
  ]
}

export async function checkModel(settings: CliSettings, world: World): Promise<readonly Finding[]> {
  const names = [
    ...new Set([settings.model, ...(settings.summarizer === null ? [] : [settings.summarizer])]),
  ]
  return Promise.all(names.map((name) => checkReachable(name, settings, world)))
}

async function checkReachable(
  model: string,
  settings: CliSettings,
  world: World,
): Promise<Finding> {
  const provider = findProvider(model, settings, world)
  const problem = providerProblem(model, provider, world)
  if (provider === null || problem !== null) return bad('model', problem ?? model)
  const listed = await listModels(provider, world.signal)
  if ('problem' in listed) return bad('model', `${model}: ${listed.problem}`)
  return listed.ids.length === 0 || listed.ids.some((id) => id.endsWith(provider.modelId))
    ? sound('model', `${model} is there, at ${provider.baseUrl}`)
    : bad('model', `${provider.name} answers, and has no "${provider.modelId}"`)
}

async function listModels(
  provider: Provider,
  signal: AbortSignal,
): Promise<{ readonly ids: readonly string[] } | { readonly problem: string }> {
  try {
    const response = await fetch(`${provider.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: keyHeaders(provider),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
    })
    if (response.status === 401 || response.status === 403)
      return { problem: `${provider.name} refuses the key in ${provider.keyEnv}` }
    if (!response.ok) return { problem: `${provider.name} answers ${response.status}` }
    return { ids: idsIn(await response.json()) }
  } catch (cause) {
    signal.throwIfAborted()
    const why =
      cause instanceof Error && cause.name === 'TimeoutError'
        ? 'does not answer'
        : 'cannot be reached'
    return { problem: `${provider.name} ${why} at ${provider.baseUrl}` }
  }
}

const timeoutMs = 10_000

function idsIn(answer: unknown): readonly string[] {
  const data = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : null
  if (!Array.isArray(data)) return []
  return data.flatMap((each: unknown) => {
    const id = typeof each === 'object' && each !== null ? Reflect.get(each, 'id') : null
    return typeof id === 'string' ? [id] : []
  })
}

/** Every conversation of a store, of all tenants, held against what always holds. */
export async function checkStore(
  settings: FoundSettings,
  tenants: readonly string[],
  world: World,
): Promise<readonly Finding[]> {
  const { store: opened } = openToLook(settings, world)
  const bar = progressBar({ label: 'looking at messages', total: null, unit: grouped }, world)
  const findings: Finding[] = []
  let [conversations, messages, unindexed] = [0, 0, 0]
  try {
    for (const tenant of tenants) {
      const store = opened.tenant(tenantId(tenant))
      for await (const conversation of allConversations(store)) {
        world.signal.throwIfAborted()
        conversations += 1
        const checked = await checkConversation(store, conversation, () => {
          messages += 1
          bar.at(messages)
        })
        unindexed += Math.max(0, conversation.head - checked.indexedTo)
        for (const problem of checked.problems)
          findings.push(bad('log', `${safeLine(conversation.id)}: ${problem}`))
      }
    }
  } finally {
    bar.end()
    await opened.close()
  }
  const all = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`
  return [
    ...(findings.length === 0
      ? [sound('log', `${all}: places, chains, originals and events hold`)]
      : findings),
    unindexed === 0
      ? sound('index', 'all messages can be searched')
      : note('index', `${counted(unindexed, 'message')} not indexed yet; the first search does it`),
  ]
}
