/**
 * Assigns places to appended messages. Every store runs this in its transaction, so that stores
 * cannot differ.
 *
 * Places have no gaps. A known key with the same content gets its first place again; with other
 * content the whole batch is refused. A result answers the nearest unanswered call of its id. A
 * result without a call is accepted and marked, because imports and clients send them.
 */
import type { Sha256 } from './hash.ts'
import type { Seq } from './ids.ts'
import type { Mark } from './message.ts'
import { removedMark, type SealedMessage } from './sealed-message.ts'

/** A store's view of its log; asked only for keys and calls that occur. */
export interface LogState {
  readonly head: Seq
  readonly chain: string
  findKey(key: string): KnownKey | null
  /** The newest call of that id before that place that has no result yet. */
  findUnansweredCall(callId: string, before: Seq): Seq | null
}

/** A message whose key is known. */
export interface KnownKey extends Pick<PlacedEntry, 'seq' | 'chain' | 'marks'> {
  readonly keyHash: string
}

export type Placement =
  | {
      readonly kind: 'placed'
      readonly entries: readonly PlacedEntry[]
      readonly head: Seq
      readonly chain: string
    }
  | { readonly kind: 'key-conflict'; readonly key: string; readonly seq: Seq }
  | { readonly kind: 'head-moved'; readonly head: Seq }

/** A message with its place, as a store writes it. */
export interface PlacedEntry {
  readonly seq: Seq
  readonly chain: string
  readonly marks: readonly Mark[]
  /** The key was known: nothing is written for this message. */
  readonly repeated: boolean
  readonly message: SealedMessage
  /** Calls of earlier messages that this one answers. */
  readonly answered: readonly { readonly callId: string; readonly callSeq: Seq }[]
}

/**
 * Assigns places to messages: the one algorithm that every store runs inside its transaction.
 *
 * @example
 * const placement = place(sealed, log, sha256)
 * if (placement.kind === 'placed')
 *   for (const { seq, chain, repeated, message } of placement.entries)
 *     if (!repeated) console.log('write', seq, chain, message.body)
 */
export function place(
  messages: readonly SealedMessage[],
  state: LogState,
  sha256: Sha256,
  expectedHead: Seq = state.head,
): Placement {
  let { head, chain } = state
  const entries: PlacedEntry[] = []
  const keys = new Map<string, KnownKey>()
  const answer = callAnswerer(state)
  for (const message of messages) {
    const known = message.key && (keys.get(message.key.value) ?? state.findKey(message.key.value))
    if (message.key && known) {
      if (known.keyHash !== message.key.hash)
        return { kind: 'key-conflict', key: message.key.value, seq: known.seq }
      entries.push({ ...known, repeated: true, message, answered: [] })
      continue
    }
    chain = chainHash(chain, message.canonicalHash, head, sha256)
    const { answered, marks } = answer(message, head)
    const entry = { seq: head, chain, marks, repeated: false, message, answered }
    if (message.key) keys.set(message.key.value, { ...entry, keyHash: message.key.hash })
    entries.push(entry)
    head += 1
  }
  // A retry of stored messages adds nothing, so it may expect any head.
  if (head > state.head && state.head !== expectedHead)
    return { kind: 'head-moved', head: state.head }
  return { kind: 'placed', entries, head, chain }
}

/** Messages that share the first half of their chain hashes. See `chainHash`. */
export const segmentMessages = 1_024

/**
 * The chain hash of the message at `seq`: a hash of all messages before its segment, then a hash of
 * the messages of its segment up to it. A changed message changes the second half in its segment
 * only, and a store keeps the first half once per segment; so a rewrite updates few rows.
 *
 * @example
 * const chain = chainHash(chainStart, sealed[0]?.canonicalHash ?? '', 0, sha256)
 * const { before, within } = chainHalves(chain)
 * const row = { within, before: 0 % segmentMessages === 0 ? before : null }
 */
export function chainHash(
  previous: string,
  canonicalHash: string,
  seq: Seq,
  sha256: Sha256,
): string {
  if (seq % segmentMessages === 0) return sha256(previous) + sha256(canonicalHash)
  const { before, within } = chainHalves(previous)
  return before + sha256(within + canonicalHash)
}

