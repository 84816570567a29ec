/** Checks Node, SQLite, the settings, the store and its conversations, API keys and models. */

import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isThroughlineError } from '../../errors.ts'
import { keyHeaders, knownProviders } from '../../models/index.ts'
import { tenantId } from '../../stores/index.ts'
import {
  inspectSqlite,
  type SpaceUse,
  spaceInSqlite,
  sqliteFileState,
} from '../../stores/sqlite.ts'
import { checkConversation } from '../../toolkit/index.ts'
import { codingClientNames } from '../coding-clients.ts'
import type { Arguments, Run } from '../command.ts'
import { done, errorText, failWith } from '../exit-result.ts'
import { allConversations } from '../find-conversation.ts'
import { type Finding, note, ok, problem, warning } from '../findings.ts'
import { tryEngine } from '../open-engine.ts'
import { openForReading, refuseUnowned } from '../open-store.ts'
import { findProvider, type Provider, providerProblem } from '../provider.ts'
import { padEnd, widthOf, wrap } from '../screen/cells.ts'
import { bytes, counted, grouped } from '../screen/numbers.ts'
import { progressBar } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { FoundSettings } from '../settings/read-settings.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { Output, World } from '../world.ts'
import { checkCodingClient } from './check-coding-client.ts'

export const doctor: Run = async (args, world) => {
  const client = args.choice('client', codingClientNames)
  const findings =
    client === null ? await runChecks(args, world) : await checkCodingClient(client, args, world)
  const problems = findings.filter(({ state }) => state === 'problem').length
  const space = args.has('space') && problems === 0 ? await storeSpace(args, world) : []
  return {
    json: { healthy: problems === 0, findings, ...(args.has('space') && { space }) },
    lines: () => [
      ...findings.flatMap((finding) => linesOf(finding, world.stdout)),
      ...spaceLines(space),
    ],
    exit: problems === 0 ? done : failWith('UNSOUND', `found ${counted(problems, 'problem')}`),
  }
}

async function storeSpace(args: Arguments, world: World): Promise<readonly SpaceUse[]> {
  const { values } = await readSettings(args, world)
  return sqliteFileState(values.store).kind === 'filled' ? spaceInSqlite(values.store) : []
}

function spaceLines(space: readonly SpaceUse[]): readonly string[] {
  if (space.length === 0) return []
  const cell = (size: number | null) => (size === null ? '–' : bytes(size)).padStart(10)
  const width = Math.max(...space.map(({ what }) => what.length))
  return [
    '',
    `  ${'what'.padEnd(width)} ${'rows'.padStart(11)} ${'in the file'.padStart(12)} ${'texts'.padStart(10)}`,
    ...space.map(
      ({ what, rows, pageBytes, textBytes }) =>
        `  ${what.padEnd(width)} ${grouped(rows).padStart(11)}   ${cell(pageBytes)} ${cell(textBytes)}`,
    ),
  ]
}

async function runChecks(args: Arguments, world: World): Promise<readonly Finding[]> {
  const runtime = checkRuntime()
  const settings = await checkOrReport('settings', () => readSettings(args, world))
  if (!('sources' in settings)) return [...runtime, ...settings]
  const { values } = settings
  const isQuick = args.has('quick')
  const engine = await checkOrReport('settings', async () => {
    await tryEngine(values)
    return [ok('settings', 'valid')]
  })
  const store = await checkOrReport('store', async () => {
    // Other commands refuse to open such a store; so does doctor.
    refuseUnowned(settings, world)
    const { findings, tenants } = checkFile(values.store, { rows: !isQuick })
    if (isQuick || tenants === null) return findings
    // This release may be unable to read even an intact file.
    const checkMessages = () => checkStore(settings, tenants, world)
    return [...findings, ...(await checkOrReport('store', checkMessages))]
  })
  return [
    ...runtime,
    ...engine,
    ...store,
    checkKeys(values, world),
    ...(args.has('online') ? await checkModels(values, world) : []),
  ]
}

async function checkOrReport<Value>(
  about: 'settings' | 'store',
  check: () => Value | Promise<Value>,
): Promise<Value | readonly Finding[]> {
  try {
    return await check()
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return [problem(about, about === 'store' ? errorText(cause) : cause.message)]
  }
}

function linesOf({ about, state, text }: Finding, output: Output): readonly string[] {
  const { dim, green, yellow, red, yes, no, dot, warning } = styleOf(output)
  const signs = { ok: green(yes), note: dim(dot), warning: yellow(warning), problem: red(no) }
  const sign = signs[state]
  const label = `  ${padEnd(sign, 2)} ${padEnd(about, 10)} `
  const lines = wrap(text, output.width - widthOf(label))
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(widthOf(label))) + line)
}

/** `rows` also compares each row with its hash, which is slow. No readable file: `tenants` is null. */
function checkFile(file: string, { rows }: { readonly rows: boolean }) {
  const withoutTenants = (...findings: Finding[]) => ({ findings, tenants: null })
  const { kind, unwritable } = sqliteFileState(file)
  if (kind === 'missing')
    return withoutTenants(note('store', `${file} does not exist yet; the first import creates it`))
  const isWritable = kind !== 'empty' && unwritable === null
  try {
    const found = inspectSqlite(file, { rows: rows ? rowsListed : 0 })
    const size = ok('store', `${file}, ${bytes(statSync(file).size)}`)
    const findings = [size, ...checkPermissions(file, isWritable), ...fileFindings(found)]
    return { findings, tenants: found.tenants }
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    const also = kind === 'filled' ? checkPermissions(file, isWritable) : []
    return withoutTenants(problem('store', errorText(cause)), ...also)
  }
}

