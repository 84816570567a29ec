/** The rows that a log in memory has itself, and the indexes that a database would keep. */
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import {
  type KnownKey,
  type PlacedEntry,
  Replay,
  type WaitingCall,
} from '../../domain/placement.ts'
import { isRemoved, removedMark } from '../../domain/sealed-message.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { RowChange } from '../rewrite-log.ts'

export interface MemoryRow extends PlacedEntry {
  /** Hashes of what stood there before it was edited or removed. */
  readonly former?: readonly string[]
}

export class MemoryRows {
  readonly calls = new MemoryWaitingCalls()
  /** The place of the first of them. */
  #from: Seq
  #rows: MemoryRow[] = []
  readonly #keys = new Map<string, Seq>()
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly seq: Seq }>()

  constructor(from: Seq) {
    this.#from = from
  }

  row(seq: Seq): MemoryRow {
    const row = this.#rows[seq - this.#from]
    assertInvariant(row !== undefined, INVARIANT.dense, `message ${seq} is missing`)
    return row
  }

  findKey(key: string): KnownKey | null {
    const seq = this.#keys.get(key)
    const row = seq === undefined ? undefined : this.row(seq)
    return row?.message.key ? { ...row, keyHash: row.message.key.hash } : null
  }

  /** The place is the first that holds it. */
  file(sha256: string): { readonly bytes: Uint8Array; readonly seq: Seq } | undefined {
    return this.#files.get(sha256)
  }

  add(entry: MemoryRow): void {
    const { message, seq } = entry
    assertInvariant(
      seq === this.#from + this.#rows.length,
      INVARIANT.dense,
      `place ${seq} is not the next`,
    )
    this.#rows.push(entry)
    this.#index(entry)
    for (const callId of message.calls) this.calls.add(callId, seq)
    for (const { callId, callSeq } of entry.answered)
      this.calls.answer({ callId, seq: callSeq, answeredBy: seq })
  }

  /** Those that stand right before the first. */
  prepend(entries: readonly MemoryRow[]): void {
    this.#rows = [...entries, ...this.#rows]
    this.#from -= entries.length
    this.#indexAll()
  }

  replace(seq: Seq, { message, createdAt, removed, keepsKey, former }: RowChange): void {
    const { message: old, ...row } = this.row(seq)
    const changed = {
      ...message,
      createdAt: createdAt ?? old.createdAt,
      key: keepsKey ? old.key : null,
    }
    const marks = removed ? [removedMark] : []
    this.#rows[seq - this.#from] = { ...row, message: changed, marks, former }
  }

  /** See `RewrittenLog`. */
  replay(
    from: Seq,
    before: { readonly chain: string; readonly waiting: readonly WaitingCall[] },
    calls: ReadonlySet<string> | null,
    sha256: Sha256,
  ): { readonly chain: string; readonly answering: readonly Seq[] } {
    const replay = new Replay(before, sha256)
    const answering: Seq[] = []
    for (let at = from - this.#from; at < this.#rows.length; at += 1) {
      const row = this.row(this.#from + at)
      const { message, seq } = row
      const removed = isRemoved(row)
      this.#rows[at] = { ...row, ...replay.take({ ...message, removed }, seq) }
      if (message.answers.some((callId) => calls?.has(callId))) answering.push(seq)
    }
    this.calls.setWaiting(replay.waiting)
    this.#indexAll()
    return { chain: replay.chain, answering }
  }

  #indexAll(): void {
    this.#keys.clear()
    this.#files.clear()
    for (const row of this.#rows) this.#index(row)
    const answered = this.#rows.flatMap((row) =>
      row.answered.map(({ callId, callSeq }) => ({ callId, seq: callSeq, answeredBy: row.seq })),
    )
    this.calls.setAnswered(answered)
  }

  #index({ message, seq }: MemoryRow): void {
    if (message.key) this.#keys.set(message.key.value, seq)
    for (const { sha256, bytes } of message.files)
      if (!this.#files.has(sha256)) this.#files.set(sha256, { bytes, seq })
  }
}

/** Calls of tools that have no result yet, and which results have come since, for forks. */
interface AnsweredCall {
  readonly callId: string
  readonly seq: Seq
  readonly answeredBy: Seq
}

class MemoryWaitingCalls {
  /** Places of calls without a result, by id, oldest first. */
  readonly #waiting = new Map<string, Seq[]>()
  #answered: AnsweredCall[] = []

  /** The newest one of that id before that place. */
  find(callId: string, before: Seq): Seq | null {
    return this.#waiting.get(callId)?.findLast((seq) => seq < before) ?? null
  }

  add(callId: string, seq: Seq): void {
    const places = this.#waiting.get(callId)
    if (places === undefined) this.#waiting.set(callId, [seq])
    else places.push(seq)
  }

  answer({ callId, seq, answeredBy }: AnsweredCall): void {
    const places = this.#waiting.get(callId) ?? []
    places.splice(places.lastIndexOf(seq), 1)
    if (places.length === 0) this.#waiting.delete(callId)
    this.#answered.push({ callId, seq, answeredBy })
  }

  /** The calls that were waiting before a place, oldest first. */
  before(at: Seq): readonly WaitingCall[] {
    const waiting = [...this.#waiting].flatMap(([callId, places]) =>
      places.map((seq) => ({ callId, seq })),
    )
    // These were answered since.
    const answered = this.#answered.filter(({ answeredBy }) => answeredBy >= at)
    return [...waiting, ...answered.map(({ callId, seq }) => ({ callId, seq }))]
      .filter(({ seq }) => seq < at)
      .sort((left, right) => left.seq - right.seq)
  }

  /** As a log has them that is another one from some place on. */
  setWaiting(waiting: readonly WaitingCall[]): void {
    this.#waiting.clear()
    for (const { callId, seq } of waiting) this.add(callId, seq)
  }

  setAnswered(answered: readonly AnsweredCall[]): void {
    this.#answered = [...answered]
  }
}
