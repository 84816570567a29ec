/**
 * Checks for `read` of the adapters. Like the provider, they throw for a message with a wrong role or shape,
 * which would otherwise be lost silently. Parts of unknown types pass, because providers add new ones.
 */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { type Fields, isFilled, isObject } from './unknown-json.ts'

export function invalidMessage(at: string, problem: string): ThroughlineError {
  return new ThroughlineError('MESSAGE_INVALID', `${at} ${problem}`)
}

export function requireFields(value: unknown, at: string): Fields {
  if (isObject(value)) return value
  throw invalidMessage(at, `must be an object, got ${describe(value)}`)
}

export function requireRole<Role extends string>(
  { role }: Fields,
  roles: readonly Role[],
  at: string,
) {
  const known = roles.find((name) => name === role)
  if (known !== undefined) return known
  throw invalidMessage(`${at}.role`, `must be one of ${roles.join(', ')}, got ${describe(role)}`)
}

/** A reader for each type of block. */
export type Readers<Input> = Readonly<Record<string, (block: Fields) => Input | null>>

/** Null for a block of a type without a reader, or one that its reader cannot represent. */
export function readByType<Input>(block: unknown, readers: Readers<Input>): Input | null {
  if (!isObject(block) || !isFilled(block['type'])) return null
  return Object.hasOwn(readers, block['type']) ? (readers[block['type']]?.(block) ?? null) : null
}

const textTypes: readonly unknown[] = ['text', 'input_text', 'output_text']

export function requireContent(content: unknown, at: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content))
    throw invalidMessage(at, `must be text or an array of parts, got ${describe(content)}`)
  for (const [index, part] of content.entries()) {
    const path = `${at}[${index}]`
    const { type, text } = requireFields(part, path)
    if (!isFilled(type))
      throw invalidMessage(`${path}.type`, `must be the name of a type, got ${describe(type)}`)
    if (textTypes.includes(type)) requireText(text, `${path}.text`)
  }
}

export function requireText(text: unknown, at: string): void {
  if (typeof text !== 'string') throw invalidMessage(at, `must be text, got ${describe(text)}`)
}
