/** Parts in words, for a provider that has no form of its own for them. */
import { dataBlock, plainLabel } from '../domain/data-block.ts'
import type {
  AttachmentRefPart,
  FilePart,
  ResourceExcerptPart,
  TextPart,
  ToolOutput,
} from '../domain/message.ts'
import { textsOfOutput } from '../domain/output-texts.ts'

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

/** The output of a tool as one text. Blocks of other providers are left out. */
export function outputText(output: ToolOutput): string {
  const texts = textsOfOutput(output, (part) => (part.type === 'opaque' ? [] : [partText(part)]))
  return texts.join('\n')
}

function partText(part: TextPart | FilePart): string {
  return part.type === 'text' ? part.text : fileText(part)
}
