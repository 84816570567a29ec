/** Compares what a runtime returns with what Node returns, byte for byte. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Finding } from '../kernel/finding.ts'
import type { fitCase } from './fit-case.ts'
import type { Runtime } from './runtime.ts'

export interface Compared {
  readonly findings: readonly Finding[]
  readonly same: number
  /** Contexts in which messages were compacted. */
  readonly compacted: number
  readonly bytes: number
}

export async function compareWithNode(
  runtime: Runtime,
  cases: readonly string[],
): Promise<Compared> {
  const findings: Finding[] = []
  let [same, compacted, bytes] = [0, 0, 0]
  const asked = cases.map(
    (json, index) => [json, index % 2 === 0 ? 'bytes' : 'estimate'] as Parameters<typeof fitCase>,
  )
  const results = resultsInNode(asked)
  for (const [index, [json, tokenizer]] of asked.entries()) {
    const [here = '', there] = [results[index], await runtime.run('fitCase', json, tokenizer)]
    compacted += here.split('"compacted":{').length - 1
    bytes += here.length
    if (here === there) same += 1
    else findings.push({ rule: runtime.name, detail: difference(json, here, there) })
  }
  for (const problem of runtime.problems()) findings.push({ rule: runtime.name, detail: problem })
  return { findings, same, compacted, bytes }
}

/** A process of its own has called nothing else before, like the other runtime. */
function resultsInNode(asked: readonly Parameters<typeof fitCase>[]): readonly string[] {
  const child = join(import.meta.dirname, 'node-child.ts')
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--conditions=throughline-source', child],
    { input: JSON.stringify(asked), encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  if (status !== 0) throw new Error(`Node failed: ${stderr}`)
  return JSON.parse(stdout) as readonly string[]
}

function difference(json: string, here: string, there: string): string {
  let at = 0
  while (here[at] === there[at]) at += 1
  const near = (text: string) => text.slice(Math.max(0, at - 40), at + 60)
  return `${json.slice(0, 20)} … Node: ${near(here)} … there: ${near(there)}`
}
