/**
 * Messages that are elements of a document: each element parsed, handed to `read`,
 * and put together with its key and its exact text. What cannot be read is a problem
 * with the place and line where it stands.
 */
import type { JsonObject, MessageInput } from '../../index.ts'
import type { ReportedUsage, TranscriptMessage, TranscriptProblem } from '../transcript.ts'
import { isJsonObject } from './json-access.ts'
import { parseRaw, type RawJson } from './raw-json.ts'

export interface ElementSpeech {
  readonly speech: Omit<MessageInput, 'key' | 'raw'>
  readonly usage?: ReportedUsage | null
  readonly model?: string | null
}

interface ElementPlace {
  readonly conversationId: string
  readonly key: string
  /** What the problem calls the element; the key where it says enough. */
  readonly path?: string
}

export function elementMessage(
  element: RawJson,
  place: ElementPlace,
  read: (value: JsonObject) => ElementSpeech | null,
): TranscriptMessage | TranscriptProblem | null {
  // An element that breaks off was reported where the text ended.
  if (!element.complete) return null
  const { line, text } = element
  const path = place.path ?? place.key
  const parsed = parseRaw(element)
  if (parsed === null) return { kind: 'problem', line, reason: `${path} is not valid JSON` }
  const spoken = isJsonObject(parsed.value) ? read(parsed.value) : null
  if (spoken === null)
    return { kind: 'problem', line, reason: `${path} is not a message that we know` }
  return {
    kind: 'message',
    conversationId: place.conversationId,
    message: { ...spoken.speech, key: place.key, raw: text },
    usage: spoken.usage ?? null,
    model: spoken.model ?? null,
    line,
  }
}
