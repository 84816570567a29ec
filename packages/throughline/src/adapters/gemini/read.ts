/**
 * A request of generateContent as ours. What our model has no field for is noted under
 * `google`; parts that we do not know stay whole, as JSON text. Calls without an id get
 * one from where they stand, and a note that they had none.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { TextPart } from '../../domain/message.ts'
import type { MessageInput, OpaqueInput, PartInput } from '../../domain/message-input.ts'
import type { Reading } from '../../ports/adapter.ts'
import { notedAs } from '../notes.ts'
import { type Fields, isFields, isFilled, jsonTextOf, listOf } from '../unknown-json.ts'
import { readMedia } from './media.ts'
import { answeredCalls } from './pairing.ts'
import { dataField } from './part-fields.ts'
import { type ReadableContent, readableContents, readableInstruction } from './readable.ts'
import { otherFields, readOutput } from './responses.ts'
import { readTools } from './tools.ts'

export function readGemini({
  systemInstruction,
  contents,
  tools,
}: {
  readonly systemInstruction?: unknown
  readonly contents: unknown
  readonly tools?: unknown
}): Reading {
  return {
    system: readSystem(systemInstruction),
    tools: readTools(listOf(tools)),
    messages: readContents(readableContents(listOf(contents))),
  }
}

function readSystem(instruction: unknown): readonly TextPart[] {
  if (instruction === undefined || instruction === null) return []
  const { content, parts } = readableInstruction(instruction)
  return parts.map(({ text, ...fields }, index) => {
    const note = index === 0 && Object.keys(content).length > 0 ? { content } : {}
    return { type: 'text', text, metadata: notedAs('google', note, fields).metadata ?? null }
  })
}

interface OpenCall {
  readonly id: unknown
  readonly name: unknown
  readonly callId: string
}

function readContents(contents: readonly ReadableContent[]): readonly MessageInput[] {
  const given = new Set(
    contents.flatMap((content) => fieldsIn(content, 'functionCall')).map(({ id }) => id),
  )
  let open: readonly OpenCall[] = []
  return contents.map((content, at) => {
    const calls = fieldsIn(content, 'functionCall').map(({ id, name }, index) => ({
      id,
      name,
      callId: isFilled(id) ? id : freeId(`call_${at}_${index}_${name}`, given),
    }))
    const answered = answeredIds(fieldsIn(content, 'functionResponse'), open, at)
    const parts = readParts(listOf(content['parts']), calls, answered)
    open = calls
    return readContent(content, parts)
  })
}

function fieldsIn({ parts }: Fields, field: string): readonly Fields[] {
  return listOf(parts).flatMap((part): readonly Fields[] => {
    const data = isFields(part) && dataField(part) === field ? part[field] : undefined
    return isFields(data) && isFilled(data['name']) ? [data] : []
  })
}

function freeId(wanted: string, given: ReadonlySet<unknown>): string {
  return given.has(wanted) ? freeId(`${wanted}_`, given) : wanted
}

function answeredIds(
  responses: readonly Fields[],
  open: readonly OpenCall[],
  at: number,
): readonly string[] {
  return answeredCalls(open, responses).map((call, index) => {
    const { id, name } = responses[index] ?? {}
    // What answers no call keeps a name of its own, and is left out when written.
    return open[call]?.callId ?? (isFilled(id) ? id : `response_${at}_${index}_${name}`)
  })
}

function readContent({ role }: ReadableContent, parts: readonly PartInput[]): MessageInput {
  const meta = role === undefined ? { meta: { google: { role: 'absent' } } } : {}
  if (role === 'model') return { role: 'assistant', content: parts }
  if (role === 'system') return { role, content: parts }
  const results = parts.length > 0 && parts.every(({ type }) => type === 'tool-result')
  return { role: results ? 'tool' : 'user', content: parts, ...meta }
}

function readParts(
  parts: readonly unknown[],
  calls: readonly OpenCall[],
  answered: readonly string[],
): readonly PartInput[] {
  const callIds = calls.map(({ callId }) => callId).values()
  const resultIds = answered.values()
  return parts.map((part) => {
    if (!isFields(part)) return opaque(part)
    const field = dataField(part)
    const data = field === null ? undefined : part[field]
    switch (field) {
      case 'text':
        return readText(part) ?? opaque(part)
      case 'functionCall':
        if (!isFields(data) || !isFilled(data['name'])) return opaque(part)
        return readCall(part, data, callIds.next().value ?? '')
      case 'functionResponse':
        if (!isFields(data) || !isFilled(data['name'])) return opaque(part)
        return readResponse(part, data, resultIds.next().value ?? '')
      default:
        return readMedia(part) ?? opaque(part)
    }
  })
}

function readText(part: Fields): PartInput | null {
  const { text, thought, ...fields } = part
  if (typeof text !== 'string') return null
  if (thought !== true) {
    const { text: _, ...others } = part
    return { type: 'text', text, ...signed({}, others) }
  }
  const { thoughtSignature: signature, ...others } = fields
  if (signature !== undefined && typeof signature !== 'string') return null
  // The note says whose thought it is, even where there is nothing else to note.
  const { metadata = { google: {} } } = notedAs('google', {}, others)
  return { type: 'reasoning', text, signature, metadata }
}

function readCall(part: Fields, data: Fields, callId: string): PartInput {
  const { functionCall: _, ...fields } = part
  const { id, name, args, ...inner } = data
  return {
    type: 'tool-call',
    callId,
    name: String(name),
    input: args === undefined ? '{}' : jsonTextOf(args),
    // Calls of this service need no signature from us, whether they have one or not.
    ...signed(
      {
        own: true,
        ...(isFilled(id) ? {} : { id: false }),
        ...(args === undefined ? { args: false } : {}),
        ...innerNote(inner),
      },
      fields,
    ),
  }
}

function readResponse(part: Fields, data: Fields, callId: string): PartInput {
  const { functionResponse: _, ...fields } = part
  const { id, name, response, parts } = data
  return {
    type: 'tool-result',
    callId,
    name: String(name),
    ...readOutput(response, listOf(parts)),
    ...signed({ ...(isFilled(id) ? {} : { id: false }), ...innerNote(otherFields(data)) }, fields),
  }
}

function innerNote(inner: Fields): Fields {
  return Object.keys(inner).length > 0 ? { inner } : {}
}

/** Signatures stand apart from other fields: they hold for an unchanged part alone. */
function signed(note: Fields, fields: Fields): { readonly metadata?: JsonObject } {
  const { thoughtSignature, ...others } = fields
  if (typeof thoughtSignature !== 'string') return notedAs('google', note, fields)
  return notedAs('google', { ...note, thoughtSignature }, others)
}

function opaque(part: unknown): OpaqueInput {
  const field = (isFields(part) ? dataField(part) : null) ?? 'part'
  return { type: 'opaque', kind: `google/${field}`, json: jsonTextOf(part) }
}
