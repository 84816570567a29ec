/** Renders a message as one text, from the message alone, so that character offsets stay valid. */
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import { oneLine } from '../../extract/one-line.ts'

/**
 * Renders a message as plain text: its text, tool calls and results, and the names of files.
 *
 * @example
 * for await (const message of chat.messages()) console.log(messageText(message))
 */
export function messageText(message: Pick<Message, 'parts' | 'marks'>): string {
  if (isRemoved(message)) return '[removed]'
  const { parts } = message
  // A single part needs no label.
  const texts = parts.length === 1 ? parts.map(partText) : parts.map(labelledPartText)
  // Replaces lone surrogates without changing the length.
  return texts.join('\n').toWellFormed()
}

function labelledPartText(part: Part): string {
  switch (part.type) {
    case 'reasoning':
      return `[reasoning]\n${partText(part)}`
    case 'tool-call':
      return `[call ${oneLine(part.callId)}] ${partText(part)}`
    case 'tool-result':
      return `[${part.isError ? 'error' : 'result'} of ${oneLine(part.callId)}]\n${partText(part)}`
    case 'resource-excerpt':
      return `[from ${oneLine(part.title ?? part.resourceId)}]\n${partText(part)}`
    case 'opaque':
      return `[${oneLine(part.kind)}]\n${partText(part)}`
    default:
      return partText(part)
  }
}

export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return part.text
    case 'tool-call':
      return `${part.name} ${part.input}`
    case 'tool-result':
      return textsOfOutput(part.output, (inner) => [partText(inner)]).join('\n')
    case 'file': {
      const { mediaType, name, source } = part
      // The bytes are not text, so the file is only named.
      const nameText = name === null ? '' : ` ${oneLine(name)}`
      const origin = source.kind === 'url' ? source.url : `${source.sizeBytes} bytes`
      return `[file ${oneLine(mediaType)}${nameText}, ${origin}]`
    }
    case 'attachment-ref':
      return `[attachment ${oneLine(part.title ?? part.attachmentId)}]`
    case 'opaque':
      return part.json
  }
}

/** Whether a part contains or refers to a file or document. */
export function isDocument({ type }: Part): boolean {
  return type === 'file' || type === 'resource-excerpt' || type === 'attachment-ref'
}

/** Only text of people and models: nothing that tools, files or documents supplied. */
export function isSpokenText({ role, parts }: Pick<Message, 'role' | 'parts'>): boolean {
  return role !== 'tool' && parts.every(({ type }) => type === 'text' || type === 'reasoning')
}
