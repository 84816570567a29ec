/** Writes parts as parts of the AI SDK; null for parts that the message's role does not allow. */
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
import { providerDetails } from '../extra-fields.ts'
import type { Files } from '../media.ts'
import { fileText, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { validOrNull } from '../rules.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, isFilled, isObject, isPlain, parsedJson } from '../unknown-json.ts'
import { extraFields, isBlank, isProviderOptions, jsonFields, sdkDetails } from './extra-fields.ts'
import { writeFile, writeOpaque } from './files.ts'
import { callFields, commonNameRule, denialText, resultFields } from './read.ts'
import { checkItem, partCheck } from './rules.ts'

/** Content of the whole context that single parts need. */
export interface WriteContext {
  readonly files: Files
  /** The written names of calls, by their original ids. */
  readonly calls: ReadonlyMap<string, ReturnType<typeof namesOf>>
}

export function writePart(part: Part, role: Role, writeContext: WriteContext): Fields | null {
  return validOrNull(writeAny(part, role, writeContext), partCheck(role))
}

function writeAny(part: Part, role: Role, writeContext: WriteContext): Fields | null {
  switch (part.type) {
    case 'text':
      return writeText(part)
    case 'reasoning':
      return writeReasoning(part)
    case 'tool-call':
      return writeCall(part)
    case 'tool-result':
      return writeResult(part, writeContext)
    case 'file':
      return (
        (isSent(part, role) ? writeFile(part, role, writeContext.files) : null) ??
        plain(fileText(part))
      )
    case 'resource-excerpt':
    case 'attachment-ref':
      return plain(wordsOf(part) ?? '')
    case 'opaque':
      return writeOpaque(part)
  }
}

/** Most providers silently ignore files of the assistant; only those that came from the SDK are sent. */
function isSent(part: FilePart, role: Role): boolean {
  return role !== 'assistant' || sdkDetails(part.metadata)['data'] !== undefined
}

function plain(text: string): Fields {
  return { type: 'text', text }
}

/** `metadata` must name the provider of the reasoning, because others refuse its signature. */
function writeReasoning({ text, signature, metadata }: ReasoningPart): Fields | null {
  const details = sdkDetails(metadata)
  if (details['reasoning'] === true)
    return { ...extraFields(details, ['type', 'text']), type: 'reasoning', text }
  if (signature === null || !(text + signature).isWellFormed()) return null
  if (isObject(metadata?.['anthropic']))
    return { type: 'reasoning', text, providerOptions: { anthropic: { signature } } }
  if (!isObject(metadata?.['google'])) return null
  return { type: 'reasoning', text, providerOptions: googleOptions(signature) }
}

/** The result of a call must use the same names. */
export function namesOf({ callId, name, metadata }: ToolCallPart) {
  // The SDK accepts any name that was read from it.
  const isFromSdk = sdkDetails(metadata)['named'] === true
  if (isFromSdk) return { id: callId, name, isFromSdk }
  return { id: safeName(callId, commonNameRule), name: safeName(name, commonNameRule), isFromSdk }
}

function writeCall(part: ToolCallPart): Fields {
  const details = sdkDetails(part.metadata)
  const { providerExecuted } = details
  const { id, name } = namesOf(part)
  return {
    // A signature is valid only for the unchanged call.
    ...(name === part.name ? signatureOptions(part.metadata) : {}),
    ...extraFields(details, callFields),
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: writeInput(part.input, details['anyInput'] === true),
    ...(typeof providerExecuted === 'boolean' ? { providerExecuted } : {}),
  }
}

/** Providers require an object, so invalid arguments are wrapped in one. */
function writeInput(text: string, anyValue: boolean): unknown {
  if (text.trim() === '') return {}
  const input = parsedJson(text)
  if (input !== undefined && (anyValue || isPlain(input))) return input
  return { INVALID_JSON: text }
}

function writeResult(part: ToolResultPart, { calls, files }: WriteContext): Fields {
  const details = sdkDetails(part.metadata)
  const call = calls.get(part.callId)
  const name = part.name || call?.name || 'tool'
  return {
    ...extraFields(details, resultFields),
    type: 'tool-result',
    toolCallId: call?.id ?? part.callId,
    toolName: call?.isFromSdk === true ? name : safeName(name, commonNameRule),
    output: writeOutput(part, isPlain(details['output']) ? details['output'] : {}, files),
  }
}

function writeOutput({ output, isError }: ToolResultPart, details: JsonObject, files: Files) {
  if (isDenial(output, details))
    return { ...outputFields(details, ['type']), type: 'execution-denied' }
  const fields = outputFields(details, ['type', 'value'])
  switch (output.kind) {
    case 'text':
      if (details['type'] === 'error-text' && isError)
        return { ...fields, type: 'error-text', value: output.text }
      return { ...fields, ...textOutput(output.text, isError) }
    case 'json': {
      const value = parsedJson(output.json)
      if (value === undefined) return textOutput(output.json, isError)
      return { ...fields, type: isError ? 'error-json' : 'json', value }
    }
    case 'parts': {
      // The SDK has no error output with several parts, so text becomes one error text.
      const isText = output.parts.every((part) => part.type !== 'file')
      if (isError && isText) return textOutput(outputText(output), isError)
      const value = output.parts.flatMap((part) => writeItem(part, files) ?? [])
      return value.length === 0 && details['type'] !== 'content'
        ? textOutput('', isError)
        : { ...fields, type: 'content', value }
    }
  }
}

function textOutput(value: string, isError: boolean): Fields {
  if (!isError) return { type: 'text', value }
  return { type: 'error-text', value: isBlank(value) ? 'Error.' : value }
}

/** False if the text of the denial was changed since; then it is written as plain text. */
function isDenial(output: ToolOutput, { type, reason }: JsonObject): boolean {
  return (
    type === 'execution-denied' &&
    (reason === undefined || typeof reason === 'string') &&
    output.kind === 'text' &&
    output.text === denialText(reason)
  )
}

function outputFields(details: JsonObject, known: readonly string[]): JsonObject {
  const options = isProviderOptions(details['providerOptions']) ? [] : ['providerOptions']
  return jsonFields(details, [...known, ...options])
}

function writeItem(part: OutputPart, files: Files): Fields | null {
  let item = part.type === 'text' ? writeText(part) : null
  if (part.type === 'file') item = writeFile(part, 'output', files) ?? plain(fileText(part))
  if (part.type === 'opaque') item = writeOpaque(part)
  return validOrNull(item, checkItem)
}

/** Null for blank text, unless it was read blank from the SDK. */
function writeText({ text, metadata }: TextPart): Fields | null {
  const details = sdkDetails(metadata)
  if (isBlank(text) && details['blank'] !== true) return null
  const signature = text.isWellFormed() ? signatureOptions(metadata) : {}
  return { ...signature, ...extraFields(details, ['type', 'text']), type: 'text', text }
}

function signatureOptions(metadata: JsonObject | null): Fields {
  const { thoughtSignature } = providerDetails(metadata, 'google')
  return isFilled(thoughtSignature) ? { providerOptions: googleOptions(thoughtSignature) } : {}
}

const googleOptions = (thoughtSignature: string) => ({ google: { thoughtSignature } })
