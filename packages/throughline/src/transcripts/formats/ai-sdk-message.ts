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
  JsonValue,
  MessageInput,
  PartInput,
  ToolOutputInput,
} from '../../index.ts'
import { base64File, fileAt, opaquePart, textPart } from '../content-parts.ts'
import {
  fieldOf,
  filledTextOf,
  isJsonList,
  isJsonObject,
  listOf,
  metaOf,
  textOf,
} from '../json/json-access.ts'
import { exactTexts, textsAt } from '../json/raw-json.ts'
import { plainMeta } from '../storable-items.ts'

export type UiSpeech = Pick<MessageInput, 'role' | 'content' | 'raw' | 'createdAt' | 'meta'>

/** Null for what is no message that we know. */
export function uiSpeeches(message: JsonObject, text: string): readonly UiSpeech[] | null {
  const role = textOf(message, 'role')
  if (role === 'assistant') return assistantSpeeches(message, text)
  if (role !== 'user' && role !== 'system') return null
  return [{ role, content: partsOf(message, text), raw: text }]
}

function partsOf(message: JsonValue, text: string): readonly PartInput[] {
  return [...saidIn(message, text), ...attachmentsIn(message, text)]
}

function saidIn(message: JsonValue, text: string): readonly PartInput[] {
  const content = textOf(message, 'content')
  // Before there were parts, there was this.
  if (!isJsonList(fieldOf(message, 'parts')) && content !== null)
    return [{ type: 'text', text: content }]
  const exact = exactTexts(() => text, ['parts'])
  return listOf(message, 'parts').map((part, index) => plainPart(part, () => exact(index)))
}

/** In version 4, files stand beside the parts. */
function attachmentsIn(message: JsonValue, text: string): readonly PartInput[] {
  const exact = exactTexts(() => text, ['experimental_attachments'])
  return listOf(message, 'experimental_attachments').map((attachment, index) =>
    attachmentPart(attachment, () => exact(index)),
  )
}

function assistantSpeeches(message: JsonObject, text: string): readonly UiSpeech[] {
  if (!isJsonList(fieldOf(message, 'parts'))) return speechesWithoutParts(message, text)
  const run = new Run()
  const exact = exactTexts(() => text, ['parts'])
  for (const [index, part] of listOf(message, 'parts').entries()) run.take(part, () => exact(index))
  return run.end()
}

/** The first versions of 4 kept calls in a list of their own; what was said came behind them. */
function speechesWithoutParts(message: JsonObject, text: string): readonly UiSpeech[] {
  const invocations = listOf(message, 'toolInvocations')
  const said = partsOf(message, text)
  if (invocations.length === 0) return [{ role: 'assistant', content: said }]
  const run = new Run()
  const exact = exactTexts(() => text, ['toolInvocations'])
  for (const [index, toolInvocation] of invocations.entries()) {
    const before = invocations[index - 1]
    if (before !== undefined && fieldOf(before, 'step') !== fieldOf(toolInvocation, 'step'))
      run.take({ type: 'step-start' }, () => '')
    const whole = () => `{"type":"tool-invocation","toolInvocation":${exact(index)}}`
    run.take({ type: 'tool-invocation', toolInvocation }, whole)
  }
  const words = said.filter((part) => part.type !== 'text' || part.text !== '')
  return [
    ...run.end(),
    ...(words.length > 0 ? [{ role: 'assistant' as const, content: words }] : []),
  ]
}

class Run {
  readonly #speeches: UiSpeech[] = []
  #said: PartInput[] = []
  #results: PartInput[] = []

  take(part: JsonValue, exact: () => string): void {
    const type = textOf(part, 'type')
    if (type === 'step-start') this.#close()
    else if (type === 'steering-message') this.#steer(part, exact)
    else if (isToolPart(part)) this.#call(toolPart(part, exact))
    else {
      if (this.#results.length > 0) this.#close()
      this.#said.push(plainPart(part, exact))
    }
  }

  end(): readonly UiSpeech[] {
    this.#close()
    return this.#speeches
  }

  #call({ call, result }: ToolPartInput): void {
    this.#said.push(call)
    if (result !== null) this.#results.push(result)
  }

  /** What the user said while the run went on. */
  #steer(part: JsonValue, exact: () => string): void {
    this.#close()
    this.#speeches.push({ role: 'user', content: partsOf(part, exact()) })
  }

  #close(): void {
    if (this.#said.length > 0) this.#speeches.push({ role: 'assistant', content: this.#said })
    if (this.#results.length > 0) this.#speeches.push({ role: 'tool', content: this.#results })
    this.#said = []
    this.#results = []
  }
}

/** Parts of a UI message as ours. Those of version 4 of the SDK are read too. */
interface ToolPartInput {
  readonly call: PartInput
  readonly result: PartInput | null
}

function plainPart(part: JsonValue, exact: () => string): PartInput {
  const type = filledTextOf(part, 'type') ?? 'unknown'
  return knownPart(type, part) ?? opaquePart(`ai-sdk/${type}`, exact())
}

