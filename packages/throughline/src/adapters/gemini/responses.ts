/**
 * What a function gave. The service wants an object: `output` holds a text, `error` the
 * text of a failure, by its own convention; any other object is JSON to us.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ToolOutput, ToolResultPart } from '../../domain/message.ts'
import type {
  FileInput,
  OpaqueInput,
  TextInput,
  ToolOutputInput,
} from '../../domain/message-input.ts'
import { noteOf } from '../notes.ts'
import { outputText } from '../plain-text.ts'
import type { Files } from '../stored-bytes.ts'
import { type Fields, isFields, jsonTextOf, ownBlock, parsedJson } from '../unknown-json.ts'
import { mediaPart, readMedia } from './media.ts'
import { isShownPart } from './part-rules.ts'

export interface OutputReading {
  readonly output: ToolOutputInput
  readonly isError: boolean
}

export function readOutput(response: unknown, parts: readonly unknown[]): OutputReading {
  const words = wordsIn(response)
  const isError = words?.field === 'error'
  if (parts.length === 0) {
    if (words === null) return { output: { kind: 'json', json: jsonTextOf(response) }, isError }
    return { output: { kind: 'text', text: words.text }, isError }
  }
  const first: TextInput = {
    type: 'text',
    text: words?.text ?? jsonTextOf(response),
    metadata: { google: { response: words === null ? 'json' : 'text' } },
  }
  return { output: { kind: 'parts', parts: [first, ...parts.map(readShown)] }, isError }
}

function wordsIn(response: unknown): { readonly field: string; readonly text: string } | null {
  const [entry, more] = isFields(response) ? Object.entries(response) : []
  if (entry === undefined || more !== undefined) return null
  const [field, text] = entry
  return (field === 'output' || field === 'error') && typeof text === 'string'
    ? { field, text }
    : null
}

function readShown(part: unknown): FileInput | OpaqueInput {
  const file = isFields(part) ? readMedia(part) : null
  return file ?? { type: 'opaque', kind: 'google/functionResponsePart', json: jsonTextOf(part) }
}

type Shown = Extract<ToolOutput, { readonly kind: 'parts' }>['parts']

/** The fields of a response that hold what the function gave. */
export function outputFields({ output, isError }: ToolResultPart, files: Files): JsonObject {
  if (output.kind !== 'parts') return { response: responseOf(output, isError) }
  const [first, ...shown] = output.parts
  const note = first?.type === 'text' ? noteOf(first.metadata, 'google')['response'] : undefined
  // Files of other providers are told in words: older models take none here.
  if (first?.type !== 'text' || (note !== 'json' && note !== 'text'))
    return { response: responseOf(output, isError) }
  const said: ToolOutput =
    note === 'json' ? { kind: 'json', json: first.text } : { kind: 'text', text: first.text }
  const parts = shownParts(shown, files)
  return { response: responseOf(said, isError), ...(parts.length === 0 ? {} : { parts }) }
}

function responseOf(output: ToolOutput, isError: boolean): JsonObject {
  const value: JsonValue =
    output.kind === 'json' ? (parsedJson(output.json) ?? output.json) : outputText(output)
  if (isError) return { error: value }
  return isFields(value) ? (value as JsonObject) : { output: value }
}

function shownParts(parts: Shown, files: Files): readonly JsonObject[] {
  return parts.flatMap((part): readonly JsonObject[] => {
    const written = part.type === 'file' ? mediaPart(part, files) : ownShown(part)
    return written === null ? [] : [written]
  })
}

function ownShown(part: Shown[number]): JsonObject | null {
  if (part.type !== 'opaque' || part.kind !== 'google/functionResponsePart') return null
  const value = ownBlock(part, 'google')
  // What is not a part for a response would cost the response, and the call with it.
  return value !== null && isShownPart(value) ? value : null
}

/** Of a response: what its own fields hold besides. */
export function otherFields(inner: Fields): JsonObject {
  const { id: _, name: __, response: ___, ...rest } = inner
  // An empty list would be lost among the parts of our own.
  const { parts, ...others } = rest
  return (Array.isArray(parts) && parts.length > 0 ? others : rest) as JsonObject
}
