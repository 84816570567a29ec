/**
 * The content of a message or a result, read as our parts: text, or a list of blocks. Which
 * blocks there are, each of OpenAI's formats says for itself.
 */
import type { FileInput, OpaqueInput, TextInput } from '../../domain/message-input.ts'
import { type Fields, fieldsOf, filledText, listOf } from '../unknown-json.ts'
import { opaqueBlock } from './notes.ts'

export type ContentInput = TextInput | FileInput | OpaqueInput

/** A block of a format as our part; null for one that it does not know. */
type KnownPart = (type: string, fields: Fields) => ContentInput | null

export function contentParts(content: unknown, knownPart: KnownPart): readonly ContentInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map((block) => {
    const fields = fieldsOf(block) ?? {}
    const type = filledText(fields['type']) ?? 'unknown'
    return knownPart(type, fields) ?? opaqueBlock(type, block)
  })
}

/** What a tool gave; null where it is neither text nor parts. */
export function outputOf(output: unknown, knownPart: KnownPart) {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return null
  return { kind: 'parts', parts: contentParts(output, knownPart) } as const
}
