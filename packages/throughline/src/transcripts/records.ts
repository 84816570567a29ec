/** Records of a file, parsed, with their exact text. */

import type { JsonObject } from '../index.ts'
import { isJsonObject } from './json/json-access.ts'
import type { JsonElement, JsonPath } from './json/json-elements.ts'
import { parseRaw } from './json/raw-json.ts'
import { chooseRecords, type ReaderInput, readElements } from './json/scan-source.ts'
import { UniqueNames } from './names.ts'
import {
  problemItem,
  type TranscriptConversation,
  type TranscriptItem,
  type TranscriptProblem,
} from './transcript.ts'

export interface TranscriptRecord {
  readonly kind: 'record'
  readonly value: JsonObject
  readonly text: string
  readonly line: number
  /** Where it stands in the document; empty where it is the document. */
  readonly path: JsonPath
  /** Of which document of the file, from 0. */
  readonly root: number
}

/** Of a file that has one on each line, whatever it looks like. */
export function readRecords(
  input: ReaderInput,
): AsyncGenerator<TranscriptRecord | TranscriptProblem> {
  return readListedRecords({ ...input, layout: 'lines' })
}

/** Of a file that has one on each line, or lists of them. */
export function readListedRecords(
  input: ReaderInput,
): AsyncGenerator<TranscriptRecord | TranscriptProblem> {
  return readElements(input, chooseRecords, (element) => [recordOf(element)])
}

function recordOf(element: JsonElement): TranscriptRecord | TranscriptProblem {
  const { text, line, path, root } = element
  const parsed = parseRaw(element)
  if (parsed === null) return problemItem(line, 'the record is not valid JSON')
  if (!isJsonObject(parsed.value)) return problemItem(line, 'the record is not a JSON object')
  return { kind: 'record', value: parsed.value, text, line, path, root }
}

/**
 * Files in which a record begins a conversation, and those behind it are what it holds. Where the
 * first of them comes without such a beginning, the conversation is named after the file.
 */
interface HeadedFormat {
  /** For a file without a name. */
  readonly fallbackName: string
  isHeader(value: JsonObject): boolean
  /** What is neither header nor item is passed over. */
  isItem(value: JsonObject): boolean
  conversationOf(header: JsonObject, ids: UniqueNames, name: string): TranscriptConversation
  itemOf(record: TranscriptRecord, conversationId: string): TranscriptItem
}

export async function* readHeadedRecords(
  input: ReaderInput,
  { fallbackName, isHeader, isItem, conversationOf, itemOf }: HeadedFormat,
): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  let conversation: TranscriptConversation | null = null
  for await (const record of readRecords(input)) {
    if (record.kind === 'problem') {
      yield record
      continue
    }
    const [begins, holds] = [isHeader(record.value), isItem(record.value)]
    if (begins || (conversation === null && holds)) {
      conversation = conversationOf(begins ? record.value : {}, ids, input.name ?? fallbackName)
      yield conversation
    }
    if (conversation !== null && holds) yield itemOf(record, conversation.id)
  }
}
