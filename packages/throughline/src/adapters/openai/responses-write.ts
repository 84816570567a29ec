/** Writes a context as a request of /v1/responses: the parts of each message become items. */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { FilePart, Part, ReasoningPart, Role, ToolResultPart } from '../../domain/message.ts'
import { type Files, storedBase64 } from '../media.ts'
import { fileText, fillerText, type OutputPart, outputText } from '../plain-text.ts'
import { isValid } from '../rules.ts'
import { type Fields, fieldsOf, filledText, otherFields, providerBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { documentType, isImage, toDataUrl } from './content.ts'
import { keptFields, plainInput, sharedDetails, wireDetails } from './extra-fields.ts'
import { audioFormats } from './names-data.ts'
import { pairedMessages, type SplitMessage } from './pairs.ts'
import type { OpenaiResponsesRequest } from './responses-request.ts'
import {
  callKey,
  checkItem,
  checkItemId,
  isInstructionItem,
  isKnownType,
  isOfModel,
  maxCallIdLength,
  outputKey,
  outputParts,
  typeOf,
  userPartRules,
} from './responses-rules.ts'
import { functionName, nullFields, safeCallId, writeTools } from './tools.ts'
import { type ContentForm, contentBlocks, opaqueBlock, shortest } from './write-content.ts'

export function writeResponses(context: Deliverable): OpenaiResponsesRequest {
  const callIds = new CallIds()
  const messages = pairedMessages(context.messages)
  const written = messages.flatMap((message) => writtenItems(message, context.files, callIds))
  const items = repairItems(written)
  const tools = writeTools(context.tools, 'responses')
  const instructions = context.system.map(({ text }) => text).join('\n\n')
  const request = {
    ...(context.system.length === 0 ? {} : { instructions }),
    input: shortInput(messages, items) ?? (items.length === 0 ? fillerText : items),
    ...(tools.length === 0 ? {} : { tools }),
  }
  // Kept fields and opaque items are untyped JSON; `problems` checks what they hold.
  return wellFormed<object>(request) as OpenaiResponsesRequest
}

/** A single user message that was read as a string is written as one. */
function shortInput(messages: readonly ContextMessage[], items: readonly Fields[]): string | null {
  const [item] = items
  const wasString = wireDetails(messages[0]?.parts[0]?.metadata, 'responses')['input'] === 'text'
  if (!wasString || items.length !== 1 || item?.['role'] !== 'user') return null
  return typeof item['content'] === 'string' ? item['content'] : null
}

/** Makes the ids of calls unique; a result gets the id of the latest call before it. */
class CallIds {
  readonly #used = new Set<string>()
  readonly #latest = new Map<string, { readonly id: string; readonly custom: boolean }>()

  ofCall(original: string, custom: boolean): string {
    let id = safeCallId(original, maxCallIdLength)
    for (let count = 2; this.#used.has(id); count += 1)
      id = safeCallId(`${original}#${count}`, maxCallIdLength)
    this.#used.add(id)
    this.#latest.set(original, { id, custom })
    return id
  }

  ofResult(original: string) {
    const id = safeCallId(original, maxCallIdLength)
    return this.#latest.get(original) ?? { id, custom: false }
  }
}

/** Parts that belong to a message item are collected; each other part becomes its own item. */
function writtenItems(message: SplitMessage, files: Files, callIds: CallIds) {
  const items: WrittenItem[] = []
  let messageParts: Part[] = []
  const flush = () => {
    const item = messageItem({ ...message, parts: messageParts }, files)
    if (item !== null) items.push({ ...item, isBesideResults: message.isBesideResults })
    messageParts = []
  }
  for (const part of message.parts) {
    const item = ownItem(part, message.role, files, callIds)
    if (item === 'part-of-message') messageParts.push(part)
    else {
      flush()
      if (item !== null) items.push(item)
    }
  }
  flush()
  return items
}

/** The item of a part; null for parts that are omitted. */
function ownItem(part: Part, role: Role, files: Files, callIds: CallIds) {
  const wire = wireDetails(part.metadata, 'responses')
  // `metadata` is untrusted: it must not change the type or role of an item.
  const kept = (...ours: string[]) =>
    keptFields(wire['item'], ['type', 'call_id', 'role', 'content', ...ours])
  switch (part.type) {
    case 'tool-call': {
      const custom = sharedDetails(part.metadata)['custom'] === true
      const type = custom ? 'custom_tool_call' : 'function_call'
      const inputField = custom ? 'input' : 'arguments'
      const item = {
        ...kept('name', inputField),
        type,
        call_id: callIds.ofCall(part.callId, custom),
        name: functionName(part.name),
        [inputField]: custom ? plainInput(part.input) : part.input,
      }
      return { item, after: wire['after'] }
    }
    case 'tool-result': {
      const { id, custom } = callIds.ofResult(part.callId)
      const type = custom ? 'custom_tool_call_output' : 'function_call_output'
      return { item: { ...kept('output'), type, call_id: id, output: outputContent(part, files) } }
    }
    case 'reasoning':
      return reasoningItem(part)
    case 'opaque': {
      const block = providerBlock(part, 'openai')
      // A block is untrusted: it gets no more authority than its message has.
      if (block === null || (isInstructionItem(block) && role !== 'system')) return null
      const isItem = wire['item'] === true || isKnownType(filledText(block['type']) ?? '')
      return isItem
        ? { item: block, after: wire['after'], isUnchangeable: true }
        : 'part-of-message'
    }
    case 'text':
    case 'file':
    case 'resource-excerpt':
    case 'attachment-ref':
      return 'part-of-message'
  }
}

function reasoningItem(part: ReasoningPart): WrittenItem | null {
  const wire = wireDetails(part.metadata, 'responses')
  if (fieldsOf(wire['item']) === null) return null
  const kept = keptFields(wire['item'], ['role'])
  const encrypted = part.signature === null ? {} : { encrypted_content: part.signature }
  const item = { ...kept, ...encrypted, type: 'reasoning' }
  return { item, next: wire['next'], isUnchangeable: true }
}

function messageItem(message: ContextMessage, files: Files): WrittenItem | null {
  const wire = wireDetails(message.parts[0]?.metadata, 'responses')
  const content = messageContent(message, files)
  if (content === null) return null
  const developer = message.role === 'system' && sharedDetails(message.meta)['role'] === 'developer'
  const role = developer ? 'developer' : message.role
  const kept = keptFields(wire['message'], ['role', 'content'])
  const fields = kept['type'] === 'message' ? kept : keptFields(kept, ['type'])
  return { item: { ...fields, role, content }, after: wire['after'] }
}

const contentForm: ContentForm = { format: 'responses', fileBlock, userPartRules }

/** Null if nothing is left. The format has no field for names, so the text starts with the author. */
function messageContent({ role, author, parts }: ContextMessage, files: Files) {
  const blocks = contentBlocks(parts, role, files, contentForm)
  const wasList = wireDetails(parts[0]?.metadata, 'responses')['content'] === 'parts'
  const textIndex = blocks.findIndex((block) => typeof block['text'] === 'string')
  const first = blocks[textIndex]
  if (role !== 'user' || author === null || first === undefined) return shortest(blocks, wasList)
  const withAuthor = { ...first, text: `${author}: ${first['text']}` }
  return shortest(blocks.with(textIndex, withAuthor), wasList)
}

function fileBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source } = part
  const wire = wireDetails(part.metadata, 'responses')
  if (wire['block'] === 'input_file' || mediaType === documentType)
    return documentBlock(part, files)
  const extra = keptFields(wire['extra'], ['type', 'image_url', 'input_audio'])
  const detail = wire['block'] === 'input_image' ? {} : { detail: 'auto' }
  if (source.kind === 'url')
    return mediaType.startsWith('image/') && !source.url.startsWith('data:')
      ? { ...detail, ...extra, type: 'input_image', image_url: source.url }
      : null
  const data = storedBase64(source, files)
  if (data === null) return null
  if (isImage(mediaType))
    return { ...detail, ...extra, type: 'input_image', image_url: toDataUrl({ mediaType, data }) }
  const format = audioFormats.get(mediaType)
  if (format === undefined) return null
  const inner = keptFields(wire['inner'], ['data', 'format'])
  return { ...extra, type: 'input_audio', input_audio: { ...inner, data, format } }
}

function documentBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source, name } = part
  const { block, extra } = wireDetails(part.metadata, 'responses')
  const fields = {
    ...keptFields(extra, ['type', 'file_data', 'file_url', 'file_id']),
    type: 'input_file',
    ...(name === null ? {} : { filename: name }),
  }
  const readAsNull = nullFields(extra, ['file_data', 'file_url', 'file_id'])
  if (source.kind === 'url') return { ...fields, ...readAsNull, file_url: source.url }
  const data = storedBase64(source, files)
  if (data === null) return null
  const defaultName = name === null && block !== 'input_file' ? { filename: 'file.pdf' } : {}
  const file_data = toDataUrl({ mediaType, data })
  return { ...fields, ...defaultName, ...readAsNull, file_data }
}

/** Results may contain images and documents here; other parts become text. */
function outputContent({ output, metadata }: ToolResultPart, files: Files) {
  if (output.kind !== 'parts') return outputText(output)
  const blocks = output.parts
    .map((part) => outputBlock(part, files))
    .filter((block) => block !== null)
  const wasList = wireDetails(metadata, 'responses')['content'] === 'parts'
  const hasMedia = blocks.some((block) => typeof block['text'] !== 'string')
  return blocks.length > 0 && (wasList || hasMedia) ? blocks : outputText(output)
}

