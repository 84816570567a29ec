/** Records of a file, parsed, with their exact text. */
import type { JsonElement, JsonPath } from './json/json-elements.ts'
import { type JsonNode, noNode, parseRaw } from './json/raw-json.ts'
import { chooseRecords, type ReaderInput, readElements } from './json/scan-source.ts'
import { UniqueNames } from './names.ts'
import {
  type ConversationFields,
  conversationItem,
  problemItem,
  type TranscriptItem,
  type TranscriptProblem,
} from './transcript.ts'

export interface TranscriptRecord {
  readonly kind: 'record'
  readonly value: JsonNode
  readonly text: string
  readonly line: number
  /** Empty where the record is the document. */
  readonly path: JsonPath
  /** The index of its document in the file, from 0. */
  readonly root: number
}

type ReadRecord = TranscriptRecord | TranscriptProblem

/** One record on each line, whatever the detected layout. */
export function readRecords(input: ReaderInput): AsyncGenerator<ReadRecord> {
  return readListedRecords({ ...input, layout: 'lines' })
}

export function readListedRecords(input: ReaderInput): AsyncGenerator<ReadRecord> {
  return readElements(input, chooseRecords, (element) => [recordOf(element)])
}

function recordOf(element: JsonElement): ReadRecord {
  const { text, line, path, root } = element
  const value = parseRaw(element)
  if (value === null) return problemItem(line, 'the record is not valid JSON')
  if (!value.isObject) return problemItem(line, 'the record is not a JSON object')
  return { kind: 'record', value, text, line, path, root }
}

/**
 * Files in which a header record begins a conversation. Items without a header are in a conversation named
 * after the file.
 */
interface HeadedFormat {
  /** For a file without a name. */
  readonly fallbackName: string
  isHeader(value: JsonNode): boolean
  /** What is neither header nor item is skipped. */
  isItem(value: JsonNode): boolean
  conversationFields(header: JsonNode): ConversationFields
  itemOf(record: TranscriptRecord, conversationId: string): TranscriptItem
}

export async function* readHeadedRecords(input: ReaderInput, format: HeadedFormat) {
  const ids = new UniqueNames()
  let id: string | null = null
  for await (const record of readRecords(input)) {
    if (record.kind === 'problem') {
      yield record
      continue
    }
    const isHeader = format.isHeader(record.value)
    const isItem = format.isItem(record.value)
    if (isHeader || (id === null && isItem)) {
      const header = isHeader ? record.value : noNode
      id = ids.take(header.filled('id') ?? input.name ?? format.fallbackName)
      yield conversationItem(id, format.conversationFields(header))
    }
    if (id !== null && isItem) yield format.itemOf(record, id)
  }
}
