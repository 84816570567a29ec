/**
 * Calls of the days before `tool_calls` had no id, and were answered by the next function
 * message: both are written in the old form, or both in the new one.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { Part } from '../../domain/message.ts'
import { wireOf } from './notes.ts'

export function isLegacy({ metadata }: Pick<Part, 'metadata'>): boolean {
  return wireOf(metadata, 'chat')['legacy'] === true
}

export function withoutHalfLegacy(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const forms = new Map<string, Set<boolean>>()
  for (const { parts } of messages)
    for (const part of parts)
      if (isToolUse(part))
        forms.set(part.callId, (forms.get(part.callId) ?? new Set()).add(isLegacy(part)))
  const isHalf = (part: Part) =>
    isToolUse(part) && isLegacy(part) && forms.get(part.callId)?.size === 2
  return messages.map((message) =>
    message.parts.some(isHalf)
      ? {
          ...message,
          parts: message.parts.map((part) => (isHalf(part) ? { ...part, metadata: null } : part)),
        }
      : message,
  )
}

function isToolUse(part: Part): part is Extract<Part, { readonly callId: string }> {
  return part.type === 'tool-call' || part.type === 'tool-result'
}
