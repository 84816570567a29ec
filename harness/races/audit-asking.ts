/** Of asking models: every start has one end, one at a time, and all that was spent is known. */
import type { LiveEvent } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import type { Observed, SeenEngine } from './observed.ts'

export function auditAsking({ engines, calls, commits, asking }: Observed): readonly Finding[] {
  const findings = engines.flatMap(auditEngine)
  const told = new Map<number, number>()
  let kept = 0
  for (const { command, outcome, engine } of commits) {
    const { summarized } = command.changes
    if (outcome.kind !== 'committed' || summarized === undefined) continue
    const { length } = summarized.asking.spent
    const attempts = summarized.summarization.attempts.length
    if (length < kept + attempts)
      findings.push({ rule: 'spending', detail: `${kept} and ${attempts} calls became ${length}` })
    told.set(engine, (told.get(engine) ?? 0) + length - kept)
    kept = length
  }
  if (kept !== (asking?.spent.length ?? 0))
    findings.push({ rule: 'spending', detail: `${kept} calls are not what is kept` })
  for (const { number, fate } of engines) {
    // Who was thrown away, or closed while somebody waited for it, could not tell.
    if (fate !== 'lives' || number < 0) continue
    const called = calls.filter(({ engine }) => engine === number).length
    if (called !== (told.get(number) ?? 0))
      findings.push({
        rule: 'spending',
        detail: `engine ${number}: ${called} calls, ${told.get(number) ?? 0} told`,
      })
  }
  return findings
}

export function auditEngine({ number, fate, live }: SeenEngine): readonly Finding[] {
  const findings: Finding[] = []
  const open = { summarization: 0, 'model-attempt': 0 }
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `engine ${number}: ${detail}` })
  for (const { kind } of live) {
    const what = whatOf(kind)
    open[what] += kind.endsWith('-started') ? 1 : -1
    if (open[what] > 1) note('two-at-once', `two of ${what}`)
    if (open[what] < 0) note('ends', `an end of a ${what} that has not begun`)
  }
  if (fate === 'crashed') return findings
  for (const [what, count] of Object.entries(open))
    if (count > 0) note('ends', `${count} of ${what} without an end`)
  return findings
}

function whatOf(kind: LiveEvent['kind']): 'summarization' | 'model-attempt' {
  return kind.startsWith('model-attempt') ? 'model-attempt' : 'summarization'
}
