/** What stands in parts to be read: words, what a call was given, and what a tool said. */

import type { Part } from '../../domain/message.ts'
import { textsOfOutput } from '../../domain/output-texts.ts'
import { readArguments } from '../../extract/tool-arguments.ts'

export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap(textsOf).join('\n')
}

function textsOf(part: Part): readonly string[] {
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
