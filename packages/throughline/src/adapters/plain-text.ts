/** Renders parts as plain text, for providers that have no block for them. */
import { dataBlock, plainLabel } from '../domain/data-block.ts'
import {
  type AttachmentRefPart,
  type FilePart,
  type Part,
  type ResourceExcerptPart,
  type ToolOutput,
  textsOfOutput,
} from '../domain/message.ts'

export function excerptText({ resourceId, title, text }: ResourceExcerptPart): string {
  return dataBlock(`excerpt of ${title === null ? resourceId : `${title} (${resourceId})`}`, text)
}

export function attachmentText({ attachmentId, title }: AttachmentRefPart): string {
  return `[attachment ${plainLabel(title === null ? attachmentId : `${title} (${attachmentId})`)}]`
}

/** For files that the provider does not accept, or not in this place. */
export function fileText({ mediaType, name }: FilePart): string {
  return `[file ${plainLabel(name === null ? mediaType : `${name} (${mediaType})`)}]`
}

export type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

/** Blocks of other providers are omitted. */
export function outputText(output: ToolOutput): string {
  const texts = textsOfOutput(output, (part) => {
    if (part.type === 'opaque') return []
    return [part.type === 'text' ? part.text : fileText(part)]
  })
  return texts.join('\n')
}

/** The text of a message that would be empty, where a service requires text. */
export const fillerText = '…'

/** Null for a part without text. See `messageText`. */
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

/** System messages for providers without such a role: labelled, so that they do not read as the user's. */
export function applicationNote(parts: readonly Part[]): readonly Part[] {
  const text = parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  if (text.trim() === '') return []
  return [{ type: 'text', text: dataBlock('note of the application', text), metadata: null }]
}
