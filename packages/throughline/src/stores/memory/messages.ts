/** The messages that a log in memory owns, with the indexes that a database would keep. */
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import {
  type KnownKey,
  type PlacedEntry,
  Replay,
  type ReplayStart,
  type UnansweredCall,
} from '../../domain/placement.ts'
import { isRemoved, removedMark } from '../../domain/sealed-message.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { RowChange } from '../rewrite-log.ts'

export interface MessageRow extends PlacedEntry {
  /** Hashes before edits and removals. */
  readonly former?: readonly string[]
}

/** A tool call, and the place of the message with its result: infinity while there is none. */
interface ToolCall extends UnansweredCall {
  answeredAt: Seq
}
const never = Number.POSITIVE_INFINITY

export class MemoryMessages {
  /** The place of the first row. */
  #from: Seq
  #rows: MessageRow[] = []
  /** Oldest first; a fork also has the calls of its source that had no result at the fork. */
  #calls: ToolCall[] = []
  readonly #keys = new Map<string, Seq>()
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly seq: Seq }>()

  constructor(from: Seq, inherited: readonly UnansweredCall[]) {
    this.#from = from
    this.#indexAll(inherited)
  }

  copy(): {
    readonly messages: readonly MessageRow[]
    readonly unanswered: readonly UnansweredCall[]
  } {
    return { messages: this.#rows, unanswered: this.unansweredBefore(never) }
  }

  /** Replaces everything by what `copy` returned. */
  restore(messages: readonly MessageRow[], unanswered: readonly UnansweredCall[]): void {
    this.#rows = [...messages]
    this.#indexAll(unanswered)
  }

  row(seq: Seq): MessageRow {
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

  findUnansweredCall(callId: string, before: Seq): Seq | null {
    const isUnanswered = (call: ToolCall) =>
      call.callId === callId && call.seq < before && call.answeredAt === never
    return this.#calls.findLast(isUnanswered)?.seq ?? null
  }

  /** The calls before `at` without a result before `at`, oldest first. */
  unansweredBefore(at: Seq): readonly UnansweredCall[] {
    return this.#calls
      .filter(({ seq, answeredAt }) => seq < at && answeredAt >= at)
      .map(({ callId, seq }) => ({ callId, seq }))
  }

  add(entry: MessageRow): void {
    const { message, seq } = entry
    assertInvariant(
      seq === this.#from + this.#rows.length,
      INVARIANT.dense,
      `message ${seq} is not the next one`,
    )
    this.#rows.push(entry)
    this.#index(entry)
    for (const callId of message.calls) this.#calls.push({ callId, seq, answeredAt: never })
    for (const { callId, callSeq } of entry.answered) {
      const isAnswered = (call: ToolCall) =>
        call.callId === callId && call.seq === callSeq && call.answeredAt === never
      const call = this.#calls.findLast(isAnswered)
      if (call !== undefined) call.answeredAt = seq
    }
  }

  prepend(entries: readonly MessageRow[]): void {
    this.#rows = [...entries, ...this.#rows]
    this.#from -= entries.length
    this.#indexAll(this.unansweredBefore(never))
  }

  replace(seq: Seq, { message, createdAt, removed, keepsKey, former }: RowChange): void {
    const { message: old, ...row } = this.row(seq)
    this.#rows[seq - this.#from] = {
      ...row,
      message: {
        ...message,
        createdAt: createdAt ?? old.createdAt,
        key: keepsKey ? old.key : null,
      },
      marks: removed ? [removedMark] : [],
      former,
    }
  }

  /** Recomputes chains, answers and marks from `from` on. See `RewrittenLog.replay`. */
  replay(
    from: Seq,
    before: ReplayStart,
    changedCalls: ReadonlySet<string> | null,
    sha256: Sha256,
  ): { readonly chain: string; readonly answering: readonly Seq[] } {
    const replay = new Replay(before, sha256)
    const answering: Seq[] = []
    for (let index = from - this.#from; index < this.#rows.length; index += 1) {
      const row = this.row(this.#from + index)
      const { message, seq } = row
      this.#rows[index] = { ...row, ...replay.take({ ...message, removed: isRemoved(row) }, seq) }
      if (message.answers.some((callId) => changedCalls?.has(callId))) answering.push(seq)
    }
    this.#indexAll(replay.unanswered)
    return { chain: replay.chain, answering }
  }

  #indexAll(unanswered: readonly UnansweredCall[]): void {
    this.#keys.clear()
    this.#files.clear()
    for (const row of this.#rows) this.#index(row)
    const answered = this.#rows.flatMap((row) =>
      row.answered.map(({ callId, callSeq }) => ({ callId, seq: callSeq, answeredAt: row.seq })),
    )
    this.#calls = [...unanswered.map((call) => ({ ...call, answeredAt: never })), ...answered]
    this.#calls.sort((left, right) => left.seq - right.seq)
  }

  #index({ message, seq }: MessageRow): void {
    if (message.key) this.#keys.set(message.key.value, seq)
    for (const { sha256, bytes } of message.files)
      if (!this.#files.has(sha256)) this.#files.set(sha256, { bytes, seq })
  }
}
