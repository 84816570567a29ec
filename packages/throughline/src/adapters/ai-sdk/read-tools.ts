/** Calls of tools and what they gave, read from the AI SDK's form. */
import type { JsonObject } from '../../domain/json.ts'
import type { PartInput, ToolOutputInput } from '../../domain/message-input.ts'
import { type NameRule, safeName } from '../safe-name.ts'
import { type Fields, isFilled, isJson, isPlain, jsonTextOf } from '../unknown-json.ts'
import { readFile } from './file.ts'
import { blankNote, isBlank, jsonFields, metadataFor } from './notes.ts'
import { readOpaque } from './opaque.ts'

export const callFields = ['type', 'toolCallId', 'toolName', 'input', 'providerExecuted']
export const resultFields = ['type', 'toolCallId', 'toolName', 'output']

/** What every provider behind the SDK takes as an id and a name; the SDK takes anything. */
export const commonNames: NameRule = { allowed: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 }

function isCommon(name: string): boolean {
  return safeName(name, commonNames) === name
}

export function readCall(part: Fields): PartInput | null {
  const { toolCallId, toolName, input, providerExecuted } = part
  if (!isFilled(toolCallId) || !isFilled(toolName)) return null
  return {
    type: 'tool-call',
    callId: toolCallId,
    name: toolName,
    input: input === undefined ? '{}' : jsonTextOf(input),
    metadata: metadataFor(part, callFields, {
      // Other providers want an object; this one was something else, and stays it.
      anyInput: input === undefined || isPlain(input) ? undefined : true,
      named: isCommon(toolCallId) && isCommon(toolName) ? undefined : true,
      providerExecuted: typeof providerExecuted === 'boolean' ? providerExecuted : undefined,
    }),
  }
}

export function readResult(part: Fields): PartInput | null {
  const { toolCallId, toolName, output } = part
  if (!isFilled(toolCallId) || !isPlain(output)) return null
  const reading = readOutput(output)
  return {
    type: 'tool-result',
    callId: toolCallId,
    name: isFilled(toolName) ? toolName : undefined,
    output: reading.output,
    isError: reading.isError,
    metadata: metadataFor(part, resultFields, { output: reading.note }),
  }
}

interface OutputReading {
  readonly output: ToolOutputInput
  readonly isError: boolean
  readonly note: JsonObject | undefined
}

function readOutput(output: Fields): OutputReading {
  const { type, value } = output
  const isError = type === 'error-text' || type === 'error-json'
  const note = noteOf(jsonFields(output, ['type', 'value']))
  switch (type) {
    case 'text':
    case 'error-text':
      if (typeof value === 'string')
        return {
          output: { kind: 'text', text: value },
          isError,
          // Of others it would get a word: not every provider takes an error without any.
          note: isError && isBlank(value) ? { ...note, type } : note,
        }
      break
    case 'json':
    case 'error-json':
      if (isJson(value)) return { output: { kind: 'json', json: jsonTextOf(value) }, isError, note }
      break
    case 'content':
      if (Array.isArray(value))
        return {
          output: { kind: 'parts', parts: value.map(readItem) },
          isError,
          // Of others it would be written as text: not every provider takes no parts.
          note: value.length === 0 ? { ...note, type } : note,
        }
      break
    case 'execution-denied':
      return {
        output: { kind: 'text', text: denialText(output['reason']) },
        isError: true,
        note: { ...jsonFields(output, []), type },
      }
  }
  return { output: { kind: 'json', json: jsonTextOf(output) }, isError, note: undefined }
}

/** In the SDK's own words where no reason was given. */
export function denialText(reason: unknown): string {
  return typeof reason === 'string' ? reason : 'Tool call execution denied.'
}

function noteOf(fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}

type ItemInput = Extract<PartInput, { readonly type: 'text' | 'file' | 'opaque' }>

function readItem(item: unknown): ItemInput {
  if (!isPlain(item)) return readOpaque(item)
  const { type, text } = item
  if (type === 'text' && typeof text === 'string')
    return { type, text, metadata: metadataFor(item, ['type', 'text'], blankNote(text)) }
  // An image is a part of messages, never of outputs.
  return (type === 'image' ? null : readFile(item)) ?? readOpaque(item)
}
