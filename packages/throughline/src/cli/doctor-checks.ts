/** What `doctor` checks: the runtime, the file of the store, its conversations, keys and models. */
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

/** With `rows`, each row is checked against its hash, which is slow. `tenants`: null if unreadable. */
export function checkFile(file: string, { rows }: { readonly rows: boolean }) {
  const refused = (...findings: Finding[]) => ({ findings, tenants: null })
  const { kind, unwritable } = sqliteFileState(file)
  if (kind === 'missing')
    return refused(note('store', `${file} is not there yet; the first import makes it`))
  const isWritable = kind !== 'empty' && unwritable === null
  try {
    const found = inspectSqlite(file, { rows: rows ? rowsListed : 0 })
    const size = sound('store', `${file}, ${bytes(statSync(file).size)}`)
    const findings = [size, ...rights(file, isWritable), ...fileFindings(found)]
    return { findings, tenants: found.tenants }
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    const also = kind === 'filled' ? rights(file, isWritable) : []
    return refused(bad('store', errorText(cause)), ...also)
  }
}

const rowsListed = 20

function rights(file: string, isWritable: boolean): readonly Finding[] {
  const closed = 'it cannot be written: it can be looked at, and nothing can be added'
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  return [
    ...(isWritable ? [] : [warning('store', closed)]),
    ...(isOpen ? [warning('store', `others may read it too: chmod 600 ${file}`)] : []),
  ]
}

function fileFindings(found: ReturnType<typeof inspectSqlite>): readonly Finding[] {
  const { unfinishedPurges, problems, orphans, indexedTooFar, missingPieces, changedRows } = found
  const purges = `${counted(unfinishedPurges, 'purge')} did not finish, and old bytes may remain; the next command that opens the store erases them, or purge again`
  const lost = `${counted(missingPieces, 'piece')} missing: recall does not find what was there`
  const ahead = `ends behind the log in ${counted(indexedTooFar, 'conversation')}`
  const isWhole = problems.length + orphans === 0
  return [
    ...(unfinishedPurges > 0 ? [warning('purges', purges)] : []),
    ...problems.map((line) => bad('file', line)),
    ...(orphans > 0 ? [bad('file', `${counted(orphans, 'row')} without what they belong to`)] : []),
    ...(indexedTooFar > 0 ? [bad('index', ahead)] : []),
    ...(missingPieces > 0 ? [bad('index', lost)] : []),
    ...(isWhole ? [sound('file', 'every page and every index is whole')] : []),
    ...changedRows.map(({ conversation, seq }) => {
      const what =
        seq === null ? 'its title, time or other fields' : `#${seq}: its time, key or marks`
      return bad('log', `${safeLine(conversation)}: ${what} are not what they were`)
    }),
  ]
}

export interface Finding {
  readonly about: string
  readonly state: 'sound' | 'note' | 'warning' | 'bad'
  readonly text: string
}

const found = (state: Finding['state']) => (about: string, text: string) => ({ about, state, text })
export const sound = found('sound')
const note = found('note')
const warning = found('warning')
export const bad = found('bad')

export function checkRuntime(): readonly Finding[] {
  const database = new DatabaseSync(':memory:')
  const missing = Object.entries(features).flatMap(([name, sql]) => {
    try {
      database.exec(sql)
      return []
    } catch {
      return [name]
    }
  })
  const version = database.prepare('SELECT sqlite_version() AS version').get()?.['version']
  database.close()
  return [
    sound('Node', `${process.versions.node} at ${process.execPath}`),
    missing.length === 0
      ? sound('SQLite', `${version} with full-text search and JSON`)
      : bad('SQLite', `${version} has no ${missing.join(', no ')}: use the Node of nodejs.org`),
  ]
}

const features = {
  'full-text search':
    "CREATE VIRTUAL TABLE words USING fts5 (word, content = '', columnsize = 0, detail = none)",
  JSON: `SELECT '{"a":1}' ->> '$.a'`,
  'strict tables': 'CREATE TABLE strict_table (a INTEGER) STRICT',
}

export function checkKeys({ providers }: CliSettings, { env }: World): Finding {
  const all = Object.entries({ ...knownProviders, ...providers })
  const found = all.filter(([, { keyEnv }]) => keyEnv && env[keyEnv]).map(([name]) => name)
  return found.length === 0
    ? note('keys', 'none is set; all but chat and summaries by a model works without')
    : sound('keys', `set for ${found.join(', ')}`)
}

export async function checkModels(
  settings: CliSettings,
  world: World,
): Promise<readonly Finding[]> {
  const { model, summarizer } = settings
  const names = new Set([model, ...(summarizer === null ? [] : [summarizer])])
  return Promise.all([...names].map((name) => checkModel(name, settings, world)))
}

async function checkModel(model: string, settings: CliSettings, world: World): Promise<Finding> {
  const provider = findProvider(model, settings, world)
  const problem = providerProblem(model, provider, world)
  if (provider === null || problem !== null) return bad('model', problem ?? model)
  const { name, baseUrl, modelId } = provider
  const listed = await listModels(provider, world.signal)
  if ('problem' in listed) return bad('model', `${model}: ${name} ${listed.problem}`)
  return listed.ids.length === 0 || listed.ids.some((id) => id.endsWith(modelId))
    ? sound('model', `${model} is there, at ${baseUrl}`)
    : bad('model', `${name} answers, and has no "${modelId}"`)
}

async function listModels(
  provider: Provider,
  signal: AbortSignal,
): Promise<{ readonly ids: readonly string[] } | { readonly problem: string }> {
  const { baseUrl, keyEnv } = provider
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: keyHeaders(provider),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
    })
    const { status } = response
    if (status === 401 || status === 403) return { problem: `refuses the key in ${keyEnv}` }
    return response.ok ? { ids: idsIn(await response.json()) } : { problem: `answers ${status}` }
  } catch (cause) {
    signal.throwIfAborted()
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    return { problem: `${isLate ? 'does not answer' : 'cannot be reached'} at ${baseUrl}` }
  }
}

const timeoutMs = 10_000

function idsIn(answer: unknown): readonly string[] {
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
  const data = field(answer, 'data')
  const ids = Array.isArray(data) ? data.map((each: unknown) => field(each, 'id')) : []
  return ids.filter((id) => typeof id === 'string')
}

/** Checks the invariants of every conversation of all tenants. */
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
