/**
 * Kills a writer with SIGKILL at random moments, again and again, on one file. After each kill,
 * every acknowledged turn must be complete, and the last one complete or absent. The result must
 * equal that of a writer that is never killed.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { integrity, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { isSame } from './check-record.ts'
import { type KeptTurns, type KilledPlay, keptTurns, killedPlay } from './killed-play.ts'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly bug?: string | undefined
}

export interface KillReport {
  readonly figures: { readonly kills: number; readonly turns: number; readonly inDoubtKept: number }
  readonly findings: readonly Finding[]
}

export async function killTurns({ kills, seed, bug = '' }: KillOptions): Promise<KillReport> {
  const folder = testFolder()
  const file = folder.file('killed.db')
  const chance = chanceOf(`kills ${seed}`)
  const reference = killedPlay(memory(), seed)
  const findings: Finding[] = []
  let [acknowledged, played, inDoubtKept, done] = [0, 0, 0, 0]
  try {
    for (; done < kills && findings.length === 0; done += 1) {
      const last = await runUntilKilled({ file, seed, bug, kept: acknowledged }, chance.below(80))
      acknowledged = Math.max(acknowledged, last)
      const kept = await readFile(file, seed)
      for (; played < kept.records.length; played += 1) await reference.next(false)
      inDoubtKept += kept.records.length > acknowledged ? 1 : 0
      findings.push(
        ...auditTurns(kept, await keptUpTo(reference, kept.records.length), acknowledged),
      )
      if (integrity(file) !== 'ok') findings.push({ rule: 'integrity', detail: integrity(file) })
    }
  } finally {
    await reference.engine.close()
    folder.remove()
  }
  return { figures: { kills: done, turns: acknowledged, inDoubtKept }, findings }
}

/** `should` has the same number of turns, by a writer that was never killed. */
export function auditTurns(
  kept: KeptTurns,
  should: KeptTurns,
  acknowledged: number,
): readonly Finding[] {
  const count = kept.records.length
  const findings: Finding[] = []
  if (count < acknowledged)
    findings.push({ rule: 'lost', detail: `${count} of ${acknowledged} that were acknowledged` })
  if (count > acknowledged + 1)
    findings.push({ rule: 'doubled', detail: `${count} turns, and ${acknowledged} acknowledged` })
  const other = kept.records.findIndex((record, at) => !isSame(record, should.records[at]))
  if (other >= 0) findings.push({ rule: 'torn', detail: `turn ${other + 1} differs` })
  if (!isSame(kept.steps, should.steps)) findings.push({ rule: 'torn', detail: 'the steps differ' })
  return findings
}

async function readFile(file: string, seed: number): Promise<KeptTurns> {
  const { engine } = killedPlay(sqlite(file), seed)
  const kept = await keptTurns(engine)
  await engine.close()
  return kept
}

async function keptUpTo({ engine }: KilledPlay, turns: number): Promise<KeptTurns> {
  const { records, steps } = await keptTurns(engine)
  return {
    records: records.slice(0, turns),
    steps: steps.filter((step) => step !== null && step.turn <= turns),
  }
}

interface WriterOptions {
  readonly file: string
  readonly seed: number
  readonly bug: string
  readonly kept: number
}

/** Kills a writer soon after its first acknowledgement; returns the last acknowledged turn. */
function runUntilKilled(options: WriterOptions, waitMs: number): Promise<number> {
  const writer = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'kill-writer.ts'),
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  let isDoomed = false
  writer.stdout.setEncoding('utf8')
  writer.stdout.on('data', (chunk: string) => {
    output += chunk
    if (isDoomed) return
    isDoomed = true
    setTimeout(() => writer.kill('SIGKILL'), waitMs)
  })
  return new Promise((resolve, reject) => {
    writer.on('error', reject)
    writer.on('close', (code) => {
      if (code !== null) reject(new Error(`the writer exited with ${code} before it was killed`))
      // An incomplete line acknowledges nothing.
      const lines = output.slice(0, output.lastIndexOf('\n') + 1).trim()
      resolve(Number(lines.split('\n').at(-1)))
    })
  })
}
