/**
 * LoCoMo: two people who talk over many sessions, and questions whose evidence is given by turn ids.
 * Both are people, so both are users with a name. A shared picture is known only by its caption; its
 * URL is never opened.
 */
import type { JsonValue } from '../../packages/throughline/src/index.ts'
import { textPart } from '../../packages/throughline/src/transcripts/content-parts.ts'
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
  type JsonNode,
  noNode,
  parseRaw,
  type RawFields,
  type RawJson,
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

/** `D8:6`; some files have `D:11:26`, or several in one text. */
const turnIds = /D:?(\d+):(\d+)/g

interface Session {
  readonly key: string
  readonly number: number
}

interface Talk {
  readonly id: string
  readonly placeOfTurn: Map<string, number>
  place: number
}

export async function* readLocomo(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    else yield* sampleItems(event, ids, input.name ?? 'conversation')
}

function* sampleItems(sample: JsonElement, ids: UniqueNames, name: string): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(sample)
  yield* problems
  if (fields.size === 0) return
  const id = ids.take(plainText(valueIn(fields, 'sample_id')) || name)
  const conversation = fields.get('conversation')
  const inside =
    conversation === undefined ? { fields: new Map(), problems: [] } : fieldsOf(conversation)
  yield* inside.problems
  const speakers = ['speaker_a', 'speaker_b'].map((key) => valueIn(inside.fields, key))
  const meta = metaOf({ speakerA: speakers[0], speakerB: speakers[1] }) ?? null
  yield { kind: 'conversation', id, title: null, parent: null, meta }
  const talk: Talk = { id, placeOfTurn: new Map(), place: 0 }
  for (const session of sessionsOf(inside.fields)) yield* sessionItems(inside.fields, session, talk)
  yield* questions(fields.get('qa'), talk)
}

/** Sessions in numeric order, which is not always the order of the file. */
function sessionsOf(fields: Fields): readonly Session[] {
  const sessions = [...fields.keys()].flatMap((key) => {
    const digits = /^session_(\d{1,15})$/.exec(key)?.[1]
    return digits === undefined ? [] : [{ key, number: Number(digits) }]
  })
  return sessions.sort((left, right) => left.number - right.number)
}

function* sessionItems(
  fields: Fields,
  { key, number }: Session,
  talk: Talk,
): Generator<DatasetItem> {
  const date = valueIn(fields, `${key}_date_time`)
  const { elements, problems } = elementsOf(fields.get(key))
  for (const element of elements) {
    const path = `conversation.${key}${formatPath(element.path)}`
    const turn = parseRaw(element)?.filled('dia_id') ?? null
    const place = { conversationId: talk.id, key: turn ?? path, path }
    const item = elementMessage(element, place, (value) => {
      const content = turnParts(value)
      if (content === null) return null
      const author = value.filled('speaker') ?? undefined
      const meta = metaOf({ session: number, date, image: value.get('img_url') })
      return { message: { role: 'user', content, author, meta, createdAt: timeOf(date) } }
    })
    if (item !== null) yield item
    if (item?.kind !== 'message') continue
    for (const id of normalIds(turn)) talk.placeOfTurn.set(id, talk.place)
    talk.place += 1
  }
  yield* problems
}

function turnParts(value: JsonNode) {
  const text = value.text('text')
  const caption = value.filled('blip_caption')
  if (text === null && caption === null) return null
  const shared = caption === null ? [] : [textPart(`[shares a picture: ${caption}]`)]
  return text ? [textPart(text), ...shared] : shared
}

function* questions(list: RawJson | undefined, talk: Talk): Generator<DatasetItem> {
  const { elements, problems } = elementsOf(list)
  for (const element of elements) {
    const value = parseRaw(element) ?? noNode
    const question = value.text('question')
    if (question === null) continue
    const given = value.get('answer') ?? value.get('adversarial_answer')
    const answer = plainText(given)
    const evidence = spansOf(placesOf(value.get('evidence'), talk))
    yield { kind: 'question', conversationId: talk.id, question, answer, evidence }
  }
  yield* problems
}

/** Skips ids without a turn: some files name turns that do not exist. */
function placesOf(evidence: JsonValue | undefined, talk: Talk): readonly number[] {
  const texts = isJsonList(evidence) ? evidence : [evidence]
  const ids = texts.flatMap((text) => (typeof text === 'string' ? normalIds(text) : []))
  return ids.flatMap((id) => talk.placeOfTurn.get(id) ?? [])
}

function normalIds(text: string | null): readonly string[] {
  return [...(text ?? '').matchAll(turnIds)].map(
    ([, session, turn]) => `${Number(session)}:${Number(turn)}`,
  )
}
