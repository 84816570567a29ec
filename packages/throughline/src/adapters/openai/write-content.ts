/** Writes the content of messages, for both OpenAI formats. */
import type { JsonObject } from '../../domain/json.ts'
import type { FilePart, OpaquePart, Part, Role, TextPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { wordsOf } from '../plain-text.ts'
import { validOrNull } from '../rules.ts'
import { providerBlock } from '../unknown-json.ts'
import { keptFields, type OpenaiFormat, sharedDetails, wireDetails } from './extra-fields.ts'
import { checkPart, type PartRules } from './rules.ts'

type Content = string | readonly JsonObject[]

/** How a format writes files, and which blocks a user message may have. */
export interface ContentForm {
  readonly format: OpenaiFormat
  /** Null for a type of file that the service refuses, or whose bytes are missing. */
  readonly fileBlock: (part: FilePart, files: Files) => JsonObject | null
  readonly userPartRules: PartRules
}

/** Files are allowed only in user messages, refusals only in the assistant's; elsewhere both become text. */
export function contentBlocks(parts: readonly Part[], role: Role, files: Files, form: ContentForm) {
  const responsesType = role === 'assistant' ? 'output_text' : 'input_text'
  const type = form.format === 'chat' ? 'text' : responsesType
  return parts.flatMap((part): JsonObject | readonly JsonObject[] => {
    if (part.type === 'text') return textBlock(part, type, role, form.format)
    const isUser = role === 'user'
    if (part.type === 'opaque') return (isUser ? opaqueBlock(part, form.userPartRules) : null) ?? []
    const file = isUser && part.type === 'file' ? form.fileBlock(part, files) : null
    const text = wordsOf(part)
    return file ?? (text === null ? [] : { type, text })
  })
}

function textBlock(part: TextPart, type: string, role: Role, format: OpenaiFormat): JsonObject {
  const { extra, part: wasPart } = wireDetails(part.metadata, format)
  const isRefusal = role === 'assistant' && sharedDetails(part.metadata)['refusal'] === true
  // In chat completions, a refusal may also be a field of the message.
  if (isRefusal && (format === 'responses' || wasPart === true))
    return { ...keptFields(extra, ['type', 'refusal']), type: 'refusal', refusal: part.text }
  return { ...keptFields(extra, ['type', 'text']), type, text: part.text }
}

export function opaqueBlock(part: OpaquePart, rules: PartRules): JsonObject | null {
  return validOrNull(providerBlock(part, 'openai'), checkPart(rules))
}

/** A string for a single text that was not read as a list; null if nothing is left. */
export function shortest(blocks: readonly JsonObject[], wasList: boolean): Content | null {
  const [first] = blocks
  if (first === undefined) return null
  const { text } = first
  return blocks.length === 1 && !wasList && typeof text === 'string' ? text : blocks
}
