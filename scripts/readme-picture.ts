/** The picture of a compaction in README.md, from the session of docs/compaction.md. */
import type { ContextMessage, Part } from 'throughline'
import { type CompactionRun, runCompaction } from './compaction-run.ts'

const columns = 100
const blockLines = 3
const edgeMessages = 3

export async function readmePicture(): Promise<ReadonlyMap<string, string>> {
  const { before, context, receipt } = await runCompaction()
  const sizes = [
    title(before, receipt.tokensBefore ?? 0),
    title(context.messages, receipt.tokensAfter),
  ]
  return new Map([
    ['compacted', fenced(`before: ${sizes.join(' → after: ')}`, afterLines(context))],
  ])
}

function title(messages: readonly unknown[], tokens: number): string {
  return `${messages.length} messages · ${tokens.toLocaleString('en-US')} tokens`
}

function afterLines({ messages }: CompactionRun['context']): readonly string[] {
  const blocks = messages.filter(({ seq }) => seq === null)
  const shown = messages.filter(({ seq }) => seq !== null)
  return [...blocks.flatMap(blockPart), ...edges(shown)]
}

/** The label of a block without its nonce, its first lines, and how many lines follow. */
function blockPart({ parts }: ContextMessage): readonly string[] {
  const [label = '', ...lines] = textOf(parts).split('\n')
  const body = lines.slice(0, -1).filter((line) => line !== '')
  const left = body.length - blockLines
  return [
    label.replace(/ · [a-z0-9]+\]$/, ']'),
    ...body.slice(0, blockLines).map((line) => clipped(`  ${line}`)),
    ...(left > 0 ? [`  ⟨${left} more lines⟩`] : []),
  ]
}

function edges(
  messages: readonly Pick<ContextMessage, 'seq' | 'role' | 'parts'>[],
): readonly string[] {
  const lines = messages.map(({ seq, role, parts }) =>
    clipped(`#${seq} ${role}: ${textOf(parts).replace(/\s+/g, ' ')}`),
  )
  const left = lines.length - 2 * edgeMessages
  return [...lines.slice(0, edgeMessages), `⟨${left} more messages⟩`, ...lines.slice(-edgeMessages)]
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return `${part.name} ${part.input}`
      if (part.type === 'tool-result' && part.output.kind === 'text') return part.output.text
      throw new Error(`the session of docs/compaction.md has no ${part.type}`)
    })
    .join('\n')
}

function clipped(line: string): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`
}

function fenced(heading: string, lines: readonly string[]): string {
  return ['```text', heading, '', ...lines, '```'].join('\n')
}
