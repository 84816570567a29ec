/**
 * A UI message as the messages that it stands for. The SDK keeps a tool's result with its call;
 * between the steps of a run, and before words that came behind a result, ours are told apart.
 *
 * The text of the whole is kept with what people said. A run of the assistant may still grow,
 * and its first step is not another message for that.
 */
import type {
  FileInput,
  JsonObject,
  MessageInput,
  PartInput,
  ToolOutputInput,
} from '../../index.ts'
import { base64File, fileAt, opaquePart, textPart, unknownPart } from '../content-parts.ts'
import { isJsonObject, metaOf } from '../json/json-access.ts'
import { JsonNode } from '../json/raw-json.ts'
import { plainMeta } from '../storable-items.ts'

export type UiSpeech = Pick<MessageInput, 'role' | 'content' | 'raw' | 'createdAt' | 'meta'>

/** Null for what is no message that we know. */
export function uiSpeeches(message: JsonNode): readonly UiSpeech[] | null {
  const role = message.text('role')
  if (role === 'assistant') return assistantSpeeches(message)
  if (role !== 'user' && role !== 'system') return null
  return [{ role, content: partsOf(message), raw: message.exact() }]
}

/** In version 4, files stand beside the parts. */
function partsOf(message: JsonNode): readonly PartInput[] {
  return [...saidIn(message), ...message.list('experimental_attachments').map(attachmentPart)]
}

function saidIn(message: JsonNode): readonly PartInput[] {
  const parts = message.field('parts')
  const content = message.text('content')
  // Before there were parts, there was this.
  return parts.isList || content === null ? parts.items.map(plainPart) : [textPart(content)]
}

function assistantSpeeches(message: JsonNode): readonly UiSpeech[] {
  const parts = message.field('parts')
  if (!parts.isList) return speechesWithoutParts(message)
  const run = new Run()
  for (const part of parts.items) run.take(part)
  return run.close()
}

/** The first versions of 4 kept calls in a list of their own; what was said came behind them. */
function speechesWithoutParts(message: JsonNode): readonly UiSpeech[] {
  const invocations = message.list('toolInvocations')
  const said = partsOf(message)
  if (invocations.length === 0) return [{ role: 'assistant', content: said }]
  const run = new Run()
  let step = invocations[0]?.get('step')
  for (const invocation of invocations) {
    if (invocation.get('step') !== step) run.close()
    step = invocation.get('step')
    run.take(asPart(invocation))
  }
  const words = said.filter((part) => part.type !== 'text' || part.text !== '')
  const before = run.close()
  return words.length > 0 ? [...before, { role: 'assistant', content: words }] : before
}

function asPart(invocation: JsonNode): JsonNode {
  const part = { type: 'tool-invocation', toolInvocation: invocation.value ?? null }
  return new JsonNode(
    part,
    () => `{"type":"tool-invocation","toolInvocation":${invocation.exact()}}`,
  )
}

class Run {
  readonly #speeches: UiSpeech[] = []
  #said: PartInput[] = []
  #results: PartInput[] = []

