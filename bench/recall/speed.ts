/**
 * What a search costs in a long log, alternating with a bare FTS5 query on a table of the same texts;
 * and what indexing a message costs, compared with appending it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type Store } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { median, quantile } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import type { ConversationHandle } from '../../packages/throughline/src/conversation/handle.ts'
import { indexSpan } from '../../packages/throughline/src/conversation/indexing.ts'
import { conversationId, tenantId } from '../../packages/throughline/src/domain/ids.ts'
import type { BenchRow } from '../report.ts'
import { rowWriter } from '../row-writer.ts'
import { searchedTalk } from './texts.ts'

interface RecallSpeedPlan {
  readonly messages: number
  readonly questions: number
  readonly questionsToWarmUp: number
}

const shipped: RecallSpeedPlan = { messages: 100_000, questions: 400, questionsToWarmUp: 40 }

export async function recallSpeedRows(plan = shipped): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const store = sqlite(join(folder, 'ours.db'))
  const bare = bareTable(join(folder, 'bare.db'))
  try {
    const talk = searchedTalk(plan.messages, plan.questionsToWarmUp + plan.questions)
    const chat = createThroughline({ store }).conversation(conversation)
    bare.fill(talk.texts)
    const costs = await fill(store, chat, talk.texts)
    const rows = fillRows(plan, costs)
    for (const [kind, questions] of Object.entries(talk.questions))
      rows.push(...rowsOf(kind, plan, await timeInTurns(chat, bare, questions, plan)))
    return rows
  } finally {
    await store.close()
    bare.close()
    rmSync(folder, { recursive: true })
  }
}

const conversation = 'searched'

interface Bare {
  fill(texts: readonly string[]): void
  find(question: string): unknown
  close(): void
}

function bareTable(file: string): Bare {
  const database = new DatabaseSync(file)
  database.exec(
    `PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'porter')`,
  )
  const insert = database.prepare('INSERT INTO texts (text) VALUES (?)')
  const find = database.prepare(
    'SELECT rowid, text FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 20',
  )
  return {
    fill: (texts) => {
      database.exec('BEGIN')
      for (const text of texts) insert.run(text)
      database.exec('COMMIT')
    },
    find: (question) => find.all(question.replaceAll(' ', ' OR ')),
    close: () => database.close(),
  }
}

/** Milliseconds per message. */
interface FillCosts {
  readonly append: number
  readonly index: number
}

async function fill(
  store: Store,
  chat: ConversationHandle,
  texts: readonly string[],
): Promise<FillCosts> {
  const from = texts.length - Math.min(measuredMessages, texts.length)
  for (let at = 0; at < from; at += batch)
    await append(chat, texts.slice(at, Math.min(from, at + batch)))
  const appendMs = await timed(async () => {
    for (let at = from; at < texts.length; at += turn)
      await append(chat, texts.slice(at, at + turn))
  })
  const [tenant, id] = [store.tenant(tenantId('default')), conversationId(conversation)]
  await indexSpan({ store: tenant, id }, { from: 0, to: from }, unlimited)
  const indexMs = await timed(() =>
    indexSpan({ store: tenant, id }, { from, to: texts.length }, unlimited),
  )
  const measured = texts.length - from
  return { append: appendMs / measured, index: indexMs / measured }
}

const unlimited = { characters: Number.POSITIVE_INFINITY, pause: async () => {} }
const measuredMessages = 3_000
const batch = 1_000
/** Messages per commit, as in `bench turn`. */
const turn = 3

async function append(chat: ConversationHandle, texts: readonly string[]): Promise<void> {
  await chat.append(texts.map((content) => ({ role: 'user', content })))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

interface Times {
  readonly ours: readonly number[]
  readonly bare: readonly number[]
  /** Questions with at least one result. */
  readonly answered: number
}

async function timeInTurns(
  chat: ConversationHandle,
  bare: Bare,
  questions: readonly string[],
  { questionsToWarmUp }: RecallSpeedPlan,
): Promise<Times> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  let answered = 0
  for (const [number, question] of questions.entries()) {
    const oursMs = await timed(async () => {
      const { pieces } = await chat.recall(question)
      if (number >= questionsToWarmUp && pieces.length > 0) answered += 1
    })
    const bareMs = await timed(async () => bare.find(question))
    if (number < questionsToWarmUp) continue
    ours.push(oursMs)
    theirs.push(bareMs)
  }
  return { ours, bare: theirs, answered }
}

function rowsOf(
  kind: string,
  { messages }: RecallSpeedPlan,
  { ours, bare, answered }: Times,
): readonly BenchRow[] {
  const source = `questions of ${kind}`
  const row = rowWriter({ source, size: messages, n: ours.length })
  const p95 = (times: readonly number[]) => quantile(times, 0.95)
  return [
    row('throughline', answered / ours.length, 'share of questions answered'),
    row('throughline', median(ours), 'ms, median'),
    row('throughline', p95(ours), 'ms, p95'),
    row('bare FTS5', median(bare), 'ms, median'),
    row('bare FTS5', p95(bare), 'ms, p95'),
    row('throughline', median(ours) / median(bare), '× bare FTS5, median'),
    row('throughline', p95(ours) / p95(bare), '× bare FTS5, p95'),
  ]
}

function fillRows(
  { messages }: RecallSpeedPlan,
  { append: toAppend, index }: FillCosts,
): BenchRow[] {
  const n = Math.min(measuredMessages, messages)
  const row = (value: number, unit: string): BenchRow => ({
    source: 'messages',
    method: 'throughline',
    size: messages,
    value,
    unit,
    n,
  })
  return [
    row(toAppend, 'ms to append a message, three at once'),
    row(index, 'ms to index it, after the request'),
  ]
}
