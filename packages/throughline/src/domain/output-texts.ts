/** The texts in what a tool gave back. */
import type { ToolOutput } from './message.ts'

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
