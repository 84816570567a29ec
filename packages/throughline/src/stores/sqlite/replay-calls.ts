/**
 * Updates answers and marks after messages have changed. Only messages with a call or a result of
 * a changed id can differ, so the rest of the log is not read.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Mark } from '../../domain/message.ts'
import type { PlacedEntry, UnansweredCall } from '../../domain/placement.ts'
import { answersOf, callsOf, isRemoved, removedMark } from '../../domain/sealed-message.ts'
import type { Span } from '../../domain/span.ts'
import type { ChangedCalls } from '../rewrite-log.ts'
import { bodyCells, encodeList } from './cells.ts'
import { cellsAt, marksOf, updateMessage } from './read.ts'
import { messageHashCells, messageRowHash } from './row-hash.ts'
import type { ConversationRow, SqliteLog } from './rows.ts'
import { answeredOf, answersFrom, replaceUnanswered, unansweredOf } from './unanswered-calls.ts'

/** See `RewrittenLog.replay`. */
export function replayCalls(
  row: ConversationRow,
  changed: Span,
  { calls, ids }: ChangedCalls,
): readonly Seq[] {
  const { fork } = row
  // Before its first own message, only the source knows which calls have no result.
  const owner = fork !== null && changed.from === fork.at ? { ...row, pk: fork.pk } : row
  const open = new OpenCalls()
  for (const call of callsKnownAt(owner, changed, ids)) if (call.seq < changed.from) open.add(call)
  const answering: Seq[] = []
  const readPlaces = new Set(placesWithAnswers(row, changed, ids))
  const later = Map.groupBy(callsKnownAt(row, changed, ids), ({ seq }) => seq)
  const places = new Set([...readPlaces, ...[...later.keys()].filter((seq) => seq >= changed.to)])
  for (const seq of [...places].sort((left, right) => left - right)) {
    if (!readPlaces.has(seq)) for (const call of later.get(seq) ?? []) open.add(call)
    else if (replayMessage(row, seq, { ids, open }).some((callId) => calls.has(callId)))
      answering.push(seq)
  }
  replaceUnanswered(row, ids, open.all())
  return answering
}

/** Unanswered calls by their ids: a result answers the newest. */
class OpenCalls {
  readonly #places = new Map<string, Seq[]>()

  add({ callId, seq }: UnansweredCall): void {
    this.#places.set(callId, [...(this.#places.get(callId) ?? []), seq])
  }

  answer(callId: string): Seq | undefined {
    return this.#places.get(callId)?.pop()
  }

  all(): readonly UnansweredCall[] {
    return [...this.#places].flatMap(([callId, places]) => places.map((seq) => ({ callId, seq })))
  }
}

/** The changed messages, and later ones that may have a result of one of the calls. */
function placesWithAnswers(
  log: SqliteLog,
  { from, to }: Span,
  ids: ReadonlySet<string>,
): readonly Seq[] {
  const changed = Array.from({ length: to - from }, (_, index) => from + index)
  return [...changed, ...answersFrom(log, to, ids)]
}

/** The calls with these ids that have no result before the changed messages, oldest first. */
function callsKnownAt(
  log: SqliteLog,
  changed: Span,
  ids: ReadonlySet<string>,
): readonly UnansweredCall[] {
  const answered = placesWithAnswers(log, changed, ids)
    .flatMap((seq) => answeredOf(cellsAt(log, seq, 'answered')?.['answered']))
    .filter(({ callId }) => ids.has(callId))
    .map(({ callId, callSeq }) => ({ callId, seq: callSeq }))
  return [...unansweredOf(log, ids), ...answered].sort((left, right) => left.seq - right.seq)
}

/** Returns the calls that the message answers. */
function replayMessage(
  log: SqliteLog,
  seq: Seq,
  { ids, open }: Pick<ChangedCalls, 'ids'> & { readonly open: OpenCalls },
): readonly string[] {
  const found = cellsAt(log, seq, `body, ${messageHashCells}`) ?? {}
  const { parts } = bodyCells(found, `message ${seq}`)
  for (const callId of callsOf(parts)) if (ids.has(callId)) open.add({ callId, seq })
  const oldPlaces = new Map(
    answeredOf(found['answered']).map(({ callId, callSeq }) => [callId, callSeq]),
  )
  const answered: PlacedEntry['answered'][number][] = []
  const marks: Mark[] = isRemoved({ marks: marksOf(found['marks']) }) ? [removedMark] : []
  const answers = answersOf(parts)
  for (const callId of answers) {
    const callSeq = ids.has(callId) ? open.answer(callId) : oldPlaces.get(callId)
    if (callSeq === undefined) marks.push({ kind: 'orphan-result', callId })
    else answered.push({ callId, callSeq })
  }
  const cells = { marks: encodeList(marks), answered: encodeList(answered) }
  updateMessage(log, seq, { ...cells, row_hash: messageRowHash({ ...found, ...cells }) })
  return answers
}