  take(part: JsonNode): void {
    const type = part.text('type')
    if (type === 'step-start') this.close()
    else if (type === 'steering-message') {
      // What the user said while the run went on.
      this.close()
      this.#speeches.push({ role: 'user', content: partsOf(part) })
    } else if (isToolPart(part)) {
      const { call, result } = toolPart(part)
      this.#said.push(call)
      if (result !== null) this.#results.push(result)
    } else {
      if (this.#results.length > 0) this.close()
      this.#said.push(plainPart(part))
    }
  }

  /** Ends the step; all that was said so far. */
  close(): readonly UiSpeech[] {
    if (this.#said.length > 0) this.#speeches.push({ role: 'assistant', content: this.#said })
    if (this.#results.length > 0) this.#speeches.push({ role: 'tool', content: this.#results })
    this.#said = []
    this.#results = []
    return this.#speeches
  }
}

/** Parts of a UI message as ours. Those of version 4 of the SDK are read too. */
function plainPart(part: JsonNode): PartInput {
  return knownPart(part) ?? unknownPart('ai-sdk', part)
}

function knownPart(part: JsonNode): PartInput | null {
  const text = part.text('text')
  switch (part.text('type')) {
    case 'text':
      return text === null ? null : { ...textPart(text), metadata: noted(part, {}) }
    case 'reasoning':
      return reasoningPart(part)
    case 'file':
      return filePart(part)
    default:
      return null
  }
}

/** Options of the provider, where the SDK's adapter looks for them, and what else is to be noted. */
function noted(part: JsonNode, notes: JsonObject): JsonObject | undefined {
  const options = plainMeta(part.object('providerMetadata') ?? {})
  const isSound = options !== null && Object.values(options).every(isJsonObject)
  const aiSdk = metaOf({ ...notes, providerOptions: isSound ? options : null })
  return aiSdk && { aiSdk }
}

function reasoningPart(part: JsonNode): PartInput | null {
  const [detail] = part.list('details')
  const text = part.text('text') ?? part.text('reasoning') ?? detail?.text('text') ?? null
  if (text === null) return null
  const anthropic = part.field('providerMetadata').field('anthropic')
  const signature = anthropic.filled('signature') ?? detail?.filled('signature') ?? null
  const metadata = noted(part, { reasoning: true })
  if (signature === null) return { type: 'reasoning', text, metadata }
  // A seal is its provider's: whoever writes it back must know whose it is.
  return { type: 'reasoning', text, signature, metadata: { ...metadata, anthropic: {} } }
}

const anyType = 'application/octet-stream'

function filePart(part: JsonNode): FileInput | null {
  const mediaType = part.filled('mediaType') ?? part.filled('mimeType')
  const data = part.text('data')
  const file =
    data === null
      ? fileAt(part.text('url') ?? '', mediaType ?? anyType)
      : base64File(mediaType ?? '', data)
  return file && { ...file, name: part.filled('filename') ?? undefined }
}

function attachmentPart(attachment: JsonNode): PartInput {
  const file = fileAt(attachment.text('url') ?? '', attachment.filled('contentType') ?? anyType)
  if (file === null) return opaquePart('ai-sdk/attachment', attachment)
  return { ...file, name: attachment.filled('name') ?? undefined }
}

function isToolPart(part: JsonNode): boolean {
  return nameOf(part) !== null && invocationOf(part).filled('toolCallId') !== null
}

/** In version 4 the call stands one level deeper. */
function invocationOf(part: JsonNode): JsonNode {
  return part.text('type') === 'tool-invocation' ? part.field('toolInvocation') : part
}

function nameOf(part: JsonNode): string | null {
  const type = part.text('type') ?? ''
  if (type === 'dynamic-tool' || type === 'tool-invocation')
    return invocationOf(part).filled('toolName')
  return type.startsWith('tool-') ? type.slice('tool-'.length) || null : null
}

/** Only of what `isToolPart` says is one. */
function toolPart(part: JsonNode) {
  const invocation = invocationOf(part)
  const callId = invocation.filled('toolCallId') ?? 'unknown'
  const name = nameOf(part) ?? 'unknown'
  const given = ['input', 'args', 'rawInput'].find((key) => invocation.has(key))
  const byProvider = invocation.get('providerExecuted') === true
  const output = outputOf(invocation)
  const call: PartInput = {
    type: 'tool-call',
    callId,
    name,
    input: given === undefined ? '{}' : invocation.field(given).exact(),
    metadata: byProvider ? { aiSdk: { providerExecuted: true } } : undefined,
  }
  const result: PartInput | null = output && { type: 'tool-result', callId, name, ...output }
  return { call, result }
}

interface ToolAnswer {
  readonly output: ToolOutputInput
  readonly isError: boolean
}

/** What the tool gave; null as long as nothing stands fast. */
function outputOf(invocation: JsonNode): ToolAnswer | null {
  switch (invocation.text('state')) {
    case 'output-available':
      return invocation.get('preliminary') === true ? null : given(invocation.field('output'))
    case 'result':
      return given(invocation.field('result'))
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

function given(output: JsonNode): ToolAnswer {
  return { output: output.asText ?? { kind: 'json', json: output.exact() }, isError: false }
}
