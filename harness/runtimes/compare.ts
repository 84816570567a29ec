/** Compares what a runtime returns with what Node returns, byte for byte. */
import type { Finding } from '../kernel/finding.ts'
import { fitCase } from './fit-case.ts'
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
  for (const [index, json] of cases.entries()) {
    const tokenizer = index % 2 === 0 ? 'bytes' : 'estimate'
    const [here, there] = [
      await fitCase(json, tokenizer),
      await runtime.run('fitCase', json, tokenizer),
    ]
    compacted += here.split('"compacted":{').length - 1
    bytes += here.length
    if (here === there) same += 1
    else findings.push({ rule: runtime.name, detail: difference(json, here, there) })
  }
  for (const problem of runtime.problems()) findings.push({ rule: runtime.name, detail: problem })
  return { findings, same, compacted, bytes }
}

function difference(json: string, here: string, there: string): string {
  let at = 0
  while (here[at] === there[at]) at += 1
  const near = (text: string) => text.slice(Math.max(0, at - 40), at + 60)
  return `${json.slice(0, 20)} … Node: ${near(here)} … there: ${near(there)}`
}
