/** The texts in what a tool gave back: what was said, without pictures and sealed blocks. */
import type { ToolOutput } from './message.ts'

export function textsOfOutput(output: ToolOutput): readonly string[] {
  switch (output.kind) {
    case 'text':
      return [output.text]
    case 'json':
      return [output.json]
    case 'parts':
      return output.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  }
}
