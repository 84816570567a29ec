/**
 * Updates answers and marks after messages have changed. Only messages with a call or a result of
 * a changed id can differ, so the rest of the log is not read.
 */
import type { Message, Seq } from 'throughline'
import {
  type AsyncRewrittenLog,
  answersOf,
  callsOf,
  decodeBody,
  isRemoved,
  type PlacedEntry,
  removedMark,
} from 'throughline/stores'
import {
  answeredOf,
  answersFrom,
  replaceUnanswered,
  type UnansweredCall,
  unansweredOf,
} from './calls.ts'
import { encodeList } from './cells.ts'
import { cellsAt, marksOf, updateMessage } from './read.ts'
import type { ConversationRow, Log } from './rows.ts'

type ChangedCalls = NonNullable<Parameters<AsyncRewrittenLog['replay']>[1]>
type Span = { readonly from: Seq; readonly to: Seq }

/** See `RewrittenLog.replay`. */
export async function replayCalls(
  row: ConversationRow,
  changed: Span,
  { calls, ids }: ChangedCalls,
): Promise<readonly Seq[]> {
  const { fork } = row
  // Before its first own message, only the source knows which calls have no result.
  const owner = fork !== null && changed.from === fork.at ? { ...row, pk: fork.pk } : row
  const open = new OpenCalls()
  for (const call of await callsKnownAt(owner, changed, ids))
    if (call.seq < changed.from) open.add(call)
  const answering: Seq[] = []
  const readPlaces = new Set(await placesWithAnswers(row, changed, ids))
  const later = Map.groupBy(await callsKnownAt(row, changed, ids), ({ seq }) => seq)
  const places = new Set([...readPlaces, ...[...later.keys()].filter((seq) => seq >= changed.to)])
  for (const seq of [...places].sort((left, right) => left - right)) {
    if (readPlaces.has(seq)) {
      const answered = await replayMessage(row, seq, { ids, open })
      if (answered.some((callId) => calls.has(callId))) answering.push(seq)
    } else for (const call of later.get(seq) ?? []) open.add(call)
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
async function placesWithAnswers(
  log: Log,
  { from, to }: Span,
  ids: ReadonlySet<string>,
): Promise<readonly Seq[]> {
  const changed = Array.from({ length: to - from }, (_, index) => from + index)
  return [...changed, ...(await answersFrom(log, to, ids))]
}

/** The calls with these ids that have no result before the changed messages, oldest first. */
async function callsKnownAt(
  log: Log,
  changed: Span,
  ids: ReadonlySet<string>,
): Promise<readonly UnansweredCall[]> {
  const known = [...(await unansweredOf(log, ids))]
  for (const seq of await placesWithAnswers(log, changed, ids))
    for (const { callId, callSeq } of answeredOf(
      (await cellsAt(log, seq, 'answered'))?.['answered'],
    ))
      if (ids.has(callId)) known.push({ callId, seq: callSeq })
  return known.sort((left, right) => left.seq - right.seq)
}

/** Returns the calls that the message answers. */
async function replayMessage(
  log: Log,
  seq: Seq,
  { ids, open }: Pick<ChangedCalls, 'ids'> & { readonly open: OpenCalls },
): Promise<readonly string[]> {
  const found = (await cellsAt(log, seq, 'body, answered, marks')) ?? {}
  const { parts } = decodeBody(found['body'] as string, null)
  for (const callId of callsOf(parts)) if (ids.has(callId)) open.add({ callId, seq })
  const oldPlaces = new Map(
    answeredOf(found['answered']).map(({ callId, callSeq }) => [callId, callSeq]),
  )
  const answered: PlacedEntry['answered'][number][] = []
  const marks: Message['marks'][number][] = isRemoved({ marks: marksOf(found['marks']) })
    ? [removedMark]
    : []
  const answers = answersOf(parts)
  for (const callId of answers) {
    const callSeq = ids.has(callId) ? open.answer(callId) : oldPlaces.get(callId)
    if (callSeq === undefined) marks.push({ kind: 'orphan-result', callId })
    else answered.push({ callId, callSeq })
  }
  updateMessage(log, seq, { marks: encodeList(marks), answered: encodeList(answered) })
  return answers
}
