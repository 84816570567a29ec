/** Parts in words, for a provider that has no form of its own for them. */
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

/** For a file of a kind, or at a place, that the provider does not take. */
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

/** The text of an empty message, where a service requires one. */
export const nothingText = '…'

/** The text of a part; null for a part without any. See `messageText`. */
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

/** For providers without a role for the application between messages: it must not read as the user. */
export function applicationNote(parts: readonly Part[]): readonly Part[] {
  const text = parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  if (text.trim() === '') return []
  return [{ type: 'text', text: dataBlock('note of the application', text), metadata: null }]
}
