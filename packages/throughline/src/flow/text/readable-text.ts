/** What a search, a digest or a check reads of a message. Apart from `message-text.ts`, which each request needs. */
import { type Part, textsOfOutput } from '../../domain/message.ts'
import { readArguments } from '../../extract/tool-arguments.ts'

/** The readable text of parts: text, arguments of calls, and output of tools. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap(readableTexts).join('\n')
}

function readableTexts(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'resource-excerpt':
      return [part.title ?? part.resourceId, part.text]
    case 'tool-call':
      return readArguments(part.input).values
    case 'tool-result':
      return textsOfOutput(part.output)
    case 'file':
      return part.name === null ? [] : [part.name]
    case 'attachment-ref':
      return [part.title ?? part.attachmentId]
    case 'opaque':
      return []
  }
}
