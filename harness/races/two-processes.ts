/**
 * Runs two processes on one SQLite file, each with its engine and a model that answers at once: both
 * append, compact and summarize as fast as they can.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import type { Store } from 'throughline/stores'
import { sqlite } from 'throughline/stores/sqlite'
import { integrity, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import type { Finding } from '../kernel/finding.ts'
import { numberOf } from './observed.ts'

export interface TwoProcessesReport {
  readonly compactions: number
  readonly messages: number
  readonly summaries: number
  /** Compactions that started a new epoch. */
  readonly epochs: number
  /** Model calls whose summary was not stored because the other process was first. */
  readonly superseded: number
  readonly findings: readonly Finding[]
}

export async function runTwoProcesses(compactions: number): Promise<TwoProcessesReport> {
  const folder = testFolder()
  const file = folder.file('two.db')
  try {
    const acknowledged = await Promise.all(
      [0, 1].map((writer) => compacter([`--file=${file}`], { writer, writers: 2, compactions })),
    )
    const found = await auditStore(sqlite(file), acknowledged.flat(), 2)
    if (integrity(file) !== 'ok')
      found.findings.push({ rule: 'integrity', detail: integrity(file) })
    return { ...found, compactions: compactions * 2 }
  } finally {
    folder.remove()
  }
}

/** The numbers of its acknowledged messages, in order. */
export function compacter(
  store: readonly string[],
  { writer, writers, compactions }: Readonly<Record<'writer' | 'writers' | 'compactions', number>>,
): Promise<readonly number[]> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'compacter.ts'),
      ...store,
      `--writer=${writer}`,
      `--writers=${writers}`,
      `--compactions=${compactions}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as readonly number[])
      else reject(new Error(`compacter ${writer} exited with ${code}`))
    })
  })
}

/** Closes the store. */
export async function auditStore(store: Store, acknowledged: readonly number[], writers: number) {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) => findings.push({ rule, detail })
  const tl = createThroughline({ store })
  const chat = tl.conversation('shared')
  const log = await Array.fromAsync(chat.messages())
  const numbers = log.map(numberOf)
  if (new Set(numbers).size !== numbers.length) note('doubled', `${numbers.length} messages`)
  if (numbers.length !== acknowledged.length)
    note('lost', `${numbers.length} of ${acknowledged.length}`)
  for (let writer = 0; writer < writers; writer += 1) {
    const own = numbers.filter((number) => (number ?? 0) % writers === writer)
    const expected = acknowledged.filter((number) => number % writers === writer)
    if (own.join() !== expected.join()) note('order', `messages of writer ${writer}`)
  }
  const summaries = await chat.summaries({ limit: 100_000 })
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  const ranges = new Set<string>()
  for (const { added, covers, parentId, chain } of summaries) {
    const range = JSON.stringify([added, parentId])
    if (ranges.has(range)) note('covered-twice', range)
    ranges.add(range)
    const parent = parentId === null ? null : byId.get(parentId)
    if (parent === undefined || added.from !== (parent?.covers.to ?? 0)) note('chain', range)
    if (covers.from !== 0 || log[covers.to - 1]?.hashes.chain !== chain) note('covers', range)
  }
  let [superseded, epochs, after] = [0, 0, 0]
  for (;;) {
    const page = await chat.events({ after, limit: 1_000 })
    superseded += page.filter(
      (event) => event.kind === 'summary-failed' && event.why === 'superseded',
    ).length
    epochs += page.filter(({ kind }) => kind === 'compaction-finished').length
    const last = page.at(-1)
    if (last === undefined) break
    if (last.number !== after + page.length) note('events', `a gap after ${after}`)
    after = last.number
  }
  await tl.close()
  return { messages: log.length, summaries: summaries.length, epochs, superseded, findings }
}
