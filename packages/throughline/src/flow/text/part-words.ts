/** Parts that are text of themselves: what was said or called, or a block as it came. */
import type { Part } from '../../domain/message.ts'

type WrittenPart = Exclude<Part, { readonly type: 'tool-result' | 'file' | 'attachment-ref' }>

export function partWords(part: WrittenPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return part.text
    case 'tool-call':
      return `${part.name} ${part.input}`
    case 'opaque':
      return part.json
  }
}

/** What a file or a document supplied. */
export function isDocument({ type }: Part): boolean {
  return type === 'file' || type === 'resource-excerpt' || type === 'attachment-ref'
}
