/**
 * Parts of ours as parts of the Gemini API. What another provider sealed is left out
 * whole; what the service has no part for is put into words.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type {
  FilePart,
  OpaquePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import { base64Of, type Files, isWebAddress, storedBytes } from '../media.ts'
import { noteOf } from '../notes.ts'
import type { Side, Turn, TurnItem } from '../paired-turns.ts'
import { applicationNote, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { inputObject, isFields, ownBlock, parsedJson } from '../unknown-json.ts'
import { dataField, notedInner, notedSideFields, sealOf } from './part-fields.ts'
import { isShownPart, isSignature, isSoundPart, nameRule } from './rules.ts'

/** Ids have no pattern here; half surrogate pairs would be mended to one text. */
const idRule = { allowed: /^\P{Cs}+$/u, lengthMax: Number.POSITIVE_INFINITY }

/** A part on its way: ids, names and signatures are settled when its turn is known. */
export interface DraftPart {
  readonly part: JsonObject
  /** A call that was read from this service: it is sent as it came, with a signature or none. */
  readonly own: boolean
  /** The response of a call that has an id, but came without it. */
  readonly anonymous: boolean
}

export function turnOf(message: ContextMessage, from: number, files: Files): Turn<DraftPart> {
  const side: Side = message.role === 'assistant' ? 'assistant' : 'user'
  const parts = message.role === 'system' ? applicationNote(message.parts) : message.parts
  const items = parts.flatMap((part): readonly TurnItem<DraftPart>[] => {
    // A result in the model's own message, where other providers leave it, is moved later.
    const role = side === 'assistant' && part.type !== 'tool-result' ? 'model' : 'user'
    const written = writePart(part, role, files)
    if (written === null || !isSoundPart(written, role)) return []
    const note = noteOf(part.metadata, 'google')
    const block = {
      part: written,
      own: part.type === 'tool-call' && note['own'] === true && isUnchanged(part),
      anonymous: part.type === 'tool-result' && note['id'] === false,
    }
    const call = part.type === 'tool-call' ? part.callId : null
    return [{ block, from, call, result: part.type === 'tool-result' ? part.callId : null }]
  })
  return { side, items: side === 'user' ? withAuthor(items, message.author) : items }
}

function writePart(part: Part, role: 'model' | 'user', files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textPart(part)
    case 'file': {
      // Only what the model drew itself stands in its own contents.
      const shown = role === 'user' || noteOf(part.metadata, 'google')['own'] === true
      return (shown ? mediaPart(part, files) : null) ?? textPart(part)
    }
    case 'reasoning':
      return role === 'model' ? thoughtPart(part) : null
    case 'tool-call':
      return role === 'model' ? callPart(part) : null
    case 'tool-result':
      return responsePart(part, files)
    case 'opaque':
      return ownPart(part)
  }
}

function textPart(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null) return null
  if (part.type !== 'text') return { text }
  const written = { ...notedSideFields(noteOf(part.metadata, 'google')), text }
  return text.isWellFormed() ? signed(written, part) : written
}

/** A signature goes back on the part that it was given for, and on no other. */
function signed(part: JsonObject, { metadata }: Pick<Part, 'metadata'>): JsonObject {
  const thoughtSignature = sealOf(metadata)
  return isSignature(thoughtSignature) ? { ...part, thoughtSignature } : part
}

