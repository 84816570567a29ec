import type { JsonObject } from '../../domain/json.ts'
import type { FilePart, OpaquePart, Part, Role, TextPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { wordsOf } from '../plain-text.ts'
import { soundOrNull } from '../rules.ts'
import { ownBlock } from '../unknown-json.ts'
import { factsOf, keptFields, type OpenaiFormat, wireOf } from './notes.ts'
import { checkPart, type PartRules } from './rules.ts'

export type Content = string | readonly JsonObject[]

/** How a format writes a file, and the blocks that a user's message takes. */
export interface ContentForm {
  readonly format: OpenaiFormat
  /** Null for a kind of file that is not taken, or whose bytes are not available. */
  readonly fileBlock: (part: FilePart, files: Files) => JsonObject | null
  readonly userParts: PartRules
}

/** Only users show pictures and files, only assistants refuse; elsewhere both become text. */
export function contentBlocks(parts: readonly Part[], role: Role, files: Files, form: ContentForm) {
  const spoken = role === 'assistant' ? 'output_text' : 'input_text'
  const type = form.format === 'chat' ? 'text' : spoken
  return parts.flatMap((part): JsonObject | readonly JsonObject[] => {
    if (part.type === 'text') return textBlock(part, type, role, form.format)
    const user = role === 'user'
    if (part.type === 'opaque') return (user ? opaqueBlock(part, form.userParts) : null) ?? []
    const shown = user && part.type === 'file' ? form.fileBlock(part, files) : null
    const text = wordsOf(part)
    return shown ?? (text === null ? [] : { type, text })
  })
}

function textBlock(part: TextPart, type: string, role: Role, format: OpenaiFormat): JsonObject {
  const { extra, part: own } = wireOf(part.metadata, format)
  const refused = role === 'assistant' && factsOf(part.metadata)['refusal'] === true
  if (refused && (format === 'responses' || own === true))
    return { ...keptFields(extra, ['type', 'refusal']), type: 'refusal', refusal: part.text }
  return { ...keptFields(extra, ['type', 'text']), type, text: part.text }
}

export function opaqueBlock(part: OpaquePart, rules: PartRules): JsonObject | null {
  return soundOrNull(ownBlock(part, 'openai'), checkPart(rules))
}

/** Text where a single text is all and was not read as a list; null where nothing is left. */
export function shortest(blocks: readonly JsonObject[], listed: boolean): Content | null {
  const [only] = blocks
  if (only === undefined) return null
  const { text } = only
  return blocks.length === 1 && !listed && typeof text === 'string' ? text : blocks
}
