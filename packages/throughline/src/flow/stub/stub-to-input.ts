/** A stub in the form in which a caller hands messages in, so that it can be handed on. */
import type { Part } from '../../domain/message.ts'
import type { MessageInput, PartInput } from '../../domain/message-input.ts'
import type { StubbedMessage } from '../../domain/view.ts'

export function stubToInput({
  role,
  author,
  parts,
}: Pick<StubbedMessage, 'role' | 'author' | 'parts'>): MessageInput {
  return {
    role,
    content: parts.flatMap(partToInput),
    ...(author === null ? {} : { author }),
  }
}

function partToInput(part: Part): readonly PartInput[] {
  const metadata = part.metadata === null ? {} : { metadata: part.metadata }
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...metadata }]
    case 'reasoning': {
      const seal = part.signature === null ? {} : { signature: part.signature }
      return [{ type: 'reasoning', text: part.text, ...seal, ...metadata }]
    }
    case 'tool-call': {
      const { callId, name, input } = part
      return [{ type: 'tool-call', callId, name, input, ...metadata }]
    }
    case 'tool-result': {
      const { callId, output, isError } = part
      const name = part.name === null ? {} : { name: part.name }
      // Pictures in an output are told in words where it is shortened.
      if (output.kind === 'parts') return []
      return [{ type: 'tool-result', callId, output, isError, ...name, ...metadata }]
    }
    case 'opaque':
      return [{ type: 'opaque', kind: part.kind, json: part.json, ...metadata }]
    // A stub tells these in words.
    case 'file':
    case 'resource-excerpt':
    case 'attachment-ref':
      return []
  }
}
