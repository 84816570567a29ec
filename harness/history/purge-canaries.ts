/** Purges canaries from files, and searches every byte of the files. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type SqliteDriver, type SqliteStatement, sqlite } from 'throughline/stores/sqlite'
import { rowsIn } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { historyEngine, historyModels, historyPolicies } from './history-engine.ts'
import { type PlantedCanary, plantCanaries } from './planted-canaries.ts'

export interface Forgotten {
  readonly statement: RegExp
  /** Only if this value is quoted in the statement, or among its parameters. */
  readonly value?: string
  /** Replaces the match; the rest of the statement still runs. */
  readonly instead?: string
}

export interface PurgeRuns {
  readonly seed: number
  readonly canaries: number
  /** Statements that are omitted: a planted bug. */
  readonly forgotten?: Forgotten | undefined
}

export interface PurgeReport {
  readonly findings: readonly Finding[]
  readonly figures: {
    readonly canaries: number
    readonly messages: number
    readonly conversations: number
    readonly bytes: number
    readonly lines: number
    readonly inserts: number
    readonly turns: number
  }
}

const inOneConversation = 10
const inOneFile = 50

export async function purgeCanaries({
  seed,
  canaries,
  forgotten,
}: PurgeRuns): Promise<PurgeReport> {
  const reports: PurgeReport[] = []
  for (let first = 0; first < canaries; first += inOneFile) {
    const count = Math.min(inOneFile, canaries - first)
    reports.push(await inFile(`${seed}/${first}`, count, forgotten ?? null))
  }
  const sum = (of: keyof PurgeReport['figures']) =>
    reports.reduce((total, { figures }) => total + figures[of], 0)
  return {
    findings: reports.flatMap(({ findings }) => findings),
    figures: {
      canaries: sum('canaries'),
      messages: sum('messages'),
      conversations: sum('conversations'),
      bytes: sum('bytes'),
      lines: sum('lines'),
      inserts: sum('inserts'),
      turns: sum('turns'),
    },
  }
}

async function inFile(
  seed: string,
  canaries: number,
  forgotten: Forgotten | null,
): Promise<PurgeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
  const file = join(folder, 'purge.db')
  const chance = chanceOf(seed)
  const opened = forgotten === null ? file : forgetful(file, forgotten)
  const store = sqlite(opened, { durability: 'normal' })
  let now = 1_700_000_000_000
  const policy = chance.pick(historyPolicies)
  const tl = historyEngine({ store, policy, now: () => (now += 1_000), writes: true })
  try {
    const planted: PlantedCanary[] = []
    for (let first = 0; first < canaries; first += inOneConversation) {
      const count = Math.min(inOneConversation, canaries - first)
      planted.push(...(await plantCanaries({ tl, store, chance, id: `c${first}` }, count)))
    }
    for (const { chat, canary } of planted) {
      await chat.recall(canary)
      const next = { role: 'user', content: `What was said of ${canary}?` } as const
      await chat.context({ model: chance.pick(historyModels), next })
    }
    await tl.settled()
    const kinds = Map.groupBy(rowsIn(file, 'derived'), ({ kind }) => String(kind))
    const [inserts, turns] = ['insert', 'turn'].map((kind) => kinds.get(kind)?.length ?? 0) as [
      number,
      number,
    ]
    const words = [...new Set(planted.map(({ canary }) => canary))]
    const findings: Finding[] = missing(words, bytesIn(file)).map((canary) => ({
      rule: 'never-there',
      detail: canary,
    }))
    if (rowsIn(file, 'pieces').length === 0) findings.push({ rule: 'empty', detail: 'pieces' })
    for (const kind of ['version', 'turn', 'step'])
      if (!kinds.has(kind)) findings.push({ rule: 'empty', detail: kind })
    const touched = new Set<string>()
    for (const { chat, seq, canary } of planted) {
      const outcome = await chat.history.purgeMessage(seq, { forks: 'purge' })
      if (outcome.kind !== 'purged' || !outcome.erased)
        findings.push({ rule: 'refused', detail: `${canary}: ${JSON.stringify(outcome)}` })
      else for (const id of outcome.conversations) touched.add(id)
    }
    const bytes = bytesIn(file)
    findings.push(...left(words, bytes).map((canary) => ({ rule: 'left', detail: canary })))
    const lines = (await tl.purges({ limit: 10_000 })).length
    const figures = {
      canaries: words.length,
      messages: planted.length,
      bytes: bytes.length,
      lines,
      inserts,
      turns,
    }
    return { findings, figures: { ...figures, conversations: touched.size } }
  } finally {
    await tl.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A driver that omits these statements. */
function forgetful(file: string, { statement, value, instead }: Forgotten): SqliteDriver {
  const database = new DatabaseSync(file)
  const nothing: SqliteStatement = { run: () => null, get: () => ({ busy: 0 }), all: () => [] }
  return {
    // Some builds overwrite deleted data unless this is switched off.
    exec: (sql) => database.exec(statement.test(sql) ? 'PRAGMA secure_delete = OFF' : sql),
    prepare: (sql) => {
      if (!statement.test(sql)) return database.prepare(sql)
      if (instead !== undefined) return database.prepare(sql.replace(statement, instead))
      if (value === undefined || sql.includes(`'${value}'`)) return nothing
      const prepared = database.prepare(sql)
      return {
        ...nothing,
        run: (...values) => (values.includes(value) ? null : prepared.run(...values)),
      }
    },
    close: () => database.close(),
  }
}

/** The bytes of the database and its side files. */
export function bytesIn(file: string): Buffer {
  return Buffer.concat(
    ['', '-wal', '-shm', '-journal'].flatMap((suffix) =>
      existsSync(`${file}${suffix}`) ? [readFileSync(`${file}${suffix}`)] : [],
    ),
  )
}

function missing(canaries: readonly string[], bytes: Buffer): readonly string[] {
  return canaries.filter((canary) => !bytes.includes(canary))
}

function left(canaries: readonly string[], bytes: Buffer): readonly string[] {
  const lower = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1')
  return canaries.filter((canary) =>
    formsOf(canary).some((form) => bytes.includes(form) || lower.includes(form)),
  )
}

/** Every encoding in which the canary may have been written. */
function formsOf(canary: string): readonly (string | Buffer)[] {
  const escaped = [...canary]
    .map((letter) => {
      const code = letter.charCodeAt(0)
      return code < 128 ? letter : `\\u${code.toString(16).padStart(4, '0')}`
    })
    .join('')
  return [
    canary,
    canary.toLowerCase(),
    escaped,
    escaped.toLowerCase(),
    JSON.stringify(canary).slice(1, -1),
    Buffer.from(canary, 'utf16le'),
  ]
}
