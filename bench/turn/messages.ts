/** The measured turns: a question, a call, and a page of a file as its result. */
import type { MessageInput } from 'throughline'

export const messagesPerTurn = 3

const usualLines = 30

/** The lines of the page that make a turn of about this many tokens. */
export function linesFor(tokens: number): number {
  return Math.max(1, Math.round((tokens - 90) / 11.3))
}

export function turnMessages(turn: number, pageLines = usualLines): readonly MessageInput[] {
  const callId = `call-${turn}`
  const lines = Array.from(
    { length: pageLines },
    (_, line) => `${line}  export const value${turn * (pageLines + 1) + line} = ${line * 7}`,
  )
  return [
    {
      role: 'user',
      content: `Turn ${turn}: look at the file again and tell me whether the values are right.`,
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I will read the file for turn ${turn} first.` },
        {
          type: 'tool-call',
          callId,
          name: 'read_file',
          input: { path: `src/values/${turn}.ts`, from: 1, to: pageLines },
        },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: lines.join('\n') }] },
  ]
}
