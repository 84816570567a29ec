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
  readonly isCutOff: boolean
}

export type Match =
  /** The prompt starts with the log; atoms from `newFrom` on are new. */
  | { readonly kind: 'continues'; readonly newFrom: number }
  /** Log and prompt differ at message `at` of the log; the prompt agrees up to `newFrom`. */
  | { readonly kind: 'diverges'; readonly at: Seq; readonly newFrom: number }

export function matchWhole(log: readonly LogAtom[], prompt: readonly Atom[]): Match {
  let promptIndex = 0
  let messageStart = 0
  for (const [index, atom] of log.entries()) {
    if (log[index - 1]?.seq !== atom.seq) messageStart = promptIndex
    const next = prompt[promptIndex]
    if (isAlike(atom, next)) promptIndex += 1
    else if (next === undefined || !atom.isCutOff)
      return { kind: 'diverges', at: atom.seq, newFrom: messageStart }
  }
  return { kind: 'continues', newFrom: promptIndex }
}

/** For a prompt that has the end of the conversation, or only new messages. */
export function matchRecent(log: readonly LogAtom[], prompt: readonly Atom[]): Match {
  const newFrom = overlap(log, prompt)
  // Clients may have dropped a reply at the end that was cut off.
  const complete = log.slice(0, log.findLastIndex(({ isCutOff }) => !isCutOff) + 1)
  const firstCutOff = log[complete.length]
  if (newFrom > 0 || firstCutOff === undefined) return { kind: 'continues', newFrom }
  const newAfterComplete = overlap(complete, prompt)
  return newAfterComplete === prompt.length && newAfterComplete > 0
    ? { kind: 'diverges', at: firstCutOff.seq, newFrom: newAfterComplete }
    : { kind: 'continues', newFrom: newAfterComplete }
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

function isAlike(logged: LogAtom | undefined, sent: Atom | undefined): boolean {
  if (logged === undefined || sent === undefined) return false
  if (logged.key === sent.key) return true
  if (logged.kind !== sent.kind) return false
  const isSameCall = logged.callId === sent.callId
  switch (logged.kind) {
    case 'call':
      return isSameCall && (logged.name === sent.name || logged.inputHash === sent.inputHash)
    case 'result':
      // The SDK changes the form of results of providers' own tools.
      return isSameCall && logged.detail === 'assistant'
    case 'file':
      // A URL in one of them, and its downloaded bytes in the other.
      return logged.detail !== sent.detail
    case 'text': {
      const [loggedText, sentText] = [logged.detail, sent.detail]
      if (!logged.isCutOff || loggedText === null || sentText === null) return false
      return loggedText.startsWith(sentText) || sentText.startsWith(loggedText)
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
  readonly inputHash: string | null
  /** A text that may have been cut off; the role of a result; the kind of a file's source. */
  readonly detail: string | null
  /** The index of its part in the message. */
  readonly partIndex: number
}

/** `keepsText` keeps texts for comparison with texts that were cut off. */
export function atomsOf({ role, parts }: Pick<Message, 'role' | 'parts'>, keepsText: boolean) {
  return parts.flatMap((part, partIndex): readonly Atom[] => {
    const atom = atomOf(part, role, keepsText)
    return atom === null ? [] : [{ ...atom, partIndex }]
  })
}

function atomOf(part: Part, role: Role, keepsText: boolean): Omit<Atom, 'partIndex'> | null {
  const common = { key: keyOf(part, role), callId: null, name: null, inputHash: null, detail: null }
  switch (part.type) {
    case 'reasoning':
      return null
    case 'text':
      if (part.text === '') return null
      return { ...common, kind: 'text', detail: keepsText ? part.text : null }
    case 'tool-call': {
      const { callId, name } = part
      const inputHash = hash128(canonicalJson(asParsed(part.input)))
      return { ...common, kind: 'call', callId, name, inputHash }
    }
    case 'tool-result': {
      // Providers that run a tool have its result in the assistant's message.
      const key = keyOf(part, 'tool')
      return { ...common, key, kind: 'result', callId: part.callId, detail: role }
    }
    case 'file':
      return { ...common, kind: 'file', detail: part.source.kind }
    case 'opaque':
      return droppedKinds.test(part.kind) ? null : { ...common, kind: 'other' }
    default:
      return { ...common, kind: 'other' }
  }
}

const droppedKinds = /^ai-sdk\/(?:reasoning-file|tool-approval-request)$/

function keyOf(part: Part, role: Role): string {
  const compared = part.type === 'tool-call' ? { ...part, input: asParsed(part.input) } : part
  return hash128(canonicalText({ role, author: null, parts: [compared] }))
}

/** The SDK passes on the parsed value, which loses the original spelling of numbers. */
function asParsed(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(input))
  } catch {
    return input
  }
}

/** 128 bits are also enough against deliberate collisions. */
function hash128(text: string): string {
  return sha256(text).slice(0, 32)
}
