/** The log read back is what was appended, message for message. */
import type { Message, MessageInput, Part, PartInput } from 'throughline'
import { type Finding, finding } from './finding.ts'
import type { Observed } from './observed.ts'

export function checkLog({ appended, log }: Observed): readonly Finding[] {
  if (log.length !== appended.length)
    return [finding('log', `${appended.length} messages were appended, ${log.length} are there`)]
  return appended.flatMap((message, seq) => {
    const kept = log[seq]
    const same = kept !== undefined && kept.seq === seq && told(kept) === toldInput(message)
    return same ? [] : [finding('log', `#${seq} is another message than was appended`)]
  })
}

function told({ role, parts }: Message): string {
  return JSON.stringify([role, parts.map(partOf)])
}

function toldInput({ role, content }: MessageInput): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return JSON.stringify([role, parts.map(partOf)])
}

function partOf(part: Part | PartInput): readonly unknown[] {
  switch (part.type) {
    case 'text':
      return ['text', part.text]
    case 'tool-call':
      return ['call', part.callId, part.name, jsonOf(part.input)]
    case 'tool-result':
      return ['result', part.callId, outputOf(part.output)]
    default:
      throw new Error(`the talk has no part of the type ${part.type}`)
  }
}

function jsonOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function outputOf(output: Extract<Part | PartInput, { type: 'tool-result' }>['output']): string {
  if (typeof output === 'string') return output
  return output.kind === 'text' ? output.text : JSON.stringify(output)
}
