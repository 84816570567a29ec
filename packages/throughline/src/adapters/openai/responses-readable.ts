/** Items of /v1/responses as far as they can be read without losing what they say. */
import { describe } from '../../domain/describe.ts'
import { checkContent, fieldsAt, roleAt, unreadable } from '../readable.ts'
import type { Fields } from '../unknown-json.ts'
import { typeOf } from './responses-items.ts'

export const itemRoles = ['user', 'assistant', 'system', 'developer'] as const

/** Items of types that we do not know are taken as they are; one must say what it is, though. */
export function readableItems(input: readonly unknown[]): readonly Fields[] {
  return Array.from(input, (value, index) => {
    const at = `openai-responses: input[${index}]`
    const item = fieldsAt(value, at)
    const type = typeOf(item)
    if (type === 'unknown')
      throw unreadable(at, `needs a type, or one of the roles ${itemRoles.join(', ')}`)
    if (type === 'message') {
      roleAt(item, itemRoles, at)
      checkContent(item['content'], `${at}.content`)
    }
    if (type === 'function_call_output' || type === 'custom_tool_call_output')
      checkContent(item['output'], `${at}.output`)
    return item
  })
}

export function readableInstructions(instructions: unknown): string | null {
  if (instructions === undefined || instructions === null) return null
  if (typeof instructions === 'string') return instructions
  throw unreadable('openai-responses: instructions', `must be text, got ${describe(instructions)}`)
}
