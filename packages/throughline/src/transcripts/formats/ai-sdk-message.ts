/**
 * Splits a UI message of the AI SDK into our messages. The SDK keeps a tool result beside its call
 * and a whole run in one message. Only user and system messages keep their exact text, because a
 * run may still grow while its first steps stay the same messages.
 */
import type { FileInput, JsonObject, MessageInput, PartInput } from '../../index.ts'
import { base64File, fileAt, opaquePart, textPart, unknownPart } from '../content-parts.ts'
import { isJsonObject, metaOf } from '../json/json-access.ts'
import { JsonNode } from '../json/raw-json.ts'
import { plainMeta } from '../storable-items.ts'

export type ParsedUiMessage = Pick<MessageInput, 'role' | 'content' | 'raw' | 'createdAt' | 'meta'>

/** Null for an unknown role. */
export function parseUiMessage(message: JsonNode): readonly ParsedUiMessage[] | null {
  const role = message.text('role')
  if (role === 'assistant') return parseAssistantMessage(message)
  if (role !== 'user' && role !== 'system') return null
  return [{ role, content: partsOf(message), raw: message.exact() }]
}

function partsOf(message: JsonNode): readonly PartInput[] {
  const [parts, content] = [message.field('parts'), message.text('content')]
  // Older messages have no parts.
  const main = parts.isList || content === null ? parts.items.map(plainPart) : [textPart(content)]
  // Version 4 has files beside the parts.
  return [...main, ...message.list('experimental_attachments').map(attachmentPart)]
}

function parseAssistantMessage(message: JsonNode): readonly ParsedUiMessage[] {
  if (!message.field('parts').isList) return parseWithoutParts(message)
  const run = new Run()
  for (const part of message.list('parts')) run.add(part)
  return run.endStep()
}

/** Early releases of version 4 keep calls in a separate list, before the text. */
function parseWithoutParts(message: JsonNode): readonly ParsedUiMessage[] {
  const invocations = message.list('toolInvocations')
  const parts = partsOf(message)
  if (invocations.length === 0) return [{ role: 'assistant', content: parts }]
  const run = new Run()
  let step = invocations[0]?.get('step')
  for (const invocation of invocations) {
    if (invocation.get('step') !== step) run.endStep()
    step = invocation.get('step')
    run.add(asPart(invocation))
  }
  const filledParts = parts.filter((part) => part.type !== 'text' || part.text !== '')
  const before = run.endStep()
  return filledParts.length > 0 ? [...before, { role: 'assistant', content: filledParts }] : before
}

function asPart(invocation: JsonNode): JsonNode {
  const part = { type: 'tool-invocation', toolInvocation: invocation.value ?? null }
  const text = () => `{"type":"tool-invocation","toolInvocation":${invocation.exact()}}`
  return new JsonNode(part, text)
}

/** The messages of a run: one of the assistant for each step, and one with its tool results. */
class Run {
  readonly #messages: ParsedUiMessage[] = []
  #assistantParts: PartInput[] = []
  #results: PartInput[] = []

