/** Content and tool calls of an OpenAI chat message as our parts. */
import type { FileInput, JsonValue, OpaqueInput, PartInput, TextInput } from '../../index.ts'
import { fileAt, opaquePart, textPart } from '../content-parts.ts'
import { type ExactText, exactTexts } from '../json/exact-texts.ts'
import { fieldOf, filledTextOf, isJsonList, listOf, metaOf, textOf } from '../json/json-access.ts'
import { textsAt } from '../json/raw-json.ts'

export type ChatContentPart = TextInput | FileInput | OpaqueInput

/** `text` is the exact text of the message. */
export function chatContent(message: JsonValue, text: string): ChatContentPart[] {
  return chatParts(
    fieldOf(message, 'content'),
    exactTexts(() => text, ['content']),
  )
}

export function chatParts(content: JsonValue | undefined, exact: ExactText): ChatContentPart[] {
  if (typeof content === 'string') return [textPart(content)]
  if (!isJsonList(content)) return []
  return content.map((part, index) => contentPart(part, () => exact(index)))
}

function contentPart(part: JsonValue, exact: () => string): ChatContentPart {
  if (typeof part === 'string') return textPart(part)
  const type = filledTextOf(part, 'type')
  const text = textOf(part, 'text')
  if ((type === 'text' || type === 'input_text' || type === 'output_text') && text !== null)
    return textPart(text)
  const refusal = textOf(part, 'refusal')
  if (type === 'refusal' && refusal !== null) return refusalPart(refusal)
  const image = type === 'image_url' || type === 'input_image'
  const file = image ? imagePart(fieldOf(part, 'image_url')) : null
  return file ?? opaquePart(`openai/${type ?? 'unknown'}`, exact())
}

function imagePart(image: JsonValue | undefined): FileInput | null {
  const url = typeof image === 'string' ? image : textOf(image, 'url')
  return fileAt(url ?? '', 'image/*')
}

export function refusalPart(text: string): TextInput {
  return { type: 'text', text, metadata: { refusal: true } }
}

/** `made` is what the id of a call is made of that came without one. */
export function chatCalls(message: JsonValue, text: string, made: string): PartInput[] {
  const exact = exactTexts(() => text, ['tool_calls'])
  return listOf(message, 'tool_calls').map((call, index) => {
    const callId = filledTextOf(call, 'id') ?? `${made}.tool_calls[${index}]`
    return callPart(call, callId, () => exact(index))
  })
}

function callPart(call: JsonValue, callId: string, exact: () => string): PartInput {
  const kind = ['function', 'custom'].find((key) => fieldOf(call, key) !== undefined)
  const body = kind === undefined ? call : fieldOf(call, kind)
  const name = filledTextOf(body, 'name')
  if (name === null) return opaquePart('openai/tool_call', exact())
  const argument = kind === 'custom' ? 'input' : 'arguments'
  const path = kind === undefined ? [argument] : [kind, argument]
  const input = argumentsText(body, argument, exact, path)
  // tau2-bench: users call tools of their own, and the call says who asked for it.
  const metadata = metaOf({ requestor: textOf(call, 'requestor') })
  return { type: 'tool-call', callId, name, input, metadata }
}

/** Arguments that are a text are JSON already; anything else is cut out as it stands. */
function argumentsText(
  body: JsonValue | undefined,
  argument: string,
  exact: () => string,
  path: readonly string[],
): string {
  const given = fieldOf(body, argument)
  if (typeof given === 'string' && argument === 'arguments') return given
  return [...textsAt(exact(), path).values()].at(-1) ?? '{}'
}

/** The call of the days before `tool_calls`: at most one, and without an id. */
export function functionCall(message: JsonValue, text: string, callId: string): PartInput | null {
  const call = fieldOf(message, 'function_call')
  const name = filledTextOf(call, 'name')
  if (name === null) return null
  const exact = () => textsAt(text, ['function_call']).get('function_call') ?? '{}'
  return {
    type: 'tool-call',
    callId,
    name,
    input: argumentsText(call, 'arguments', exact, ['arguments']),
  }
}
