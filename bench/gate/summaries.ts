/** Summaries written by other tools' models, with the messages before them. */
import type { MessageInput } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { GateSource } from '../../packages/throughline/src/flow/gate/source-index.ts'
import { type History, readHistories } from '../survival/history.ts'
import type { TranscriptFile } from '../transcript-files.ts'

export interface RealSummary {
  readonly text: string
  readonly sources: readonly GateSource[]
}

export async function realSummaries(file: TranscriptFile): Promise<readonly RealSummary[]> {
  const histories = await readHistories(file.items())
  return histories.flatMap((history) =>
    history.compactions.map((made) => realSummary(history, made)),
  )
}

function realSummary(
  { system, workingFolder, messages }: History,
  { at, summary }: History['compactions'][number],
): RealSummary {
  const context: GateSource = { kind: 'system', role: null, text: `${system}\n${workingFolder}` }
  const summarized = messages.slice(0, at).map(({ input }) => sourceOf(input))
  return { text: withoutFrame(summary), sources: [context, ...summarized] }
}

export function sourceOf({ role, content }: MessageInput): GateSource {
  const calls =
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === 'tool-call' ? [inputText(part.input)] : []))
  return {
    kind: 'message',
    role: role === 'user' || role === 'assistant' || role === 'tool' ? role : null,
    text: [contentText(content), ...calls].join('\n'),
  }
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

/** The tool adds lines around what its model wrote. */
function withoutFrame(summary: string): string {
  return summary
    .split('\n')
    .filter((line) => !frame.test(line))
    .join('\n')
    .trim()
}

const frame =
  /^(?:This session is being continued from|If you need specific details from before compaction|Please continue the conversation from where)/
