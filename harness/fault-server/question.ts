/** The parts of a question that are read in the same way from each API. */

import type { JsonObject, MessageInput, Reading } from 'throughline'
import { fieldsOf, listOf } from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { ModelQuestion } from './api.ts'

export function wordsOf({ system, messages }: Reading): Pick<ModelQuestion, 'system' | 'messages'> {
  const spoken = messages.map((message) => ({ role: message.role, text: textOf(message) }))
  const isAbove = ({ role }: { readonly role: string }) => role === 'system'
  return {
    system: [...system, ...spoken.filter(isAbove)].map(({ text }) => text).join('\n\n'),
    messages: spoken.filter((message) => !isAbove(message)),
  }
}

function textOf({ content }: MessageInput): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** A JSON schema in the field, as it was parsed from JSON. */
export function schemaIn(value: unknown): JsonObject | null {
  return fieldsOf(value) as JsonObject | null
}

export function toolNamesIn(tools: unknown): readonly string[] {
  return listOf(tools).map((tool) => {
    const fields = fieldsOf(tool)
    const { name, type } = fieldsOf(fields?.['function']) ?? fields ?? {}
    return `${name ?? type ?? ''}`
  })
}

export function numberIn(...values: readonly unknown[]): number | null {
  return values.find((value) => typeof value === 'number') ?? null
}
