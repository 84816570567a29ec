/** Parts of a message, written as parts of the AI SDK; null for what cannot stand there. */
import type { JsonObject } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { noteOf } from '../notes.ts'
import { fileText, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { soundOrNull } from '../rules.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, isFields, isFilled, isPlain, parsedJson } from '../unknown-json.ts'
import { writeFile, writeOpaque } from './files.ts'
import { isBlank, isProviderOptions, jsonFields, notedFields, notesOf } from './notes.ts'
import { callFields, commonNames, denialText, resultFields } from './read.ts'
import { checkItem, partCheck } from './rules.ts'

export interface Surroundings {
  readonly files: Files
  /** By the original ids of the calls. */
  readonly calls: ReadonlyMap<string, ReturnType<typeof namesOf>>
}

export function writePart(part: Part, role: Role, surroundings: Surroundings): Fields | null {
  return soundOrNull(writeAny(part, role, surroundings), partCheck(role))
}

function writeAny(part: Part, role: Role, surroundings: Surroundings): Fields | null {
  switch (part.type) {
    case 'text':
      return writeText(part)
    case 'reasoning':
      return writeReasoning(part)
    case 'tool-call':
      return writeCall(part)
    case 'tool-result':
      return writeResult(part, surroundings)
    case 'file':
      return (
        (isSent(part, role) ? writeFile(part, role, surroundings.files) : null) ??
        plain(fileText(part))
      )
    case 'resource-excerpt':
    case 'attachment-ref':
      return plain(wordsOf(part) ?? '')
    case 'opaque':
      return writeOpaque(part)
  }
}

/** Most providers silently ignore an assistant's file; only the SDK's own is sent. */
function isSent(part: FilePart, role: Role): boolean {
  return role !== 'assistant' || notesOf(part.metadata)['data'] !== undefined
}

function plain(text: string): Fields {
  return { type: 'text', text }
}

/** The note must say whose reasoning it is: a provider refuses the seal of another. */
function writeReasoning({ text, signature, metadata }: ReasoningPart): Fields | null {
  const notes = notesOf(metadata)
  if (notes['reasoning'] === true)
    return { ...notedFields(notes, ['type', 'text']), type: 'reasoning', text }
  if (signature === null || !(text + signature).isWellFormed()) return null
  if (isFields(metadata?.['anthropic']))
    return { type: 'reasoning', text, providerOptions: { anthropic: { signature } } }
  if (!isFields(metadata?.['google'])) return null
  return { type: 'reasoning', text, providerOptions: googleOptions(signature) }
}

/** The result of a call must use the same names. */
export function namesOf({ callId, name, metadata }: ToolCallPart) {
  // The SDK takes back any name that it gave itself.
  const own = notesOf(metadata)['named'] === true
  if (own) return { id: callId, name, own }
  return { id: safeName(callId, commonNames), name: safeName(name, commonNames), own }
}

function writeCall(part: ToolCallPart): Fields {
  const notes = notesOf(part.metadata)
  const { providerExecuted } = notes
  const { id, name } = namesOf(part)
  return {
    // A seal is valid for the unchanged call only.
    ...(name === part.name ? sealOptions(part.metadata) : {}),
    ...notedFields(notes, callFields),
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: writeInput(part.input, notes['anyInput'] === true),
    ...(typeof providerExecuted === 'boolean' ? { providerExecuted } : {}),
  }
}

/** Providers want an object; broken arguments are put into one. */
function writeInput(text: string, anyValue: boolean): unknown {
  if (text.trim() === '') return {}
  const input = parsedJson(text)
  if (input !== undefined && (anyValue || isPlain(input))) return input
  return { INVALID_JSON: text }
}

function writeResult(part: ToolResultPart, { calls, files }: Surroundings): Fields {
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
      // The SDK has no error of several parts; text alone can still be an error.
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

/** The text of a refusal may have been shortened since; then it is plain text. */
function isDenial(output: ToolOutput, { type, reason }: JsonObject): boolean {
  return (
    type === 'execution-denied' &&
    (reason === undefined || typeof reason === 'string') &&
    output.kind === 'text' &&
    output.text === denialText(reason)
  )
}

function outputFields(note: JsonObject, known: readonly string[]): JsonObject {
  const options = isProviderOptions(note['providerOptions']) ? [] : ['providerOptions']
  return jsonFields(note, [...known, ...options])
}

function writeItem(part: OutputPart, files: Files): Fields | null {
  let item = part.type === 'text' ? writeText(part) : null
  if (part.type === 'file') item = writeFile(part, 'output', files) ?? plain(fileText(part))
  if (part.type === 'opaque') item = writeOpaque(part)
  return soundOrNull(item, checkItem)
}

/** Null for white space alone, unless it came from the SDK. */
function writeText({ text, metadata }: TextPart): Fields | null {
  const notes = notesOf(metadata)
  if (isBlank(text) && notes['blank'] !== true) return null
  const seal = text.isWellFormed() ? sealOptions(metadata) : {}
  return { ...seal, ...notedFields(notes, ['type', 'text']), type: 'text', text }
}

function sealOptions(metadata: JsonObject | null): Fields {
  const { thoughtSignature } = noteOf(metadata, 'google')
  return isFilled(thoughtSignature) ? { providerOptions: googleOptions(thoughtSignature) } : {}
}

const googleOptions = (thoughtSignature: string) => ({ google: { thoughtSignature } })
