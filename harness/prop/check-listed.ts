/**
 * Nothing is omitted silently: every message of the history is whole in the context, or an omission
 * or a repair names it, or it is pinned and shown in a block.
 */
import type {
  Context,
  MessageInput,
  Part,
  PartInput,
  ToolOutput,
  ToolOutputInput,
} from 'throughline'
import { type Violation, violation } from './tally.ts'

export function checkListed(
  context: Pick<Context, 'messages' | 'omitted' | 'repairs'>,
  history: readonly MessageInput[],
  pins: readonly number[],
): readonly Violation[] {
  const shown = shownKeys(context)
  const excused = excusedSeqs(context)
  const found: Violation[] = []
  for (const { span } of context.omitted)
    if (span !== null && (span.from < 0 || span.to > history.length || span.from >= span.to))
      found.push(
        violation('listed', `an omission of #${span.from} to #${span.to} is outside the log`),
      )
  for (const [seq, message] of history.entries()) {
    // A hole: an append that failed may have been stored, and no step has read it yet.
    if (!(seq in history) || excused.has(seq) || pins.includes(seq)) continue
    const here = new Map(shown.get(seq))
    const missing = keysOf(message).find((key) => !takeOne(here, key))
    if (missing !== undefined)
      found.push(violation('listed', `#${seq} lacks ${missing.slice(0, 60)}, and nothing lists it`))
  }
  return found
}

function excusedSeqs({
  omitted,
  repairs,
}: Pick<Context, 'omitted' | 'repairs'>): ReadonlySet<number> {
  const seqs = new Set<number>()
  for (const { span } of omitted)
    for (let seq = span?.from ?? 0; seq < (span?.to ?? 0); seq += 1) seqs.add(seq)
  for (const { seq } of repairs) if (seq !== null) seqs.add(seq)
  return seqs
}

function takeOne(keys: Map<string, number>, key: string): boolean {
  const left = keys.get(key) ?? 0
  keys.set(key, left - 1)
  return left > 0
}

/** The shown parts per position; results may have moved to another message of the step. */
function shownKeys({
  messages,
}: Pick<Context, 'messages'>): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const bySeq = new Map<number, Map<string, number>>()
  for (const { seq, parts } of messages) {
    if (seq === null) continue
    const keys = bySeq.get(seq) ?? new Map<string, number>()
    bySeq.set(seq, keys)
    for (const part of parts) keys.set(keyOf(part), (keys.get(keyOf(part)) ?? 0) + 1)
  }
  return bySeq
}

function keysOf({ content }: MessageInput): readonly string[] {
  return typeof content === 'string' ? [`text ${content}`] : content.map(keyOf)
}

/** Ids and names of calls may be repaired; texts may not. */
function keyOf(part: Part | PartInput): string {
  switch (part.type) {
    case 'text':
      return `text ${part.text}`
    case 'reasoning':
      return `reasoning ${part.signature ?? ''} ${part.text}`
    case 'tool-call':
      return `call ${typeof part.input === 'string' ? part.input : JSON.stringify(part.input)}`
    case 'tool-result':
      return `result ${outputKey(part.output)}`
    case 'file':
      return `file ${part.mediaType} ${part.name ?? ''}`
    case 'resource-excerpt':
      return `excerpt ${part.resourceId} ${part.text}`
    case 'attachment-ref':
      return `attachment ${part.attachmentId}`
    case 'opaque':
      return `opaque ${part.json}`
  }
}

function outputKey(output: ToolOutput | ToolOutputInput): string {
  if (typeof output === 'string') return output
  if (output.kind === 'parts') return output.parts.map(keyOf).join('\n')
  return output.kind === 'text' ? output.text : output.json
}
