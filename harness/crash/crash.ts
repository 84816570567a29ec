/**
 * The crash harness: a writer is killed with SIGKILL at a chance moment, again and
 * again, on one database. After every kill the file is audited: nothing that was
 * acknowledged is lost, nothing is there twice, no turn is there in part. The first
 * audit that finds something ends the run.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { seededFractions } from '../seeded-random.ts'
import { type Audit, audit } from './audit.ts'

export interface CrashOptions {
  readonly kills: number
  readonly seed: number
  readonly plant?: string | undefined
  readonly onKill?: ((kill: number, acknowledged: number) => void) | undefined
}

export interface CrashReport {
  readonly kills: number
  readonly acknowledgedTurns: number
  readonly messages: number
  readonly lost: number
  readonly duplicates: number
  readonly torn: number
  readonly problems: readonly string[]
  readonly sound: boolean
}

export async function crash(options: CrashOptions): Promise<CrashReport> {
  const folder = testFolder()
  const file = folder.file('crash.db')
  const random = seededFractions(options.seed)
  let acknowledged = -1
  let kills = 0
  let last: Audit = { messages: 0, lost: 0, duplicates: 0, torn: 0, problems: [] }
  const worst = { lost: 0, duplicates: 0, torn: 0 }
  const problems: string[] = []
  try {
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const lifeMs = 1 + Math.floor(random() * 60)
      acknowledged = Math.max(
        acknowledged,
        await liveAndDie(file, acknowledged + 1, lifeMs, options.plant),
      )
      last = await audit(file, acknowledged)
      for (const fault of ['lost', 'duplicates', 'torn'] as const)
        worst[fault] = Math.max(worst[fault], last[fault])
      problems.push(...last.problems.map((problem) => `kill ${kill}: ${problem}`))
      kills = kill
      options.onKill?.(kill, acknowledged)
      if (worst.lost + worst.duplicates + worst.torn + problems.length > 0) break
    }
  } finally {
    folder.remove()
  }
  const sound = worst.lost + worst.duplicates + worst.torn + problems.length === 0
  const { messages } = last
  return {
    kills,
    acknowledgedTurns: acknowledged + 1,
    messages,
    ...worst,
    problems,
    sound,
  }
}

/** Runs a writer until some milliseconds after its first acknowledgement; the last turn it reported. */
function liveAndDie(
  file: string,
  from: number,
  lifeMs: number,
  plant: string | undefined,
): Promise<number> {
  const writer = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'writer.ts'),
      `--file=${file}`,
      `--from=${from}`,
      ...(plant === undefined ? [] : [`--plant=${plant}`]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  let doomed = false
  writer.stdout.setEncoding('utf8')
  writer.stdout.on('data', (chunk: string) => {
    output += chunk
    if (doomed) return
    doomed = true
    setTimeout(() => writer.kill('SIGKILL'), lifeMs)
  })
  return new Promise((resolve, reject) => {
    writer.on('error', reject)
    writer.on('close', (code) => {
      if (code !== null) reject(new Error(`the writer ended by itself with ${code}`))
      // A line without its end was not read by anybody: it acknowledges nothing.
      const lines = output
        .slice(0, output.lastIndexOf('\n') + 1)
        .trim()
        .split('\n')
      resolve(Number(lines.at(-1)))
    })
  })
}
