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

/** Files, documents and pictures in outputs are described in words by a stub. */
function partToInput(part: Part): readonly PartInput[] {
  const { type } = part
  if (type === 'file' || type === 'resource-excerpt' || type === 'attachment-ref') return []
  if (type === 'tool-result' && part.output.kind === 'parts') return []
  // A part is an input, but for fields that are known to be empty: an input leaves them out.
  const given = Object.entries(part).filter(([, value]) => value !== null)
  return [Object.fromEntries(given) as unknown as PartInput]
}
