import type { Context, ContextMessage } from '../domain/context.ts'
import type { Part } from '../domain/message.ts'

const lineCharacters = 100

/**
 * Draws a context as text, one line for each message, so that tests show changes as a readable diff.
 */
export function drawContext({ system, messages }: Pick<Context, 'system' | 'messages'>): string {
  const prompt = system.map(({ text }) => row('system', '', text))
  return [...prompt, ...messages.map(drawMessage)].join('\n')
}

function drawMessage({ role, seq, slot, parts }: ContextMessage): string {
  const who = seq === null ? `${slot} ${role}` : role
  return row(who, seq === null ? '' : `#${seq}`, parts.map(drawPart).join(' '))
}

function row(who: string, place: string, text: string): string {
  const line = text.replaceAll('\n', '⏎')
  const shown = line.length > lineCharacters ? `${line.slice(0, lineCharacters - 1)}…` : line
  return `${who.padEnd(15)} ${place.padEnd(5)} ${shown}`
}

function drawPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(thinks: ${part.text})`
    case 'tool-call':
      return `→ ${part.callId} ${part.name} ${part.input}`
    case 'tool-result': {
      const mark = part.isError ? '✗' : '←'
      return `${mark} ${part.callId} ${part.output.kind === 'text' ? part.output.text : part.output.kind}`
    }
    case 'file':
      return `[${part.mediaType}]`
    case 'resource-excerpt':
      return `[excerpt ${part.resourceId}: ${part.text}]`
    case 'attachment-ref':
      return `[attachment ${part.attachmentId}]`
    case 'opaque':
      return `[${part.kind}]`
  }
}
