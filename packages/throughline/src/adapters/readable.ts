/**
 * Checks for `read`. Like the provider, it refuses a message of a wrong role or shape, which would
 * otherwise be lost silently. Parts of unknown types pass unchanged, because providers add new ones.
 */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { type Fields, isFields, isFilled } from './unknown-json.ts'

export function unreadable(at: string, why: string): ThroughlineError {
  return new ThroughlineError('MESSAGE_INVALID', `${at} ${why}`)
}

export function fieldsAt(value: unknown, at: string): Fields {
  if (isFields(value)) return value
  throw unreadable(at, `must be an object, got ${describe(value)}`)
}

export function roleAt<Role extends string>({ role }: Fields, known: readonly Role[], at: string) {
  const found = known.find((name) => name === role)
  if (found !== undefined) return found
  throw unreadable(`${at}.role`, `must be one of ${known.join(', ')}, got ${describe(role)}`)
}

export type Readers<Input> = Readonly<Record<string, (block: Fields) => Input | null>>

/** Null for a block of a type without a reader, or one that its reader cannot represent. */
export function readByType<Input>(block: unknown, readers: Readers<Input>): Input | null {
  if (!isFields(block) || !isFilled(block['type'])) return null
  return Object.hasOwn(readers, block['type']) ? (readers[block['type']]?.(block) ?? null) : null
}

const textTypes: readonly unknown[] = ['text', 'input_text', 'output_text']

export function checkContent(content: unknown, at: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content))
    throw unreadable(at, `must be text or an array of parts, got ${describe(content)}`)
  for (const [index, part] of content.entries()) {
    const { type, text } = fieldsAt(part, `${at}[${index}]`)
    if (!isFilled(type))
      throw unreadable(`${at}[${index}].type`, `must be the name of a type, got ${describe(type)}`)
    if (textTypes.includes(type)) checkText(text, `${at}[${index}].text`)
  }
}

export function checkText(text: unknown, at: string): void {
  if (typeof text !== 'string') throw unreadable(at, `must be text, got ${describe(text)}`)
}
