/**
 * Imports a generated transcript as a user would, in a separate process: once uninterrupted, and once
 * killed half way with SIGKILL and restarted. Both must leave the same messages, none twice, and a
 * third import must add none.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { importTranscript } from '../../packages/throughline/src/cli/import/import-run.ts'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { type GeneratedSession, writeSession } from './generated-session.ts'

interface ImportTrial {
  readonly session: GeneratedSession
  readonly whole: FinishedImport
  readonly rows: ImportedRows
  /** State of the store after the kill. */
  readonly killed: { readonly messages: number; readonly integrity: string }
  readonly resumed: FinishedImport
  readonly again: FinishedImport
  readonly problems: string[]
}

interface FinishedImport {
  readonly messages: number
  readonly added: number
  readonly repeated: number
  readonly problemCount: number
  readonly seconds: number
  readonly peakMegabytes: number
}

interface ImportTrialOptions {
  readonly bytes: number
  readonly seed: number
  readonly print?: ((line: string) => void) | undefined
  /** Runs only the killed import in a separate process: faster, but without memory figures. */
  readonly here?: boolean | undefined
}

export async function runImport({
  bytes,
  seed,
  print,
  here = false,
}: ImportTrialOptions): Promise<ImportTrial> {
  const finishedImport = here ? importHere : importApart
  const folder = testFolder()
  const [file, whole, killed] = ['session.jsonl', 'whole.db', 'killed.db'].map(folder.file)
  if (file === undefined || whole === undefined || killed === undefined) throw new Error('no files')
  try {
    const session = await writeSession(file, { bytes, seed })
    print?.(
      `generated: ${session.lines} lines, ${session.messages} messages, ${session.broken} broken`,
    )
    const first = await finishedImport(file, whole)
    print?.(`imported: ${importFigures(first)}`)
    const rows = importedRows(whole)
    await killedImport(file, killed, storeSize(whole) / 2)
    const { messages, integrity } = importedRows(killed)
    print?.(`killed: ${messages} messages stored, integrity ${integrity}`)
    const resumed = await finishedImport(file, killed)
    print?.(`restarted: ${importFigures(resumed)}`)
    const again = await finishedImport(file, killed)
    print?.(`imported again: ${importFigures(again)}`)
    const trial = {
      session,
      whole: first,
      rows,
      killed: { messages, integrity },
      resumed,
      again,
    }
    return { ...trial, problems: problemsOf(trial, importedRows(killed)) }
  } finally {
    folder.remove()
  }
}

function problemsOf(trial: Omit<ImportTrial, 'problems'>, after: ImportedRows): string[] {
  const { session, whole, rows, killed, resumed, again } = trial
  const expected: readonly (readonly [string, unknown, unknown])[] = [
    ['messages imported', rows.messages, session.messages],
    ['broken lines reported', whole.problemCount, session.broken],
    ['keys', rows.keys, rows.messages],
    ['integrity', rows.integrity, 'ok'],
    ['integrity after the kill', killed.integrity, 'ok'],
    ['found again', resumed.repeated, killed.messages],
    ['added after the kill', resumed.added, session.messages - killed.messages],
    ['hash of the final messages', after.hash, rows.hash],
    ['conversations', after.conversations, rows.conversations],
    ['added by the third import', again.added, 0],
  ]
  const wrong = expected.filter(([, found, wanted]) => found !== wanted)
  return [
    ...wrong.map(([what, found, wanted]) => `${what}: ${String(found)}, not ${String(wanted)}`),
    ...(killed.messages > 0 && killed.messages < session.messages
      ? []
      : ['the import was not killed half way']),
  ]
}

function importFigures({ added, repeated, seconds, peakMegabytes }: FinishedImport): string {
  return `${added} added, ${repeated} repeated, ${seconds.toFixed(1)} s, peak ${peakMegabytes} MB`
}

async function importApart(file: string, store: string): Promise<FinishedImport> {
  const started = performance.now()
  const child = importer(file, store)
  const [printed, complained] = [collected(child.stdout), collected(child.stderr)]
  const [code] = await once(child, 'close')
  const [output, errors] = [await printed, await complained]
  if (code !== 0) throw new Error(`the import exited with ${String(code)}: ${errors}`)
  const { files } = JSON.parse(output)
  const { messages, added, repeated, problemCount } = files[0].report
  const peak = Number(/^peak (\d+)$/m.exec(errors)?.[1])
  return {
    ...{ messages, added, repeated, problemCount },
    seconds: (performance.now() - started) / 1_000,
    peakMegabytes: Math.round(peak / 1_024),
  }
}

async function importHere(file: string, store: string): Promise<FinishedImport> {
  const started = performance.now()
  const tl = createThroughline({ store: sqlite(store, { durability: 'normal' }) })
  const report = await importTranscript(tl, createReadStream(file))
  await tl.close()
  const { messages, added, repeated, problemCount } = report
  const seconds = (performance.now() - started) / 1_000
  return {
    ...{ messages, problemCount, seconds, peakMegabytes: 0 },
    ...{ added: added ?? 0, repeated: repeated ?? 0 },
  }
}

async function killedImport(file: string, store: string, atBytes: number): Promise<void> {
  const child = importer(file, store, { KILL_AT: `${Math.round(atBytes)}` })
  child.stdout.resume()
  child.stderr.resume()
  const [, signal] = await once(child, 'close')
  if (signal !== 'SIGKILL') throw new Error('the import ended before it was killed')
}

function importer(file: string, store: string, env: NodeJS.ProcessEnv = {}) {
  const main = join(import.meta.dirname, 'import-child.ts')
  return spawn(
    process.execPath,
    ['--conditions=throughline-source', main, 'import', file, '--store', store, '--json'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  )
}

async function collected(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks = await Array.fromAsync(stream)
  return Buffer.concat(chunks).toString()
}

/** The imported rows as one hash: the same messages in the same order, each once. */
interface ImportedRows {
  readonly messages: number
  readonly conversations: number
  readonly keys: number
  readonly hash: string
  readonly integrity: string
}

function importedRows(file: string): ImportedRows {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const hash = createHash('sha256')
    let messages = 0
    const rows = database
      .prepare(
        `SELECT conversations.id AS conversation, conversations.title, messages.seq, messages.key,
           messages.created_at, hex(messages.content_hash) AS content, hex(messages.chain_hash) AS chain
         FROM messages JOIN conversations ON conversations.pk = messages.conversation
         ORDER BY conversations.id, messages.seq`,
      )
      .iterate()
    for (const row of rows) {
      hash.update(`${JSON.stringify(row)}\n`)
      messages += 1
    }
    const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0])
    return {
      messages,
      conversations: count('SELECT count(*) FROM conversations'),
      keys: count('SELECT count(*) FROM (SELECT DISTINCT conversation, key FROM messages)'),
      hash: hash.digest('hex'),
      integrity: String(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]),
    }
  } finally {
    database.close()
  }
}

/** Bytes of a store with its write-ahead log, which may hold the newest data. */
export function storeSize(store: string): number {
  return ['', '-wal']
    .map((ending) => statSync(store + ending, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}
