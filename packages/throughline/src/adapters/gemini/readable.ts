/** Contents of the Gemini API as far as they can be read without losing what they say. */
import { describe } from '../../domain/describe.ts'
import { checkText, fieldsAt, roleAt, unreadable } from '../readable.ts'
import type { Fields } from '../unknown-json.ts'

/** Results were of the role `function` once; a system's content is read, and written as a note. */
const contentRoles = ['user', 'model', 'function', 'system'] as const

export interface ReadableContent extends Fields {
  /** Undefined is the user. */
  readonly role: (typeof contentRoles)[number] | undefined
}

export function readableContents(contents: readonly unknown[]): readonly ReadableContent[] {
  return Array.from(contents, (value, index) => {
    const at = `gemini-contents: contents[${index}]`
    const content = fieldsAt(value, at)
    const role = content['role'] === undefined ? undefined : roleAt(content, contentRoles, at)
    partsAt(content, at)
    return { ...content, role }
  })
}

/** The parts of a system instruction, each of which has text. */
export function readableInstruction(value: unknown): {
  readonly content: Fields
  readonly parts: readonly (Fields & { readonly text: string })[]
} {
  const at = 'gemini-contents: systemInstruction'
  const { parts: _, ...content } = fieldsAt(value, at)
  const parts = partsAt(fieldsAt(value, at), at).map((part, index) => {
    const { text } = part
    if (typeof text === 'string') return { ...part, text }
    throw unreadable(`${at}.parts[${index}].text`, `must be text, got ${describe(text)}`)
  })
  return { content, parts }
}

function partsAt({ parts }: Fields, at: string): readonly Fields[] {
  if (!Array.isArray(parts))
    throw unreadable(`${at}.parts`, `must be an array of parts, got ${describe(parts)}`)
  return Array.from(parts, (value: unknown, index) => {
    const part = fieldsAt(value, `${at}.parts[${index}]`)
    if (part['text'] !== undefined) checkText(part['text'], `${at}.parts[${index}].text`)
    return part
  })
}
