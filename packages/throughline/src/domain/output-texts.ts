/** The texts in parts of messages, and in what tools gave back. */
import type { Part, ToolOutput } from './message.ts'

type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

/** What stands for its parts is said by whoever asks: unless told, only what was said. */
export function textsOfOutput(
  output: ToolOutput,
  textsOf: (part: OutputPart) => readonly string[] = saidIn,
): readonly string[] {
  switch (output.kind) {
    case 'text':
      return [output.text]
    case 'json':
      return [output.json]
    case 'parts':
      return output.parts.flatMap(textsOf)
  }
}

/** Without pictures and sealed blocks. */
function saidIn(part: OutputPart): readonly string[] {
  return part.type === 'text' ? [part.text] : []
}

/** What the text parts among them say, a line for each. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The texts that a part consists of; none where it is bytes, a reference or sealed. */
export function contentOf(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return [part.text]
    case 'tool-call':
      return [part.input]
    case 'tool-result':
      return textsOfOutput(part.output)
    case 'file':
    case 'attachment-ref':
    case 'opaque':
      return []
  }
}
