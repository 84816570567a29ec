/**
 * A message without its secrets, for everything that is derived from it. The whole text is
 * looked at, before anything is taken from it: a password is told by what stands before it,
 * and no longer when it is a name of its own, or half of it. Of a giant, its ends are.
 */
import type { FilePart, Message, Part, ToolOutput } from '../../domain/message.ts'
import { redactedJson } from './redacted-json.ts'
import { type Redact, redactor } from './redactor.ts'
import { shortened } from './shortened.ts'

type Told = Pick<Message, 'seq' | 'role' | 'parts'>

export interface RedactedMessage {
  readonly message: Told
  /** How many secrets were left out. */
  readonly redacted: number
}

// A compaction looks at messages that the one before has looked at.
const known = new WeakMap<Message, RedactedMessage>()

/** Of a message of a log, which never changes. */
export function redactedOnce(message: Message): RedactedMessage {
  const found = known.get(message)
  if (found !== undefined) return found
  const { redact, count } = redactor()
  const { parts, redactShort } = shortened(message.parts, redact)
  const made = { message: redactedMessage({ ...message, parts }, redactShort), redacted: count() }
  known.set(message, made)
  return made
}

export function redactedMessage({ seq, role, parts }: Told, redact: Redact): Told {
  return { seq, role, parts: parts.map((part) => redactedPart(part, redact)) }
}

function redactedPart(part: Part, redact: Redact): Part {
  const orNull = (text: string | null) => (text === null ? null : redact(text))
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, text: redact(part.text) }
    case 'tool-call':
      return { ...part, input: redactedJson(part.input, redact) }
    case 'tool-result':
      return { ...part, output: redactedOutput(part.output, redact) }
    case 'file':
      return redactedFile(part, redact)
    case 'resource-excerpt':
      return {
        ...part,
        title: orNull(part.title),
        resourceId: redact(part.resourceId),
        text: redact(part.text),
      }
    case 'attachment-ref':
      return { ...part, title: orNull(part.title), attachmentId: redact(part.attachmentId) }
    case 'opaque':
      return { ...part, json: redactedJson(part.json, redact) }
  }
}

/** An address may hold a password or a signature. */
function redactedFile(part: FilePart, redact: Redact): FilePart {
  const { name, source } = part
  return {
    ...part,
    name: name === null ? null : redact(name),
    source: source.kind === 'url' ? { ...source, url: redact(source.url) } : source,
  }
}

function redactedOutput(output: ToolOutput, redact: Redact): ToolOutput {
  switch (output.kind) {
    case 'text':
      return { ...output, text: redact(output.text) }
    case 'json':
      return { ...output, json: redactedJson(output.json, redact) }
    case 'parts':
      return {
        ...output,
        parts: output.parts.map((part) => {
          if (part.type === 'text') return { ...part, text: redact(part.text) }
          if (part.type === 'file') return redactedFile(part, redact)
          return { ...part, json: redactedJson(part.json, redact) }
        }),
      }
  }
}
