/** What a run has found, told by rule; and how many. */
import type { Finding } from '../races/finding.ts'

export function tellFindings(
  what: string,
  findings: readonly Finding[],
  figures: object,
  startedAt: number,
): number {
  for (const [rule, same] of Map.groupBy(findings, (finding) => finding.rule))
    console.log(`${rule}: ${same.length} times, such as ${same[0]?.detail}`)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(`${what}: ${JSON.stringify(figures)}; ${findings.length} findings, ${seconds} s`)
  return findings.length
}
