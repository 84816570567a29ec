/**
 * QMSum: one meeting a line (or one document), turns of named people, and questions
 * whose evidence is given by the first and last turn. Questions about the whole meeting
 * have no evidence and are passed over.
 */
import type { Span } from '../domain/span.ts'
import { elementMessage } from './element-messages.ts'
import { spansOf } from './evidence.ts'
import { filledTextOf, isJsonList, listOf, textOf } from './json-access.ts'
import { formatPath } from './json-path.ts'
import { elementsOf, fieldsOf, parseRaw, type RawJson } from './raw-json.ts'
import type { JsonElement } from './scan-event.ts'
import { chooseRecords, type ReaderInput, scanSource } from './scan-source.ts'
import type { TranscriptItem } from './transcript.ts'
import { UniqueNames } from './unique-names.ts'

export async function* readQmsum(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    else yield* meetingItems(event, ids.take(`${input.name ?? 'meeting'}-${event.root + 1}`))
}

function* meetingItems(meeting: JsonElement, id: string): Generator<TranscriptItem> {
  const { fields, problems } = fieldsOf(meeting)
  yield* problems
  if (fields.size === 0) return
  yield { kind: 'conversation', id, title: null, parent: null, meta: null }
  const turns = elementsOf(fields.get('meeting_transcripts'))
  // The place of each turn among the messages that could be read.
  const places: (number | null)[] = []
  let place = 0
  for (const turn of turns.elements) {
    const item = turnItem(turn, id)
    places.push(item?.kind === 'message' ? place : null)
    if (item?.kind === 'message') place += 1
    if (item !== null) yield item
  }
  yield* turns.problems
  yield* questions(fields.get('specific_query_list'), id, places)
}

function turnItem(turn: JsonElement, conversationId: string): TranscriptItem | null {
  const key = `meeting_transcripts${formatPath(turn.path)}`
  return elementMessage(turn, { conversationId, key }, (value) => {
    const content = textOf(value, 'content')
    const author = filledTextOf(value, 'speaker') ?? undefined
    return content === null ? null : { speech: { role: 'user', content, author } }
  })
}

function* questions(
  list: RawJson | undefined,
  conversationId: string,
  places: readonly (number | null)[],
): Generator<TranscriptItem> {
  const { elements, problems } = elementsOf(list)
  for (const element of elements) {
    const value = parseRaw(element)?.value
    const question = textOf(value, 'query')
    if (question === null) continue
    const evidence = evidenceOf(listOf(value, 'relevant_text_span'), places)
    const answer = textOf(value, 'answer')
    yield { kind: 'question', conversationId, question, answer, evidence }
  }
  yield* problems
}

/** Spans of turns, both ends in them, written as texts: `[["12", "17"]]`. */
function evidenceOf(
  given: ReturnType<typeof listOf>,
  places: readonly (number | null)[],
): readonly Span[] {
  const found: number[] = []
  for (const pair of given) {
    if (!isJsonList(pair)) continue
    const ends = [Number(pair[0]), Number(pair[1] ?? pair[0])]
    if (!ends.every(Number.isSafeInteger)) continue
    const turns = places.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1)
    found.push(...turns.filter((place) => place !== null))
  }
  return spansOf(found)
}
