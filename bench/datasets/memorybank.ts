/**
 * MemoryBank: an object of people, each with a history of days, each day a list of the person's
 * questions and the companion's answers. One conversation per person; an entry becomes two messages
 * with the exact text of its two fields.
 */
import type { Role } from '../../packages/throughline/src/index.ts'
import { metaOf } from '../../packages/throughline/src/transcripts/json/json-access.ts'
import {
  formatPath,
  type JsonElement,
} from '../../packages/throughline/src/transcripts/json/json-elements.ts'
import {
  choosePatterns,
  elementsOf,
  fieldsOf,
  parseRaw,
  type RawJson,
  valueIn,
} from '../../packages/throughline/src/transcripts/json/raw-json.ts'
import {
  type ReaderInput,
  scanSource,
} from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { UniqueNames } from '../../packages/throughline/src/transcripts/names.ts'
import { timeOf } from '../../packages/throughline/src/transcripts/times.ts'
import type { DatasetItem } from './dataset-item.ts'

interface Place {
  readonly conversationId: string
  readonly date: string
  readonly path: string
}

const speakers: readonly (readonly [field: string, role: Role])[] = [
  ['query', 'user'],
  ['response', 'assistant'],
]

export async function* readMemoryBank(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, choosePatterns(['*'])))
    if (event.kind === 'problem') yield event
    else yield* personItems(event, ids.take(String(event.path[0])))
}

function* personItems(person: JsonElement, id: string): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(person)
  yield* problems
  if (fields.size === 0) return
  const meta = metaOf({ person: valueIn(fields, 'meta_information') }) ?? null
  yield { kind: 'conversation', id, title: null, parent: null, meta }
  const history = fields.get('history')
  if (history === undefined) return
  const days = fieldsOf(history)
  for (const [date, day] of days.fields) {
    const entries = elementsOf(day)
    for (const entry of entries.elements) {
      const path = formatPath(['history', date, ...entry.path])
      yield* entryItems(entry, { conversationId: id, date, path })
    }
    yield* entries.problems
  }
  yield* days.problems
}

function* entryItems(entry: JsonElement, place: Place): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(entry)
  yield* problems
  for (const [field, role] of speakers) {
    const raw = fields.get(field)
    if (raw === undefined || raw.complete)
      yield messageItem(raw, entry.line, role, {
        ...place,
        path: `${place.path}.${field}`,
      })
  }
}

function messageItem(
  raw: RawJson | undefined,
  line: number,
  role: Role,
  { conversationId, date, path }: Place,
): DatasetItem {
  const content = parseRaw(raw)?.value
  if (raw === undefined || typeof content !== 'string')
    return { kind: 'problem', line, reason: `${path} is not a text` }
  const meta = { date }
  const message = { role, content, meta, createdAt: timeOf(date), key: path, raw: raw.text }
  return { kind: 'message', conversationId, message, usage: null, model: null, line: null }
}