  add(part: JsonNode): void {
    const type = part.text('type')
    if (type === 'step-start') this.endStep()
    else if (type === 'steering-message') {
      // The user writes this message during the run.
      this.endStep()
      this.#messages.push({ role: 'user', content: partsOf(part) })
    } else if (isToolPart(part)) {
      const { call, result } = toolPart(part)
      this.#assistantParts.push(call)
      if (result !== null) this.#results.push(result)
    } else {
      if (this.#results.length > 0) this.endStep()
      this.#assistantParts.push(plainPart(part))
    }
  }

  /** Ends the step and returns all messages so far. */
  endStep(): readonly ParsedUiMessage[] {
    if (this.#assistantParts.length > 0)
      this.#messages.push({ role: 'assistant', content: this.#assistantParts })
    if (this.#results.length > 0) this.#messages.push({ role: 'tool', content: this.#results })
    this.#assistantParts = []
    this.#results = []
    return this.#messages
  }
}

function plainPart(part: JsonNode): PartInput {
  return partReaders.get(part.text('type'))?.(part) ?? unknownPart('ai-sdk', part)
}

const partReaders = new Map<string | null, (part: JsonNode) => PartInput | null>([
  ['text', plainText],
  ['reasoning', reasoningPart],
  ['file', filePart],
])

function plainText(part: JsonNode): PartInput | null {
  const text = part.text('text')
  return text === null ? null : { ...textPart(text), metadata: partMetadata(part, {}) }
}

/** Metadata in the form in which our AI SDK adapter reads provider options back. */
function partMetadata(part: JsonNode, fields: JsonObject): JsonObject | undefined {
  const options = plainMeta(part.object('providerMetadata') ?? {})
  const isValid = options !== null && Object.values(options).every(isJsonObject)
  const aiSdk = metaOf({ ...fields, providerOptions: isValid ? options : null })
  return aiSdk && { aiSdk }
}

function reasoningPart(part: JsonNode): PartInput | null {
  const [detail] = part.list('details')
  const text = part.text('text') ?? part.text('reasoning') ?? detail?.text('text') ?? null
  if (text === null) return null
  const anthropic = part.field('providerMetadata').field('anthropic')
  const signature = anthropic.filled('signature') ?? detail?.filled('signature') ?? null
  const metadata = partMetadata(part, { reasoning: true })
  if (signature === null) return { type: 'reasoning', text, metadata }
  // A signature is valid only for its provider.
  return { type: 'reasoning', text, signature, metadata: { ...metadata, anthropic: {} } }
}

const unknownMediaType = 'application/octet-stream'

function filePart(part: JsonNode): FileInput | null {
  const mediaType = part.filled('mediaType') ?? part.filled('mimeType')
  const data = part.text('data')
  const file =
    data === null
      ? fileAt(part.text('url') ?? '', mediaType ?? unknownMediaType)
      : base64File(mediaType ?? '', data)
  return file && { ...file, name: part.filled('filename') ?? undefined }
}

function attachmentPart(attachment: JsonNode): PartInput {
  const mediaType = attachment.filled('contentType') ?? unknownMediaType
  const file = fileAt(attachment.text('url') ?? '', mediaType)
  if (file === null) return opaquePart('ai-sdk/attachment', attachment)
  return { ...file, name: attachment.filled('name') ?? undefined }
}

function isToolPart(part: JsonNode): boolean {
  return nameOf(part) !== null && invocationOf(part).filled('toolCallId') !== null
}

/** Version 4 nests the call one level deeper. */
function invocationOf(part: JsonNode): JsonNode {
  return part.text('type') === 'tool-invocation' ? part.field('toolInvocation') : part
}

function nameOf(part: JsonNode): string | null {
  const type = part.text('type') ?? ''
  if (type === 'dynamic-tool' || type === 'tool-invocation')
    return invocationOf(part).filled('toolName')
  return type.startsWith('tool-') ? type.slice('tool-'.length) || null : null
}

function toolPart(part: JsonNode) {
  const invocation = invocationOf(part)
  const callId = invocation.filled('toolCallId') ?? 'unknown'
  const name = nameOf(part) ?? 'unknown'
  const inputKey = ['input', 'args', 'rawInput'].find((key) => invocation.has(key))
  const byProvider = invocation.get('providerExecuted') === true
  const output = outputOf(invocation)
  const call: PartInput = {
    type: 'tool-call',
    callId,
    name,
    input: inputKey === undefined ? '{}' : invocation.field(inputKey).exact(),
    metadata: byProvider ? { aiSdk: { providerExecuted: true } } : undefined,
  }
  const result: PartInput | null = output && { type: 'tool-result', callId, name, ...output }
  return { call, result }
}

type ToolAnswer = Pick<Extract<PartInput, { type: 'tool-result' }>, 'output' | 'isError'>

/** Null while the output is not final. */
function outputOf(invocation: JsonNode): ToolAnswer | null {
  switch (invocation.text('state')) {
    case 'output-available':
      return invocation.get('preliminary') === true ? null : successOf(invocation.field('output'))
    case 'result':
      return successOf(invocation.field('result'))
    case 'output-error':
      return { output: invocation.text('errorText') ?? '', isError: true }
    case 'output-denied': {
      const reason = invocation.field('approval').text('reason')
      return { output: reason ?? 'Tool call execution denied.', isError: true }
    }
    default:
      return null
  }
}

function successOf(output: JsonNode): ToolAnswer {
  return { output: output.asText ?? { kind: 'json', json: output.exact() }, isError: false }
}
