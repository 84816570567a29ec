/** Records of a file, parsed, with their exact text. */
import type { JsonObject } from '../index.ts'
import { isJsonObject } from './json/json-access.ts'
import type { JsonPath } from './json/json-path.ts'
import { parseRaw } from './json/raw-json.ts'
import type { JsonElement } from './json/scan-event.ts'
import { chooseRecords, type ReaderInput, scanSource } from './json/scan-source.ts'
import type { TranscriptProblem } from './transcript.ts'

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
export async function* readListedRecords(
  input: ReaderInput,
): AsyncGenerator<TranscriptRecord | TranscriptProblem> {
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    // What breaks off was reported where it broke off.
    else if (event.complete) yield recordOf(event)
}

function recordOf(element: JsonElement): TranscriptRecord | TranscriptProblem {
  const { text, line, path, root } = element
  const parsed = parseRaw(element)
  if (parsed === null) return { kind: 'problem', line, reason: 'the record is not valid JSON' }
  if (!isJsonObject(parsed.value))
    return { kind: 'problem', line, reason: 'the record is not a JSON object' }
  return { kind: 'record', value: parsed.value, text, line, path, root }
}
