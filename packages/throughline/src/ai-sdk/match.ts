/**
 * Finds where a prompt continues a log: which of its parts are known, and which are new. Pure.
 *
 * Compares position by position, by content, with three tolerances: a call that the SDK repaired or refined
 * (same id, and same name or input), a file that was downloaded since, and a reply that was cut off, which
 * clients keep in part or not at all.
 */
import { canonicalText } from '../domain/hash.ts'
import type { Seq } from '../domain/ids.ts'
import { canonicalJson } from '../domain/json.ts'
import type { Message, Part, Role } from '../domain/message.ts'
import { sha256 } from '../system.ts'

export interface LogAtom extends Atom {
  readonly seq: Seq
  /** Whether it belongs to a reply that was cut off. */
  readonly cut: boolean
}

export type Match =
  /** The prompt starts with the log; atoms from `newFrom` on are new. */
  | { readonly kind: 'continues'; readonly newFrom: number }
  /** Log and prompt differ at message `at` of the log; the prompt agrees up to `newFrom`. */
  | { readonly kind: 'diverges'; readonly at: Seq; readonly newFrom: number }

export function matchWhole(log: readonly LogAtom[], prompt: readonly Atom[]): Match {
  let place = 0
  // Where the current message of the log starts in the prompt.
  let start = 0
  for (const [index, atom] of log.entries()) {
    if (log[index - 1]?.seq !== atom.seq) start = place
    const next = prompt[place]
    if (isAlike(atom, next)) place += 1
    else if (next === undefined || !atom.cut)
      return { kind: 'diverges', at: atom.seq, newFrom: start }
  }
  return { kind: 'continues', newFrom: place }
}

/** For a prompt that has the end of the conversation, or only new messages. */
export function matchRecent(log: readonly LogAtom[], prompt: readonly Atom[]): Match {
  const newFrom = overlap(log, prompt)
  const kept = log.slice(0, log.findLastIndex(({ cut }) => !cut) + 1)
  const cut = log[kept.length]
  if (newFrom > 0 || cut === undefined) return { kind: 'continues', newFrom }
  const before = overlap(kept, prompt)
  return before === prompt.length && before > 0
    ? { kind: 'diverges', at: cut.seq, newFrom: before }
    : { kind: 'continues', newFrom: before }
}

/** The largest number of atoms that the end of the log and the start of the prompt share. */
function overlap(log: readonly LogAtom[], prompt: readonly Atom[]): number {
  for (let shared = Math.min(log.length, prompt.length); shared > 0; shared -= 1) {
    let same = 0
    while (same < shared && isAlike(log[log.length - shared + same], prompt[same])) same += 1
    if (same === shared) return shared
  }
  return 0
}

function isAlike(known: LogAtom | undefined, sent: Atom | undefined): boolean {
  if (known === undefined || sent === undefined) return false
  if (known.key === sent.key) return true
  if (known.kind !== sent.kind) return false
  const sameCall = known.callId === sent.callId
  switch (known.kind) {
    case 'call':
      return sameCall && (known.name === sent.name || known.input === sent.input)
    case 'result':
      // The SDK changes the form of results of providers' own tools.
      return sameCall && known.detail === 'assistant'
    case 'file':
      return known.detail !== sent.detail
    case 'text': {
      const [one, other] = [known.detail, sent.detail]
      if (!known.cut || one === null || other === null) return false
      return one.startsWith(other) || other.startsWith(one)
    }
    case 'other':
      return false
  }
}

/**
 * The unit by which histories are compared: one atom per part that clients send back, whatever message it
 * is in. The SDK merges tool messages, and drops empty texts, approval requests and some reasoning.
 */
export interface Atom {
  readonly kind: 'text' | 'call' | 'result' | 'file' | 'other'
  /** Hash of the role and the meaning. */
  readonly key: string
  readonly callId: string | null
  /** The name of a call, and the hash of its input, which are also compared separately. */
  readonly name: string | null
  readonly input: string | null
  /** A text that may have been cut off; the role of a result; the kind of a file's source. */
  readonly detail: string | null
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
    case 'tool-call': {
      const { callId, name } = part
      const input = shortened(canonicalJson(asRead(part.input)))
      return { ...plain, kind: 'call', callId, name, input }
    }
    case 'tool-result': {
      // Providers that run a tool have its result in the assistant's message.
      const key = keyOf(part, 'tool')
      return { ...plain, key, kind: 'result', callId: part.callId, detail: role }
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

function keyOf(part: Part, role: Role): string {
  const sent = part.type === 'tool-call' ? { ...part, input: asRead(part.input) } : part
  return shortened(canonicalText({ role, author: null, parts: [sent] }))
}

/** The SDK passes on the parsed value, which loses the original spelling of numbers. */
function asRead(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(input))
  } catch {
    return input
  }
}

// 128 bits are also enough against deliberate collisions.
function shortened(text: string): string {
  return sha256(text).slice(0, 32)
}
