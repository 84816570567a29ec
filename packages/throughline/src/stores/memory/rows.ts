/** The own rows of a log in memory, with the indexes that a database would keep. */
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
  /** Hashes before edits and removals. */
  readonly former?: readonly string[]
}

/** A tool call and the message with its result: infinity while it waits. */
interface Call extends WaitingCall {
  answeredBy: Seq
}
const unanswered = Number.POSITIVE_INFINITY

export class MemoryRows {
  /** The position of the first row. */
  #from: Seq
  #rows: MemoryRow[] = []
  /** Oldest first, with the calls of its source that waited at the fork. */
  #calls: Call[] = []
  readonly #keys = new Map<string, Seq>()
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly seq: Seq }>()

  constructor(from: Seq, waiting: readonly WaitingCall[]) {
    this.#from = from
    this.#indexAll(waiting)
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

  /** `seq` is the first message with the file. */
  file(sha256: string): { readonly bytes: Uint8Array; readonly seq: Seq } | undefined {
    return this.#files.get(sha256)
  }

  findWaitingCall(callId: string, before: Seq): Seq | null {
    const isFound = (call: Call) =>
      call.callId === callId && call.seq < before && call.answeredBy === unanswered
    return this.#calls.findLast(isFound)?.seq ?? null
  }

  /** The calls before `at` without a result before `at`, oldest first. */
  waitingBefore(at: Seq): readonly WaitingCall[] {
    return this.#calls
      .filter(({ seq, answeredBy }) => seq < at && answeredBy >= at)
      .map(({ callId, seq }) => ({ callId, seq }))
  }

  add(entry: MemoryRow): void {
    const { message, seq } = entry
    assertInvariant(
      seq === this.#from + this.#rows.length,
      INVARIANT.dense,
      `message ${seq} is not the next one`,
    )
    this.#rows.push(entry)
    this.#index(entry)
    for (const callId of message.calls) this.#calls.push({ callId, seq, answeredBy: unanswered })
    for (const { callId, callSeq } of entry.answered) {
      const isAnswered = (call: Call) =>
        call.callId === callId && call.seq === callSeq && call.answeredBy === unanswered
      const call = this.#calls.findLast(isAnswered)
      if (call !== undefined) call.answeredBy = seq
    }
  }

  prepend(entries: readonly MemoryRow[]): void {
    this.#rows = [...entries, ...this.#rows]
    this.#from -= entries.length
    this.#indexAll(this.waitingBefore(unanswered))
  }

  replace(seq: Seq, { message, createdAt, removed, keepsKey, former }: RowChange): void {
    const { message: old, ...row } = this.row(seq)
    const kept = { createdAt: createdAt ?? old.createdAt, key: keepsKey ? old.key : null }
    const marks = removed ? [removedMark] : []
    this.#rows[seq - this.#from] = { ...row, message: { ...message, ...kept }, marks, former }
  }

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
      this.#rows[at] = { ...row, ...replay.take({ ...message, removed: isRemoved(row) }, seq) }
      if (message.answers.some((callId) => calls?.has(callId))) answering.push(seq)
    }
    this.#indexAll(replay.waiting)
    return { chain: replay.chain, answering }
  }

  #indexAll(waiting: readonly WaitingCall[]): void {
    this.#keys.clear()
    this.#files.clear()
    for (const row of this.#rows) this.#index(row)
    const answered = this.#rows.flatMap((row) =>
      row.answered.map(({ callId, callSeq }) => ({ callId, seq: callSeq, answeredBy: row.seq })),
    )
    this.#calls = [...waiting.map((call) => ({ ...call, answeredBy: unanswered })), ...answered]
    this.#calls.sort((left, right) => left.seq - right.seq)
  }

  #index({ message, seq }: MemoryRow): void {
    if (message.key) this.#keys.set(message.key.value, seq)
    for (const { sha256, bytes } of message.files)
      if (!this.#files.has(sha256)) this.#files.set(sha256, { bytes, seq })
  }
}
