/** Calls of tools and what they gave, written in the AI SDK's form. */
import type { JsonObject } from '../../domain/json.ts'
import type {
  FilePart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { fileText, outputText } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, isPlain, parsedJson } from '../unknown-json.ts'
import { writeFile } from './file.ts'
import { sealOptions } from './google-seal.ts'
import { isBlank, isProviderOptions, jsonFields, notedFields, notesOf } from './notes.ts'
import { writeOpaque } from './opaque.ts'
import { isSoundItem } from './part-rules.ts'
import { callFields, commonNames, denialText, resultFields } from './read-tools.ts'

/** How a call is named in the request: its result must say the same. */
export interface CallNames {
  readonly id: string
  readonly name: string
  /** Whether the SDK itself gave the names, which it takes back whatever they are. */
  readonly own: boolean
}

export function namesOf({ callId, name, metadata }: ToolCallPart): CallNames {
  const own = notesOf(metadata)['named'] === true
  if (own) return { id: callId, name, own }
  return { id: safeName(callId, commonNames), name: safeName(name, commonNames), own }
}

export function writeCall(part: ToolCallPart): Fields {
  const notes = notesOf(part.metadata)
  const { providerExecuted } = notes
  const { id, name } = namesOf(part)
  return {
    // A seal holds for the call as it was made.
    ...(name === part.name ? sealOptions(part.metadata) : {}),
    ...notedFields(notes, callFields),
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: writeInput(part.input, notes['anyInput'] === true),
    ...(typeof providerExecuted === 'boolean' ? { providerExecuted } : {}),
  }
}

/** Providers behind the SDK want an object; broken arguments are shown as what they are. */
function writeInput(text: string, anyValue: boolean): unknown {
  if (text.trim() === '') return {}
  const input = parsedJson(text)
  if (input !== undefined && (anyValue || isPlain(input))) return input
  return { INVALID_JSON: text }
}

export function writeResult(
  part: ToolResultPart,
  calls: ReadonlyMap<string, CallNames>,
  files: Files,
): Fields {
  const notes = notesOf(part.metadata)
  const call = calls.get(part.callId)
  const name = part.name || call?.name || 'tool'
  return {
    ...notedFields(notes, resultFields),
    type: 'tool-result',
    toolCallId: call?.id ?? part.callId,
    toolName: call?.own === true ? name : safeName(name, commonNames),
    output: writeOutput(part, isPlain(notes['output']) ? notes['output'] : {}, files),
  }
}

function writeOutput({ output, isError }: ToolResultPart, note: JsonObject, files: Files): Fields {
  if (isDenial(output, note)) return { ...outputFields(note, ['type']), type: 'execution-denied' }
  const fields = outputFields(note, ['type', 'value'])
  switch (output.kind) {
    case 'text':
      if (note['type'] === 'error-text' && isError)
        return { ...fields, type: 'error-text', value: output.text }
      return { ...fields, ...textOutput(output.text, isError) }
    case 'json': {
      const value = parsedJson(output.json)
      if (value === undefined) return textOutput(output.json, isError)
      return { ...fields, type: isError ? 'error-json' : 'json', value }
    }
    case 'parts': {
      // The SDK has no error of several parts; one of words alone can still say that it is one.
      const words = output.parts.every((part) => part.type !== 'file')
      if (isError && words) return textOutput(outputText(output), isError)
      const value = output.parts.flatMap((part) => writeItem(part, files) ?? [])
      return value.length === 0 && note['type'] !== 'content'
        ? textOutput('', isError)
        : { ...fields, type: 'content', value }
    }
  }
}

function textOutput(value: string, isError: boolean): Fields {
  if (!isError) return { type: 'text', value }
  return { type: 'error-text', value: isBlank(value) ? 'Error.' : value }
}

/** The words for a refusal may have been made shorter since; then they are only words. */
function isDenial(output: ToolOutput, { type, reason }: JsonObject): boolean {
  return (
    type === 'execution-denied' &&
    (reason === undefined || typeof reason === 'string') &&
    output.kind === 'text' &&
    output.text === denialText(reason)
  )
}

function outputFields(note: JsonObject, known: readonly string[]): JsonObject {
  const { providerOptions } = note
  return jsonFields(
    note,
    isProviderOptions(providerOptions) ? known : [...known, 'providerOptions'],
  )
}

type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

function writeItem(part: OutputPart, files: Files): Fields | null {
  const item = writeAnyItem(part, files)
  return item !== null && isSoundItem(item) ? item : null
}

/** Null for white space alone, unless it came from the SDK. */
export function writeText({ text, metadata }: TextPart): Fields | null {
  const notes = notesOf(metadata)
  if (isBlank(text) && notes['blank'] !== true) return null
  const seal = text.isWellFormed() ? sealOptions(metadata) : {}
  return { ...seal, ...notedFields(notes, ['type', 'text']), type: 'text', text }
}

function writeAnyItem(part: OutputPart, files: Files): Fields | null {
  switch (part.type) {
    case 'text':
      return writeText(part)
    case 'file':
      return writeFile(part, 'output', files) ?? inWords(part)
    case 'opaque':
      return writeOpaque(part)
  }
}

function inWords(part: FilePart): Fields {
  return { type: 'text', text: fileText(part) }
}
