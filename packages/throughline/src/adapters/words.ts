/** Parts and notes of others in words. */
import { dataBlock } from '../domain/data-block.ts'
import type { Part } from '../domain/message.ts'
import { attachmentText, excerptText, fileText } from './plain-text.ts'

/** The text of a message that says nothing, where a service wants one and there is none. */
export const nothingText = '…'

/** The words of a part that has some; null for any other. */
export function wordsOf(part: Part): string | null {
  switch (part.type) {
    case 'text':
      return part.text
    case 'resource-excerpt':
      return excerptText(part)
    case 'attachment-ref':
      return attachmentText(part)
    case 'file':
      return fileText(part)
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
    case 'opaque':
      return null
  }
}

/** What the application says between the messages, where no role is its own: no user's word. */
export function applicationNote(parts: readonly Part[]): readonly Part[] {
  const text = parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  if (text.trim() === '') return []
  return [{ type: 'text', text: dataBlock('note of the application', text), metadata: null }]
}
