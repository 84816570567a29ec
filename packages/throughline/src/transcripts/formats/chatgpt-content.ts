/** Content of a message of ChatGPT's export as our parts. Pictures and sounds are only named there. */
import type { JsonValue, OpaqueInput, PartInput, TextInput } from '../../index.ts'
import { opaquePart, textPart } from '../content-parts.ts'
import { exactTexts } from '../json/exact-texts.ts'
import { filledTextOf, listOf, plainText, textOf } from '../json/json-access.ts'
import { textsAt } from '../json/raw-json.ts'

export type ChatgptPart =
  | TextInput
  | OpaqueInput
  | Extract<PartInput, { readonly type: 'reasoning' | 'attachment-ref' }>

/** `exact` gives the text of the message that the content belongs to. */
export function chatgptParts(content: JsonValue | undefined, exact: () => string): ChatgptPart[] {
  const type = filledTextOf(content, 'content_type') ?? 'unknown'
  switch (type) {
    case 'text':
    case 'multimodal_text': {
      const piece = exactTexts(exact, ['content', 'parts'])
      return listOf(content, 'parts').map((part, index) => partOf(part, () => piece(index)))
    }
    case 'code':
    case 'execution_output':
    case 'system_error':
      return texts(textOf(content, 'text'))
    case 'tether_browsing_display':
      return texts(filledTextOf(content, 'result') ?? textOf(content, 'summary'))
    case 'tether_quote':
      return texts(joined(content, ['title', 'url', 'text']))
    case 'thoughts':
      return listOf(content, 'thoughts').map((thought) => {
        const text = joined(thought, ['summary', 'content']) ?? ''
        return { type: 'reasoning', text }
      })
    case 'reasoning_recap':
      return [{ type: 'reasoning', text: textOf(content, 'content') ?? '' }]
    case 'user_editable_context':
      return texts(joined(content, ['user_profile', 'user_instructions']))
    case 'model_editable_context':
      return texts(textOf(content, 'model_set_context'))
    default:
      return [opaquePart(`chatgpt/${type}`, textsAt(exact(), ['content']).get('content') ?? 'null')]
  }
}

function texts(text: string | null): ChatgptPart[] {
  return text === null ? [] : [textPart(text)]
}

function joined(value: JsonValue | undefined, keys: readonly string[]): string | null {
  const lines = keys.map((key) => filledTextOf(value, key)).filter((line) => line !== null)
  return lines.length === 0 ? null : lines.join('\n')
}

function partOf(part: JsonValue, exact: () => string): ChatgptPart {
  const text = plainText(part) ?? spokenText(part)
  if (text !== null) return textPart(text)
  const attachmentId = filledTextOf(part, 'asset_pointer')
  if (attachmentId !== null) return { type: 'attachment-ref', attachmentId }
  return opaquePart(`chatgpt/${filledTextOf(part, 'content_type') ?? 'unknown'}`, exact())
}

/** What was said aloud. */
function spokenText(part: JsonValue): string | null {
  return textOf(part, 'content_type') === 'audio_transcription' ? textOf(part, 'text') : null
}