/** Thoughts of this service alone. */
function thoughtPart({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  const own = isFields(metadata?.['google'])
  const seal = (own ? signature : null) ?? sealOf(metadata)
  if (!text.isWellFormed() || (seal === undefined && !own)) return null
  if (seal !== undefined && !isSignature(seal)) return null
  const part = { ...notedSideFields(noteOf(metadata, 'google')), text, thought: true }
  return seal === undefined ? part : { ...part, thoughtSignature: seal }
}

function isUnchanged({ name, input }: ToolCallPart): boolean {
  return safeName(name, nameRule) === name && isFields(parsedJson(input))
}

function callPart(call: ToolCallPart): JsonObject {
  const note = noteOf(call.metadata, 'google')
  const functionCall = {
    ...notedInner(note),
    ...(note['id'] === false ? {} : { id: safeName(call.callId, idRule) }),
    name: safeName(call.name, nameRule),
    ...(note['args'] === false && call.input === '{}' ? {} : { args: inputObject(call.input) }),
  }
  const part = { ...notedSideFields(note), functionCall }
  return isUnchanged(call) ? signed(part, call) : part
}

/** The name is the call's, and the id is written where the call has one: both come later. */
function responsePart(result: ToolResultPart, files: Files): JsonObject {
  const note = noteOf(result.metadata, 'google')
  const functionResponse = { ...notedInner(note), name: 'unknown', ...outputFields(result, files) }
  return signed({ ...notedSideFields(note), functionResponse }, result)
}

/** The fields of a response that hold what the function gave. */
function outputFields({ output, isError }: ToolResultPart, files: Files): JsonObject {
  if (output.kind !== 'parts') return { response: responseOf(output, isError) }
  const [first, ...shown] = output.parts
  const note = first?.type === 'text' ? noteOf(first.metadata, 'google')['response'] : undefined
  // Files of other providers are put into words: older models take none here.
  if (first?.type !== 'text' || (note !== 'json' && note !== 'text'))
    return { response: responseOf(output, isError) }
  const said: ToolOutput =
    note === 'json' ? { kind: 'json', json: first.text } : { kind: 'text', text: first.text }
  const parts = shown.flatMap((part) => shownPart(part, files) ?? [])
  return { response: responseOf(said, isError), ...(parts.length === 0 ? {} : { parts }) }
}

function responseOf(output: ToolOutput, isError: boolean): JsonObject {
  const value: JsonValue =
    output.kind === 'json' ? (parsedJson(output.json) ?? output.json) : outputText(output)
  if (isError) return { error: value }
  return isFields(value) ? (value as JsonObject) : { output: value }
}

function shownPart(part: OutputPart, files: Files): JsonObject | null {
  if (part.type === 'file') return mediaPart(part, files)
  if (part.type !== 'opaque' || part.kind !== 'google/functionResponsePart') return null
  const value = ownBlock(part, 'google')
  // What is not a part for a response would cost the response, and the call with it.
  return value !== null && isShownPart(value) ? value : null
}

/** Null for a part of another provider, and for calls and responses: they are never sealed. */
function ownPart(opaque: OpaquePart): JsonObject | null {
  const part = ownBlock(opaque, 'google')
  const field = part === null ? null : dataField(part)
  return field === 'functionCall' || field === 'functionResponse' ? null : part
}

/** Null for a file that the service does not take. */
function mediaPart({ mediaType, source, metadata }: FilePart, files: Files): JsonObject | null {
  const note = noteOf(metadata, 'google')
  const own = note['own'] === true
  const inner = notedInner(note)
  const { thoughtSignature } = note
  const seal = isSignature(thoughtSignature) ? { thoughtSignature } : {}
  const fields = own ? { ...notedSideFields(note), ...seal } : {}
  if (!own && !isTaken(mediaType)) return null
  const whole = !mediaType.endsWith('/*')
  if (source.kind === 'url') {
    if (!own && !isWebAddress(source.url)) return null
    const typed = whole && note['mimeType'] !== false ? { mimeType: mediaType } : {}
    return soundOrNull({ ...fields, fileData: { ...inner, ...typed, fileUri: source.url } })
  }
  const bytes = storedBytes(source, files)
  if (bytes === null || !whole) return null
  const inlineData = { ...inner, mimeType: mediaType, data: base64Of(bytes) }
  return soundOrNull({ ...fields, inlineData })
}

function soundOrNull(part: JsonObject): JsonObject | null {
  return isSoundPart(part, 'user') ? part : null
}

const pictures = /^image\/(?:png|jpeg|webp|heic|heif|\*)$/
const others = /^(?:audio|video|text)\/[a-z0-9.+-]+$/

function isTaken(mediaType: string): boolean {
  return pictures.test(mediaType) || others.test(mediaType) || mediaType === 'application/pdf'
}

/** The service knows no names of speakers. Who spoke stands before what was said. */
function withAuthor(items: readonly TurnItem<DraftPart>[], author: string | null) {
  const first = items.findIndex(({ block }) => typeof block.part['text'] === 'string')
  const item = items[first]
  if (author === null || author.trim() === '' || item === undefined) return items
  const { thoughtSignature: _, ...part } = item.block.part
  const spoken = { ...part, text: `${author}: ${part['text']}` }
  return items.with(first, { ...item, block: { ...item.block, part: spoken } })
}