const rowsListed = 20

function checkPermissions(file: string, isWritable: boolean): readonly Finding[] {
  const readOnly = 'the file or its folder is read-only: reading works, writing does not'
  const shared = `other users can read it; to prevent that: chmod 600 ${file}`
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  const texts = [...(isWritable ? [] : [readOnly]), ...(isOpen ? [shared] : [])]
  return texts.map((text) => warning('store', text))
}

function fileFindings(found: ReturnType<typeof inspectSqlite>): readonly Finding[] {
  const { unfinishedPurges, problems, orphans, indexedTooFar, missingPieces, changedRows } = found
  const purges = `${counted(unfinishedPurges, 'purge')} did not finish, so old bytes may remain; the next command that writes erases them`
  const lost = `${counted(missingPieces, 'index entry is', 'index entries are')} missing; recall cannot find those texts`
  const ahead = `the index covers more messages than ${counted(indexedTooFar, 'conversation has', 'conversations have')}`
  const lonely = `${counted(orphans, 'row has', 'rows have')} no parent row`
  const isWhole = problems.length + orphans === 0
  return [
    ...(unfinishedPurges > 0 ? [warning('purges', purges)] : []),
    ...problems.map((line) => problem('file', line)),
    ...(orphans > 0 ? [problem('file', lonely)] : []),
    ...(indexedTooFar > 0 ? [problem('index', ahead)] : []),
    ...(missingPieces > 0 ? [problem('index', lost)] : []),
    ...(isWhole ? [ok('file', 'all database pages and indexes are intact')] : []),
    ...changedRows.map(({ conversation, seq }) => {
      const what = seq === null ? 'title, time or other fields' : `#${seq}: time, key or marks`
      return problem('log', `${safeLine(conversation)}: ${what} were changed from outside`)
    }),
  ]
}

function checkRuntime(): readonly Finding[] {
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
    ok('Node', `${process.versions.node} at ${process.execPath}`),
    missing.length === 0
      ? ok('SQLite', `${version} with full-text search and JSON`)
      : problem('SQLite', `${version} lacks ${missing.join(', ')}; install Node from nodejs.org`),
  ]
}

const features = {
  'full-text search':
    "CREATE VIRTUAL TABLE words USING fts5 (word, content = '', contentless_delete = 1, detail = none)",
  JSON: `SELECT '{"a":1}' ->> '$.a'`,
  'strict tables': 'CREATE TABLE strict_table (a INTEGER) STRICT',
}

function checkKeys({ providers }: CliSettings, { env }: World): Finding {
  const all = Object.entries({ ...knownProviders, ...providers })
  const found = all.filter(([, { keyEnv }]) => keyEnv && env[keyEnv]).map(([name]) => name)
  return found.length === 0
    ? note('keys', 'none set; only chat and LLM summaries need one')
    : ok('keys', `set for ${found.join(', ')}`)
}

async function checkModels(settings: CliSettings, world: World) {
  const { model, summarizer } = settings
  const names = new Set([model, ...(summarizer === null ? [] : [summarizer])])
  return Promise.all([...names].map((name) => checkModel(name, settings, world)))
}

async function checkModel(model: string, settings: CliSettings, world: World): Promise<Finding> {
  const provider = findProvider(model, settings, world)
  const wrong = providerProblem(model, provider, world)
  if (provider === null || wrong !== null) return problem('model', wrong ?? model)
  const { name, baseUrl, modelId } = provider
  const listed = await listModels(provider, world.signal)
  if ('problem' in listed) return problem('model', `${model}: ${name} ${listed.problem}`)
  return listed.ids.length === 0 || listed.ids.some((id) => id.endsWith(modelId))
    ? ok('model', `${model} is available at ${baseUrl}`)
    : problem('model', `${name} has no model "${modelId}" at ${baseUrl}`)
}

async function listModels(provider: Provider, signal: AbortSignal) {
  const { baseUrl, keyEnv } = provider
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: keyHeaders(provider),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
    })
    const { status } = response
    if (status === 401 || status === 403) return { problem: `rejects the API key in ${keyEnv}` }
    return response.ok
      ? { ids: idsIn(await response.json()) }
      : { problem: `returns HTTP ${status}` }
  } catch (cause) {
    signal.throwIfAborted()
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    return { problem: `${isLate ? 'does not respond' : 'cannot be reached'} at ${baseUrl}` }
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
async function checkStore(
  settings: FoundSettings,
  tenants: readonly string[],
  world: World,
): Promise<readonly Finding[]> {
  const { store: opened } = openForReading(settings, world)
  const bar = progressBar({ label: 'checking messages', total: null, unit: grouped }, world)
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
        for (const each of checked.problems)
          findings.push(problem('log', `${safeLine(conversation.id)}: ${each}`))
      }
    }
  } finally {
    bar.end()
    await opened.close()
  }
  const all = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`
  const later = `${counted(unindexed, 'message')} not indexed yet; the next search indexes them`
  return [
    ...(findings.length === 0
      ? [ok('log', `${all}: positions, hashes, originals and events are consistent`)]
      : findings),
    unindexed === 0 ? ok('index', 'all messages are searchable') : note('index', later),
  ]
}