function knownPart(type: string, part: JsonValue): PartInput | null {
  const text = textOf(part, 'text')
  switch (type) {
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
function noted(part: JsonValue, notes: JsonObject): JsonObject | undefined {
  const given = fieldOf(part, 'providerMetadata')
  const options = isJsonObject(given) ? plainMeta(given) : null
  const isSound = options !== null && Object.values(options).every(isJsonObject)
  const aiSdk = metaOf({ ...notes, providerOptions: isSound ? options : null })
  return aiSdk && { aiSdk }
}

function reasoningPart(part: JsonValue): PartInput | null {
  const [detail] = listOf(part, 'details')
  const text = textOf(part, 'text') ?? textOf(part, 'reasoning') ?? textOf(detail, 'text')
  if (text === null) return null
  const anthropic = fieldOf(fieldOf(part, 'providerMetadata'), 'anthropic')
  const signature = filledTextOf(anthropic, 'signature') ?? filledTextOf(detail, 'signature')
  const metadata = noted(part, { reasoning: true })
  if (signature === null) return { type: 'reasoning', text, metadata }
  // A seal is its provider's: whoever writes it back must know whose it is.
  return { type: 'reasoning', text, signature, metadata: { ...metadata, anthropic: {} } }
}

function filePart(part: JsonValue): FileInput | null {
  const mediaType = filledTextOf(part, 'mediaType') ?? filledTextOf(part, 'mimeType')
  const data = textOf(part, 'data')
  const file =
    data === null
      ? fileAt(textOf(part, 'url') ?? '', mediaType ?? 'application/octet-stream')
      : base64File(mediaType ?? '', data)
  return file && { ...file, name: filledTextOf(part, 'filename') ?? undefined }
}

function attachmentPart(attachment: JsonValue, exact: () => string): PartInput {
  const mediaType = filledTextOf(attachment, 'contentType') ?? 'application/octet-stream'
  const file = fileAt(textOf(attachment, 'url') ?? '', mediaType)
  if (file === null) return opaquePart('ai-sdk/attachment', exact())
  return { ...file, name: filledTextOf(attachment, 'name') ?? undefined }
}

function isToolPart(part: JsonValue): boolean {
  return nameOf(part) !== null && filledTextOf(invocationOf(part), 'toolCallId') !== null
}

/** In version 4 the call stands one level deeper. */
function invocationOf(part: JsonValue): JsonValue | undefined {
  return textOf(part, 'type') === 'tool-invocation' ? fieldOf(part, 'toolInvocation') : part
}

function nameOf(part: JsonValue): string | null {
  const type = textOf(part, 'type') ?? ''
  if (type === 'dynamic-tool' || type === 'tool-invocation')
    return filledTextOf(invocationOf(part), 'toolName')
  return type.startsWith('tool-') ? type.slice('tool-'.length) || null : null
}

/** Only of what `isToolPart` says is one. */
function toolPart(part: JsonValue, exact: () => string): ToolPartInput {
  const invocation = invocationOf(part)
  const deeper = invocation === part ? [] : ['toolInvocation']
  const exactly = (...keys: readonly string[]) =>
    keys.map((key) => [...textsAt(exact(), [...deeper, key]).values()].at(-1)).find(isText)
  const callId = filledTextOf(invocation, 'toolCallId') ?? 'unknown'
  const name = nameOf(part) ?? 'unknown'
  const byProvider = fieldOf(invocation, 'providerExecuted') === true
  const output = outputOf(invocation, exactly)
  return {
    call: {
      type: 'tool-call',
      callId,
      name,
      input: exactly('input', 'args', 'rawInput') ?? '{}',
      metadata: byProvider ? { aiSdk: { providerExecuted: true } } : undefined,
    },
    result: output && { type: 'tool-result', callId, name, ...output },
  }
}

function isText(text: string | undefined): boolean {
  return text !== undefined
}

/** What the tool gave; null as long as nothing stands fast. */
function outputOf(
  invocation: JsonValue | undefined,
  exactly: (...keys: readonly string[]) => string | undefined,
): { readonly output: ToolOutputInput; readonly isError: boolean } | null {
  switch (textOf(invocation, 'state')) {
    case 'output-available':
      if (fieldOf(invocation, 'preliminary') === true) return null
      return given(fieldOf(invocation, 'output'), exactly('output'))
    case 'result':
      return given(fieldOf(invocation, 'result'), exactly('result'))
    case 'output-error':
      return { output: textOf(invocation, 'errorText') ?? '', isError: true }
    case 'output-denied': {
      const reason = textOf(fieldOf(invocation, 'approval'), 'reason')
      return { output: reason ?? 'Tool call execution denied.', isError: true }
    }
    default:
      return null
  }
}

function given(output: JsonValue | undefined, json: string | undefined) {
  if (typeof output === 'string') return { output, isError: false }
  return { output: { kind: 'json', json: json ?? 'null' }, isError: false } as const
}
