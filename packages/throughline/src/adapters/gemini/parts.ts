/**
 * Parts of ours as parts of the Gemini API. What another provider sealed is left out
 * whole; what the service has no part for is put into words.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type {
  OpaquePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/message.ts'
import { noteOf } from '../notes.ts'
import type { Side, Turn, TurnItem } from '../paired-turns.ts'
import { safeName } from '../safe-name.ts'
import type { Files } from '../stored-bytes.ts'
import { inputObject, isFields, ownBlock, parsedJson } from '../unknown-json.ts'
import { applicationNote, wordsOf } from '../words.ts'
import { mediaPart } from './media.ts'
import { dataField, notedInner, notedSideFields, sealOf } from './part-fields.ts'
import { isSignature, nameRule, partProblems } from './part-rules.ts'
import { outputFields } from './responses.ts'

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
    const item = itemOf(part, role, from, files)
    const sound = item !== null && partProblems(item.block.part, role, '').length === 0
    return sound ? [item] : []
  })
  return { side, items: side === 'user' ? withAuthor(items, message.author) : items }
}

function itemOf(
  part: Part,
  role: 'model' | 'user',
  from: number,
  files: Files,
): TurnItem<DraftPart> | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return said(textPart(part), from)
    case 'file': {
      const media = role === 'model' ? ownFile(part, files) : mediaPart(part, files)
      return said(media ?? textPart(part), from)
    }
    case 'reasoning':
      return role === 'model' ? said(thoughtPart(part), from) : null
    case 'tool-call':
      return role === 'model' ? callItem(part, from) : null
    case 'tool-result':
      return responseItem(part, from, files)
    case 'opaque':
      return said(ownPart(part), from)
  }
}

/** Only what the model drew itself stands in its own contents. */
function ownFile(part: Extract<Part, { readonly type: 'file' }>, files: Files): JsonObject | null {
  return noteOf(part.metadata, 'google')['own'] === true ? mediaPart(part, files) : null
}

function said(part: JsonObject | null, from: number): TurnItem<DraftPart> | null {
  if (part === null) return null
  return { block: { part, own: false, anonymous: false }, from, call: null, result: null }
}

function textPart(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null) return null
  if (part.type !== 'text') return { text }
  return signed({ ...notedSideFields(noteOf(part.metadata, 'google')), text }, part)
}

/** A signature goes back on the part that it was given for, and on no other. */
function signed(part: JsonObject | null, { metadata }: { readonly metadata: JsonObject | null }) {
  const thoughtSignature = sealOf(metadata)
  const { text } = part ?? {}
  const changed = typeof text === 'string' && !text.isWellFormed()
  return part === null || changed || !isSignature(thoughtSignature)
    ? part
    : { ...part, thoughtSignature }
}

/** Thoughts of this service alone. */
function thoughtPart({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  const own = isFields(metadata?.['google'])
  const seal = (own ? signature : null) ?? sealOf(metadata)
  if (!text.isWellFormed() || (seal === undefined && !own)) return null
  if (seal !== undefined && !isSignature(seal)) return null
  const note = noteOf(metadata, 'google')
  const part = { ...notedSideFields(note), text, thought: true }
  return seal === undefined ? part : { ...part, thoughtSignature: seal }
}

function callItem(call: ToolCallPart, from: number): TurnItem<DraftPart> {
  const note = noteOf(call.metadata, 'google')
  const name = safeName(call.name, nameRule)
  const changed = name !== call.name || !isFields(parsedJson(call.input))
  const own = note['own'] === true && !changed
  const functionCall = {
    ...notedInner(note),
    ...(note['id'] === false ? {} : { id: safeName(call.callId, idRule) }),
    name,
    ...(note['args'] === false && call.input === '{}' ? {} : { args: inputObject(call.input) }),
  }
  const part = { ...notedSideFields(note), functionCall }
  return {
    block: { part: changed ? part : (signed(part, call) ?? part), own, anonymous: false },
    from,
    call: call.callId,
    result: null,
  }
}

/** The name is the call's, and the id is written where the call has one: both come later. */
function responseItem(result: ToolResultPart, from: number, files: Files): TurnItem<DraftPart> {
  const note = noteOf(result.metadata, 'google')
  const functionResponse = { ...notedInner(note), name: 'unknown', ...outputFields(result, files) }
  const part = { ...notedSideFields(note), functionResponse }
  return {
    block: { part: signed(part, result) ?? part, own: false, anonymous: note['id'] === false },
    from,
    call: null,
    result: result.callId,
  }
}

/** Null for a part of another provider, and for calls and responses: they are never sealed. */
function ownPart(opaque: OpaquePart): JsonObject | null {
  const part = ownBlock(opaque, 'google')
  const field = part === null ? null : dataField(part)
  return field === 'functionCall' || field === 'functionResponse' ? null : part
}

/** The service knows no names of speakers. Who spoke stands before what was said. */
function withAuthor(
  items: readonly TurnItem<DraftPart>[],
  author: string | null,
): readonly TurnItem<DraftPart>[] {
  const first = items.findIndex(({ block }) => typeof block.part['text'] === 'string')
  if (author === null || author.trim() === '' || first < 0) return items
  return items.map((item, index) => {
    if (index !== first) return item
    const { thoughtSignature: _, ...part } = item.block.part
    return {
      ...item,
      block: { ...item.block, part: { ...part, text: `${author}: ${part['text']}` } },
    }
  })
}
