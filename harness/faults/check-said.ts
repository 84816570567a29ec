/**
 * Every summary that is kept was said by a model: by a sound answer, or by one that was mended,
 * which the account of it says. Nothing is put together from failures.
 */
import type { DraftRepair, SummaryRecord } from 'throughline'
import type { ServedRequest } from '../fault-server.ts'
import { type Finding, finding } from './finding.ts'
import { piecesOfDraft } from './handed-out.ts'
import type { Observed } from './observed.ts'

export function checkSaid(observed: Observed): readonly Finding[] {
  const served = observed.served.flat()
  return observed.summaries.flatMap((record) => {
    const repairs = repairsOf(observed, record)
    if (served.some((request) => isSaidBy(record, request, repairs))) return []
    return [finding('said', `no sound answer says: ${record.text.slice(0, 200)}`)]
  })
}

/** How many summaries come from an answer that was mended or cut. */
export function mendedIn(observed: Observed): number {
  const faulty = observed.served.flat().filter(({ fault }) => fault !== null)
  return observed.summaries.filter((record) => {
    const repairs = repairsOf(observed, record)
    return faulty.some((request) => isSaidBy(record, request, repairs))
  }).length
}

function repairsOf({ steps }: Observed, { id }: SummaryRecord): readonly DraftRepair[] {
  return steps.flatMap(({ live }) =>
    live.flatMap((event) =>
      event.kind === 'summarization-finished' && event.summarization.summaryId === id
        ? event.summarization.repairs
        : [],
    ),
  )
}

function isSaidBy(
  record: SummaryRecord,
  { fault, said }: ServedRequest,
  repairs: readonly DraftRepair[],
): boolean {
  if (said === null || said === '' || !mayBeMended(record, fault, repairs)) return false
  const answer = squeezed(wordsOfAnswer(said))
  return piecesOfDraft(record)
    .flatMap(sentencesOf)
    .every((sentence) => isIn(sentence, answer, repairs))
}

function mayBeMended(
  { degraded }: SummaryRecord,
  fault: ServedRequest['fault'],
  repairs: readonly DraftRepair[],
): boolean {
  switch (fault) {
    case null:
      return true
    case 'lies':
      return repairs.length > 0
    case 'cut-off':
    case 'over-limit':
      return degraded
    default:
      return false
  }
}

/** The strings of JSON, or the text. */
function wordsOfAnswer(said: string): string {
  const strings: string[] = []
  try {
    JSON.parse(said, (_, value: unknown) => {
      if (typeof value === 'string') strings.push(value)
      return value
    })
  } catch {
    return said
  }
  return strings.join('\n')
}

function isIn(sentence: string, answer: string, repairs: readonly DraftRepair[]): boolean {
  if (answer.includes(sentence)) return true
  return repairs.some(
    (repair) =>
      repair.kind === 'value-replaced' &&
      sentence.includes(repair.to) &&
      isIn(
        sentence.replace(repair.to, () => repair.from),
        answer,
        repairs.filter((other) => other !== repair),
      ),
  )
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) /)
    .map(squeezed)
    .filter((sentence) => sentence !== '')
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
