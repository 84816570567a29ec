/** Content blocks of pi messages (text, thinking, toolCall, image) as our parts. */
import type { FileInput, JsonValue, OpaqueInput, PartInput, TextInput } from '../../index.ts'
import { base64File, opaquePart, textPart, toolOutput } from '../content-parts.ts'
import type { ExactText } from '../json/exact-texts.ts'
import { fieldOf, filledTextOf, isJsonList, textOf } from '../json/json-access.ts'
import { textsAt } from '../json/raw-json.ts'

export function plainParts(
  content: JsonValue | undefined,
  exact: ExactText,
): (TextInput | FileInput | OpaqueInput)[] {
  if (typeof content === 'string') return [textPart(content)]
  if (!isJsonList(content)) return []
  return content.map((block, index) => plainPart(block, () => exact(index)))
}

function plainPart(block: JsonValue, exact: () => string): TextInput | FileInput | OpaqueInput {
  const type = textOf(block, 'type')
  const text = textOf(block, 'text')
  if (type === 'text' && text !== null) return textPart(text)
  const file =
    type === 'image'
      ? base64File(textOf(block, 'mimeType') ?? '', textOf(block, 'data') ?? '')
      : null
  return file ?? opaquePart(`pi/${type ?? 'unknown'}`, exact())
}

export function assistantParts(content: JsonValue | undefined, exact: ExactText): PartInput[] {
  if (!isJsonList(content)) return plainParts(content, exact)
  return content.map((block, index) => assistantPart(block, () => exact(index)))
}

function assistantPart(block: JsonValue, exact: () => string): PartInput {
  const type = textOf(block, 'type')
  const thinking = textOf(block, 'thinking')
  const callId = filledTextOf(block, 'id')
  const name = filledTextOf(block, 'name')
  if (type === 'thinking' && thinking !== null) {
    const signature = filledTextOf(block, 'thinkingSignature') ?? undefined
    return { type: 'reasoning', text: thinking, signature }
  }
  if (type === 'toolCall' && callId !== null && name !== null) {
    const input = textsAt(exact(), ['arguments']).get('arguments') ?? '{}'
    return { type: 'tool-call', callId, name, input }
  }
  return plainPart(block, exact)
}

export function resultPart(inner: JsonValue | undefined, exact: ExactText): PartInput {
  return {
    type: 'tool-result',
    callId: filledTextOf(inner, 'toolCallId') ?? 'unknown',
    name: filledTextOf(inner, 'toolName') ?? undefined,
    output: toolOutput(plainParts(fieldOf(inner, 'content'), exact)),
    isError: fieldOf(inner, 'isError') === true,
  }
}
