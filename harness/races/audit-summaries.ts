/**
 * Of summaries: each tells the log from its beginning, goes on where its parent ends, tells
 * only messages that the model was shown, and nobody's work is done twice.
 */
import type { SummaryRecord } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { numberOf, type Observed } from './observed.ts'

type Audited = Pick<Observed, 'summaries' | 'log' | 'commits' | 'calls'>

export function auditSummaries(observed: Audited): readonly Finding[] {
  const { summaries, log, commits } = observed
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  const findings: Finding[] = []
  for (const summary of summaries) {
    const { covers, told, parentId, chain } = summary
    const note = (rule: string, detail: string) =>
      findings.push({ rule, detail: `${spansOf(summary)}: ${detail}` })
    const parent = parentId === null ? null : byId.get(parentId)
    if (covers.from !== 0 || covers.to !== told.to || covers.to > log.length)
      note('covers', `of ${log.length} messages`)
    if (log[covers.to - 1]?.hashes.chain !== chain) note('covers', 'another history')
    if (parent === undefined) note('chain', 'its parent is nowhere')
    const from = parent?.covers.to ?? 0
    if (told.from !== from && !isAfresh(summary))
      note('chain', `its parent ends at ${parent?.covers.to}`)
    if (told.to <= told.from) note('chain', 'it tells nothing')
  }
  for (const [spans, same] of Map.groupBy(
    summaries.filter((each) => !isAfresh(each)),
    spansOf,
  ))
    if (same.length > 1)
      findings.push({ rule: 'covered-twice', detail: `${spans}, ${same.length} times` })
  for (const { command, outcome, callsSoFar } of commits) {
    const record = command.changes.summarized?.record ?? null
    if (outcome.kind !== 'committed' || record === null) continue
    const unseen = unseenOf(record, observed, callsSoFar)
    if (unseen.length > 0)
      findings.push({ rule: 'unseen', detail: `${spansOf(record)}: no model saw ${unseen}` })
  }
  return findings
}

/** Made from the messages, though there was one before. */
function isAfresh({ told, parentId }: SummaryRecord): boolean {
  return told.from === 0 && parentId !== null
}

function spansOf({ told, parentId, covers }: SummaryRecord): string {
  return `summary of [${told.from}, ${covers.to}) behind ${parentId?.slice(0, 6) ?? 'none'}`
}

/** Places that it tells, and no request has shown to a model; what was pinned none is shown. */
function unseenOf(
  { told }: SummaryRecord,
  { log, calls, commits }: Audited,
  callsSoFar: number,
): readonly number[] {
  const shown = calls.slice(0, callsSoFar)
  const pinned = new Set(commits.flatMap(({ command }) => command.changes.pins ?? []))
  return log.slice(told.from, told.to).flatMap((message) => {
    const number = numberOf(message)
    return number === null ||
      pinned.has(message.seq) ||
      shown.some(({ numbers }) => numbers.has(number))
      ? []
      : [message.seq]
  })
}
