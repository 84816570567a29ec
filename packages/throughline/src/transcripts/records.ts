/** Records of a file that has one on each line, parsed, with their exact text. */
import type { JsonObject } from '../domain/json.ts'
import { isJsonObject } from './json/json-access.ts'
import { parseRaw } from './json/raw-json.ts'
import type { JsonElement } from './json/scan-event.ts'
import { chooseRecords, type ReaderInput, scanSource } from './json/scan-source.ts'
import type { TranscriptProblem } from './transcript.ts'

export interface TranscriptRecord {
  readonly kind: 'record'
  readonly value: JsonObject
  readonly text: string
  readonly line: number
}

export async function* readRecords(
  input: ReaderInput,
): AsyncGenerator<TranscriptRecord | TranscriptProblem> {
  for await (const event of scanSource({ ...input, layout: 'lines' }, chooseRecords))
    if (event.kind === 'problem') yield event
    // What breaks off was reported where it broke off.
    else if (event.complete) yield recordOf(event)
}

function recordOf(element: JsonElement): TranscriptRecord | TranscriptProblem {
  const { text, line } = element
  const parsed = parseRaw(element)
  if (parsed === null) return { kind: 'problem', line, reason: 'the record is not valid JSON' }
  if (!isJsonObject(parsed.value))
    return { kind: 'problem', line, reason: 'the record is not a JSON object' }
  return { kind: 'record', value: parsed.value, text, line }
}