/** The two halves of a chain hash. See `chainHash`. */
export function chainHalves(chain: string): { readonly before: string; readonly within: string } {
  return { before: chain.slice(0, hashCharacters), within: chain.slice(hashCharacters) }
}

const hashCharacters = 64

/** Answers calls without a result: of this batch first, then of the log. */
function callAnswerer(state: LogState): (message: SealedMessage, seq: Seq) => Answered {
  /** Calls of this batch: their places, by id. */
  const added = new Map<string, Seq[]>()
  /** The first call that this batch answers, by id: the store still returns it as unanswered. */
  const answeredFrom = new Map<string, Seq>()
  const close = (callId: string): Seq | null => {
    const place = added.get(callId)?.pop()
    if (place !== undefined) return place
    const callSeq = state.findUnansweredCall(callId, answeredFrom.get(callId) ?? state.head)
    if (callSeq !== null) answeredFrom.set(callId, callSeq)
    return callSeq
  }
  return ({ calls, answers }, seq) => {
    for (const callId of calls) addPlace(added, callId, seq)
    return answeredBy(answers, close)
  }
}

type Answered = Pick<PlacedEntry, 'answered' | 'marks'>

/** `close` returns the place of the unanswered call of an id, which is answered from then on. */
function answeredBy(
  answers: readonly string[],
  close: (callId: string) => Seq | null | undefined,
): Answered {
  const answered: { callId: string; callSeq: Seq }[] = []
  const marks: Mark[] = []
  for (const callId of answers) {
    const callSeq = close(callId) ?? null
    if (callSeq === null) marks.push({ kind: 'orphan-result', callId })
    else answered.push({ callId, callSeq })
  }
  return { answered, marks }
}

function addPlace(places: Map<string, Seq[]>, callId: string, seq: Seq): void {
  const others = places.get(callId)
  if (others === undefined) places.set(callId, [seq])
  else others.push(seq)
}

/** A call without a result. */
export interface UnansweredCall {
  readonly callId: string
  readonly seq: Seq
}

/** The state before the first replayed message; the calls are oldest first. */
export interface ReplayStart {
  readonly chain: string
  readonly unanswered: readonly UnansweredCall[]
}

export type ReplayedMessage = Pick<SealedMessage, 'canonicalHash' | 'calls' | 'answers'> & {
  readonly removed: boolean
}

export type Replayed = Pick<PlacedEntry, 'chain' | 'marks' | 'answered'>

/**
 * Recomputes chains, answered calls and marks of the messages after a changed one. Every store runs
 * it in its transaction, a page at a time.
 *
 * @example
 * const replay = new Replay({ chain: chainStart, unanswered: [] }, sha256)
 * for (const [seq, row] of sealed.entries()) {
 *   const { chain, marks, answered } = replay.take({ ...row, removed: false }, seq)
 *   console.log('update', seq, chain, marks, answered)
 * }
 */
export class Replay {
  readonly #sha256: Sha256
  /** Places of unanswered calls, by id, oldest first. */
  readonly #unanswered = new Map<string, Seq[]>()
  #chain: string

  constructor(before: ReplayStart, sha256: Sha256) {
    this.#sha256 = sha256
    this.#chain = before.chain
    for (const { callId, seq } of before.unanswered) addPlace(this.#unanswered, callId, seq)
  }

  take({ canonicalHash, calls, answers, removed }: ReplayedMessage, seq: Seq): Replayed {
    this.#chain = chainHash(this.#chain, canonicalHash, seq, this.#sha256)
    for (const callId of calls) addPlace(this.#unanswered, callId, seq)
    const { answered, marks } = answeredBy(answers, (callId) => this.#unanswered.get(callId)?.pop())
    return { chain: this.#chain, marks: removed ? [removedMark, ...marks] : marks, answered }
  }

  get chain(): string {
    return this.#chain
  }

  get unanswered(): readonly UnansweredCall[] {
    return [...this.#unanswered].flatMap(([callId, places]) =>
      places.map((seq) => ({ callId, seq })),
    )
  }
}
