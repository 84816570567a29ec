/**
 * A writer is killed with SIGKILL at chance moments, again and again, on one file. Behind each
 * kill every turn that was acknowledged is there, whole; the one in doubt is there whole or not
 * at all; and all of it is what a writer that nobody kills has remembered.
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
  const beside = killedPlay(memory(), seed)
  const findings: Finding[] = []
  let [acknowledged, played, inDoubtKept, done] = [0, 0, 0, 0]
  try {
    for (; done < kills && findings.length === 0; done += 1) {
      const last = await liveAndDie({ file, seed, bug, kept: acknowledged }, chance.below(80))
      acknowledged = Math.max(acknowledged, last)
      const kept = await readFile(file, seed)
      for (; played < kept.records.length; played += 1) await beside.next(false)
      inDoubtKept += kept.records.length > acknowledged ? 1 : 0
      findings.push(...auditTurns(kept, await keptUpTo(beside, kept.records.length), acknowledged))
      if (integrity(file) !== 'ok') findings.push({ rule: 'integrity', detail: integrity(file) })
    }
  } finally {
    await beside.engine.close()
    folder.remove()
  }
  return { figures: { kills: done, turns: acknowledged, inDoubtKept }, findings }
}

/** `should`: as many turns, by a writer that nobody kills. */
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
  if (other >= 0) findings.push({ rule: 'torn', detail: `turn ${other + 1} is another one` })
  if (!isSame(kept.steps, should.steps))
    findings.push({ rule: 'torn', detail: 'steps are other ones' })
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

interface Life {
  readonly file: string
  readonly seed: number
  readonly bug: string
  readonly kept: number
}

/** Runs a writer until some milliseconds after its first acknowledgement; the last that it reported. */
function liveAndDie(life: Life, lifeMs: number): Promise<number> {
  const writer = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'kill-writer.ts'),
      ...Object.entries(life).map(([name, value]) => `--${name}=${value}`),
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
    setTimeout(() => writer.kill('SIGKILL'), lifeMs)
  })
  return new Promise((resolve, reject) => {
    writer.on('error', reject)
    writer.on('close', (code) => {
      if (code !== null) reject(new Error(`the writer ended by itself with ${code}`))
      // A line without its end was not read by anybody: it acknowledges nothing.
      const lines = output.slice(0, output.lastIndexOf('\n') + 1).trim()
      resolve(Number(lines.split('\n').at(-1)))
    })
  })
}