function outputBlock(part: OutputPart, files: Files): JsonObject | null {
  if (part.type === 'opaque') return opaqueBlock(part, outputParts)
  const [block] = contentBlocks([part], 'user', files, contentForm)
  return block?.['type'] === 'input_audio' && part.type === 'file'
    ? { type: 'input_text', text: fileText(part) }
    : (block ?? null)
}

export interface WrittenItem {
  readonly item: Fields
  /** The id of the reasoning that it followed when it was read. */
  readonly after?: unknown
  /** For reasoning: the id of the item that followed when it was read. */
  readonly next?: unknown
  /** Whether it can only be sent unchanged or omitted. */
  readonly isUnchangeable?: boolean
  /** Text of a tool message: `textAfterOutputs` moves it after the outputs of all calls before it. */
  readonly isBesideResults?: boolean
}

/**
 * Repairs items that the service would refuse. An item that followed reasoning is sent with that reasoning,
 * or without its id, as if new. Reasoning is omitted if the item after it is omitted. A valid list stays
 * unchanged.
 */
export function repairItems(written: readonly WrittenItem[]): readonly Fields[] {
  const isSent = ({ item, isUnchangeable }: WrittenItem) =>
    !isUnchangeable || isValid(item, checkItem)
  let items = withValidIds(written.filter(isSent))
  let lengthBefore: number
  // Omitting an item may leave its partner alone, so repeat until nothing changes.
  do {
    lengthBefore = items.length
    items = withReasoning(answeredItems(items))
  } while (items.length < lengthBefore)
  return textAfterOutputs(items).map(({ item }) => item)
}

function withValidIds(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const seen = new Set<unknown>()
  return items.flatMap((written) => {
    const { id } = written.item
    if (id === undefined || id === null) return [written]
    if (seen.has(id) || !isValid(written.item, checkItemId)) return withoutId(written)
    seen.add(id)
    return [written]
  })
}

function withoutId(written: WrittenItem): readonly WrittenItem[] {
  if (written.isUnchangeable) return []
  return [{ ...written, item: otherFields(written.item, ['id']) ?? {} }]
}

/** Calls and outputs of unknown kinds need their partner too. */
function answeredItems(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const callIndexes = new Map<string, number>()
  const paired = new Set<number>()
  for (const [index, { item }] of items.entries()) {
    const key = callKey(item)
    if (key !== null && !callIndexes.has(key)) callIndexes.set(key, index)
    const callIndex = callIndexes.get(outputKey(item) ?? '')
    if (callIndex === undefined || paired.has(callIndex)) continue
    paired.add(callIndex).add(index)
  }
  const needsPartner = ({ item }: WrittenItem) => (callKey(item) ?? outputKey(item)) !== null
  return items.filter((written, index) => !needsPartner(written) || paired.has(index))
}

/** A user message between a call and its output would read as an interruption by the user. */
function textAfterOutputs(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const ordered: WrittenItem[] = []
  const unanswered = new Set<string>()
  let delayed: WrittenItem[] = []
  for (const written of items) {
    if (written.isBesideResults && unanswered.size > 0) {
      delayed.push(written)
      continue
    }
    ordered.push(written)
    const key = callKey(written.item)
    if (key !== null) unanswered.add(key)
    unanswered.delete(outputKey(written.item) ?? '')
    if (unanswered.size > 0) continue
    for (const each of delayed) ordered.push(each)
    delayed = []
  }
  return [...ordered, ...delayed]
}

function withReasoning(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const kept: WrittenItem[] = []
  // From the end, because reasoning may follow reasoning.
  for (const written of items.toReversed())
    if (typeOf(written.item) !== 'reasoning' || isFollowedByItsItem(written, kept.at(-1)))
      kept.push(written)
  const reasoning = kept.filter(({ item }) => typeOf(item) === 'reasoning')
  const reasoningIds = new Set(reasoning.map(({ item }) => item['id']))
  return kept.reverse().flatMap((written) => {
    const { item, after } = written
    const lacksReasoning = typeof after === 'string' && !reasoningIds.has(after)
    return lacksReasoning && filledText(item['id']) !== null ? withoutId(written) : [written]
  })
}

/** Whether the item that followed the reasoning when it was read still follows it. */
function isFollowedByItsItem({ next }: WrittenItem, following: WrittenItem | undefined): boolean {
  if (following === undefined || !isOfModel(following.item)) return false
  const { id, call_id } = following.item
  return typeof next !== 'string' || id === next || call_id === next
}
