/**
 * A UI message as the messages that it stands for. The SDK keeps a tool's result with its call;
 * between the steps of a run, and before words that came behind a result, ours are told apart.
 *
 * The text of the whole is kept with what people said. A run of the assistant may still grow,
 * and its first step is not another message for that.
 */
import type { JsonObject, JsonValue, MessageInput, PartInput } from '../../index.ts'
import { exactTexts } from '../json/exact-texts.ts'
import { fieldOf, isJsonList, listOf, textOf } from '../json/json-access.ts'
import {
  attachmentPart,
  isToolPart,
  plainPart,
  type ToolPartInput,
  toolPart,
} from './ai-sdk-parts.ts'

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
