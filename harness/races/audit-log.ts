/** Of the log: nothing lost, nothing there twice, nothing out of order. */
import type { Finding } from '../kernel/finding.ts'
import { numberOf, type Observed } from './observed.ts'

export function auditLog({ log, appends }: Observed): readonly Finding[] {
  const findings: Finding[] = []
  const numbers = log.map(numberOf)
  for (const [index, { seq }] of log.entries())
    if (seq !== index) findings.push({ rule: 'order', detail: `place ${seq} stands at ${index}` })
  const places = new Map<number, number>()
  for (const [place, number] of numbers.entries()) {
    if (number === null) continue
    if (places.has(number)) findings.push({ rule: 'doubled', detail: `message ${number}` })
    places.set(number, place)
  }
  for (const { numbers: batch } of appends) {
    const at = batch.map((number) => places.get(number))
    if (at.includes(undefined)) findings.push({ rule: 'lost', detail: `of messages ${batch}` })
    else if (at.some((place, index) => place !== (at[0] ?? 0) + index))
      findings.push({ rule: 'order', detail: `messages ${batch} stand at ${at}` })
  }
  // Who appends one after the other finds them one after the other.
  for (const [actor, own] of Map.groupBy(appends, (each) => each.actor)) {
    const at = own.map(({ numbers: batch }) => places.get(batch[0] ?? 0) ?? 0)
    if (at.some((place, index) => place < (at[index - 1] ?? 0)))
      findings.push({ rule: 'order', detail: `what actor ${actor} appended stands at ${at}` })
  }
  return findings
}
