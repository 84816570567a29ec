/**
 * LongMemEval: a haystack of chat sessions and questions about a few of them. Each entry is one
 * conversation with its sessions in order. The evidence of a question is the messages marked
 * `has_answer` in its sessions, or whole sessions if none is marked.
 */
import type { JsonValue } from '../../packages/throughline/src/index.ts'
import { elementMessage } from '../../packages/throughline/src/transcripts/json/body-messages.ts'
import {
  isJsonList,
  metaOf,
  plainText,
} from '../../packages/throughline/src/transcripts/json/json-access.ts'
import {
  formatPath,
  type JsonElement,
} from '../../packages/throughline/src/transcripts/json/json-elements.ts'
import {
  elementsOf,
  fieldsOf,
  type RawFields,
  valueIn,
} from '../../packages/throughline/src/transcripts/json/raw-json.ts'
import {
  chooseRecords,
  type ReaderInput,
  scanSource,
} from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { UniqueNames } from '../../packages/throughline/src/transcripts/names.ts'
import { timeOf } from '../../packages/throughline/src/transcripts/times.ts'
import type { DatasetItem } from './dataset-item.ts'
import { spansOf } from './evidence.ts'

type Fields = RawFields['fields']

interface Session {
  readonly id: JsonValue | undefined
  readonly date: JsonValue | undefined
  readonly places: number[]
  readonly marked: number[]
}

export async function* readLongMemEval(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    else yield* entryItems(event, ids, input.name ?? 'haystack')
}

function* entryItems(entry: JsonElement, ids: UniqueNames, name: string): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(entry)
  yield* problems
  if (fields.size === 0) return
  const given = valueIn(fields, 'question_id')
  const id = ids.take(typeof given === 'string' && given !== '' ? given : name)
  const meta = metaOf({
    questionType: valueIn(fields, 'question_type'),
    questionDate: valueIn(fields, 'question_date'),
  })
  yield { kind: 'conversation', id, title: null, parent: null, meta: meta ?? null }
  const sessions: Session[] = []
  const haystack = elementsOf(fields.get('haystack_sessions'))
  const sessionIds = listIn(fields, 'haystack_session_ids')
  const dates = listIn(fields, 'haystack_dates')
  let place = 0
  for (const [index, raw] of haystack.elements.entries()) {
    const session = { id: sessionIds[index], date: dates[index], places: [], marked: [] }
    sessions.push(session)
    place = yield* sessionItems(raw, session, { id, place })
  }
  yield* haystack.problems
  yield* questions(fields, id, sessions)
}

/** Returns the position after the last message of the session. */
function* sessionItems(
  raw: JsonElement,
  session: Session,
  from: { readonly id: string; readonly place: number },
): Generator<DatasetItem, number> {
  const { elements, problems } = elementsOf(raw)
  let place = from.place
  for (const element of elements) {
    const key = `haystack_sessions${formatPath([...raw.path, ...element.path])}`
    let marked = false
    const item = elementMessage(element, { conversationId: from.id, key }, (value) => {
      const content = value.text('content')
      const role = value.text('role')
      if (content === null || (role !== 'user' && role !== 'assistant' && role !== 'system'))
        return null
      marked = value.get('has_answer') === true
      const meta = metaOf({ session: session.id, date: session.date })
      return { message: { role, content, createdAt: timeOf(session.date), meta } }
    })
    if (item !== null) yield item
    if (item?.kind !== 'message') continue
    session.places.push(place)
    if (marked) session.marked.push(place)
    place += 1
  }
  yield* problems
  return place
}

/** One question with one answer, or lists of them; sessions are a list or a list of lists. */
function* questions(
  fields: Fields,
  conversationId: string,
  sessions: readonly Session[],
): Generator<DatasetItem> {
  const several = listIn(fields, 'questions')
  const asked = several.length > 0 ? several : [valueIn(fields, 'question')]
  const answers = listIn(fields, 'answers')
  const sources = listIn(fields, 'answer_session_ids')
  const perQuestion = sources.some(isJsonList)
  for (const [index, question] of asked.entries()) {
    if (typeof question !== 'string') continue
    const own = perQuestion ? sources[index] : sources
    const wanted = new Set(isJsonList(own) ? own : [])
    const evidence = spansOf(sessions.flatMap((session) => evidenceIn(session, wanted)))
    const answer = plainText(several.length > 0 ? answers[index] : valueIn(fields, 'answer'))
    yield { kind: 'question', conversationId, question, answer, evidence }
  }
}

function evidenceIn(session: Session, wanted: ReadonlySet<JsonValue>): readonly number[] {
  if (session.id === undefined || !wanted.has(session.id)) return []
  return session.marked.length > 0 ? session.marked : session.places
}

function listIn(fields: Fields, key: string): readonly JsonValue[] {
  const value = valueIn(fields, key)
  return isJsonList(value) ? value : []
}
