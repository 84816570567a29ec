/** Whether nothing was changed: the very same parts, in their order. */
import type { Part } from '../../domain/message.ts'

export function areSameParts(parts: readonly Part[], before: readonly Part[]): boolean {
  return parts.length === before.length && parts.every((part, at) => part === before[at])
}
