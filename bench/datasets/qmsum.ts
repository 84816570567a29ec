/**
 * QMSum: one meeting per line (or one document), turns of named people, and questions whose evidence
 * is given by the first and last turn. Skips questions about the whole meeting, which have no
 * evidence.
 */
import { span } from '../../packages/throughline/src/domain/span.ts'
import type { JsonValue, Span } from '../../packages/throughline/src/index.ts'
import { elementMessage } from '../../packages/throughline/src/transcripts/json/body-messages.ts'
import {
  isJsonList,
  plainText,
} from '../../packages/throughline/src/transcripts/json/json-access.ts'
import {
  formatPath,
  type JsonElement,
} from '../../packages/throughline/src/transcripts/json/json-elements.ts'
import {
  elementsOf,
  fieldsOf,
  noNode,
  parseRaw,
  type RawJson,
} from '../../packages/throughline/src/transcripts/json/raw-json.ts'
import {
  chooseRecords,
  type ReaderInput,
  scanSource,
} from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { UniqueNames } from '../../packages/throughline/src/transcripts/names.ts'
import type { DatasetItem } from './dataset-item.ts'
import { joinedSpans } from './evidence.ts'

export async function* readQmsum(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    else yield* meetingItems(event, ids.take(`${input.name ?? 'meeting'}-${event.root + 1}`))
}

function* meetingItems(meeting: JsonElement, id: string): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(meeting)
  yield* problems
  if (fields.size === 0) return
  yield { kind: 'conversation', id, title: null, parent: null, meta: null }
  const turns = elementsOf(fields.get('meeting_transcripts'))
  // How many messages precede each turn: fewer than turns if one cannot be read.
  const messagesBefore = [0]
  let messages = 0
  for (const turn of turns.elements) {
    const item = turnItem(turn, id)
    if (item?.kind === 'message') messages += 1
    messagesBefore.push(messages)
    if (item !== null) yield item
  }
  yield* turns.problems
  yield* questions(fields.get('specific_query_list'), id, messagesBefore)
}

function turnItem(turn: JsonElement, conversationId: string): DatasetItem | null {
  const key = `meeting_transcripts${formatPath(turn.path)}`
  return elementMessage(turn, { conversationId, key }, (value) => {
    const content = value.text('content')
    const author = value.filled('speaker') ?? undefined
    return content === null ? null : { message: { role: 'user', content, author } }
  })
}

function* questions(
  list: RawJson | undefined,
  conversationId: string,
  messagesBefore: readonly number[],
): Generator<DatasetItem> {
  const { elements, problems } = elementsOf(list)
  for (const element of elements) {
    const value = parseRaw(element) ?? noNode
    const question = value.text('query')
    if (question === null) continue
    const given = value.list('relevant_text_span').map((pair) => pair.value)
    const evidence = evidenceOf(given, messagesBefore)
    const answer = value.text('answer')
    yield { kind: 'question', conversationId, question, answer, evidence }
  }
  yield* problems
}

/** Inclusive spans of turns, written as texts: `[["12", "17"]]`. */
function evidenceOf(
  given: readonly (JsonValue | undefined)[],
  messagesBefore: readonly number[],
): readonly Span[] {
  const turns = messagesBefore.length - 1
  const spans: Span[] = []
  for (const pair of given) {
    const [one, other] = isJsonList(pair) ? [turnOf(pair[0]), turnOf(pair[1] ?? pair[0])] : []
    if (one === undefined || other === undefined) continue
    const from = messagesBefore[Math.max(0, Math.min(one, other))]
    const to = messagesBefore[Math.min(turns, Math.max(one, other) + 1)]
    if (from !== undefined && to !== undefined && from < to) spans.push(span(from, to))
  }
  return joinedSpans(spans)
}

function turnOf(value: JsonValue | undefined): number | undefined {
  const turn = Number(plainText(value)?.trim() || Number.NaN)
  return Number.isSafeInteger(turn) ? turn : undefined
}
