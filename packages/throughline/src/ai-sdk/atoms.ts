/**
 * Atoms: what a history is compared by. One for each part that a client sends back, whatever
 * messages it stands in: the SDK joins messages of tools, and drops empty texts, requests for
 * approval and, for some providers, reasoning.
 */
import { canonicalText } from '../domain/canonical.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { Message, Part, Role, ToolCallPart } from '../domain/message.ts'
import { sha256 } from '../system.ts'

export interface Atom {
  readonly kind: 'text' | 'call' | 'result' | 'file' | 'other'
  /** Of the role and the meaning. */
  readonly key: string
  readonly callId: string | null
  /** Of the name and of the input of a call, each alone. */
  readonly name: string | null
  readonly input: string | null
  /** Of a text that may have been cut; and where a file stands. */
  readonly detail: string | null
  /** The part's place in its message. */
  readonly part: number
}

export type Atomic = Pick<Message, 'role' | 'parts'>

export function atomsOf({ role, parts }: Atomic, keepText: boolean): readonly Atom[] {
  return parts.flatMap((part, index) => {
    const atom = atomOf(part, role, keepText)
    return atom === null ? [] : [{ ...atom, part: index }]
  })
}

function atomOf(part: Part, role: Role, keepText: boolean): Omit<Atom, 'part'> | null {
  const plain = { key: keyOf(part, role), callId: null, name: null, input: null, detail: null }
  switch (part.type) {
    case 'reasoning':
      return null
    case 'text':
      if (part.text === '') return null
      return { ...plain, kind: 'text', detail: keepText ? part.text : null }
    case 'tool-call':
      return { ...plain, kind: 'call', ...callOf(part) }
    case 'tool-result':
      // Providers that run a tool themselves have its result among the assistant's words.
      return {
        ...plain,
        key: keyOf(part, 'tool'),
        kind: 'result',
        callId: part.callId,
        detail: role,
      }
    case 'file':
      return { ...plain, kind: 'file', detail: part.source.kind }
    case 'opaque':
      return droppedKinds.test(part.kind) ? null : { ...plain, kind: 'other' }
    default:
      return { ...plain, kind: 'other' }
  }
}

const droppedKinds = /^ai-sdk\/(?:reasoning-file|tool-approval-request)$/

function callOf({ callId, name, input }: ToolCallPart): Pick<Atom, 'callId' | 'name' | 'input'> {
  return { callId, name, input: shortened(canonicalJson(asRead(input))) }
}

function keyOf(part: Part, role: Role): string {
  const sent = part.type === 'tool-call' ? { ...part, input: asRead(part.input) } : part
  return shortened(canonicalText({ role, author: null, parts: [sent] }))
}

/** The SDK hands on the value that it read, in which a number has lost its spelling. */
function asRead(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(input))
  } catch {
    return input
  }
}

// 128 bits tell the messages of a conversation apart, also against somebody who means harm.
function shortened(text: string): string {
  return sha256(text).slice(0, 32)
}
