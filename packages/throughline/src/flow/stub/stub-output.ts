/** The output of a tool as one text; what is no text is noted. */
import type { ToolOutput } from '../../domain/message.ts'
import { textsOfOutput } from '../../domain/output-texts.ts'

export function outputText(output: ToolOutput, seq: number): string {
  const texts = textsOfOutput(output, (part) => [
    part.type === 'text' ? part.text : leftOutNote(seq),
  ])
  return texts.join('\n')
}

export function leftOutNote(seq: number): string {
  return `[left out; whole in #${seq}]`
}
