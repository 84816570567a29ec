/** One conversation in memory. A fork reads shared messages from its source. */
import { type Conversation, chainStart, noControl } from '../../domain/conversation.ts'
import type { DerivedRow } from '../../domain/derived-row.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import { type ConversationId, messageId, type Seq, type TenantId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { KnownKey, LogState, PlacedEntry, Placement } from '../../domain/placement.ts'
import { clientKey, decodeBody, isRemoved } from '../../domain/sealed-message.ts'
import type { IndexedPiece } from '../../domain/search-index.ts'
import type {
  CommitCommand,
  CreateCommand,
  ReadQuery,
  RecordCommand,
  RecordOutcome,
  RowQuery,
} from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { readRows } from '../derived-read.ts'
import { renewTitle } from '../renew-title.ts'
import type { MessageState, RewrittenLog, RowChange } from '../rewrite-log.ts'
import { MemoryDerived, type MemorySegment, memoryRows, rowsShared } from './derived.ts'
import { type MemoryRow, MemoryRows } from './rows.ts'
import { MemoryIndex } from './search-index.ts'

let serials = 0

export type MemoryLogs = ReadonlyMap<ConversationId, MemoryLog>

export class MemoryLog implements LogState, RewrittenLog {
  /** Differs from the serial of a purged conversation with the same id. */
  readonly serial = ++serials
  readonly derived = new MemoryDerived()
  readonly index: MemoryIndex
  readonly #events: EngineEvent[] = []
  readonly #logs: MemoryLogs
  #conversation: Conversation
  #source: MemoryLog | null
  readonly #rows: MemoryRows

  constructor(logs: MemoryLogs, conversation: Conversation, source: MemoryLog | null = null) {
    this.#logs = logs
    this.#conversation = conversation
    this.#source = source
    const forkSeq = this.#forkSeq
    this.#rows = new MemoryRows(forkSeq, source === null ? [] : source.#rows.waitingBefore(forkSeq))
    this.index = new MemoryIndex(() => this.source())
    const { parent, forkedFrom, createdAt } = conversation
    this.#addEvent({ kind: 'conversation-created', parent, forkedFrom }, createdAt)
  }

  get conversation(): Conversation {
    return structuredClone(this.#conversation)
  }
  /** Not a copy; only the store reads it. */
  get current(): Conversation {
    return this.#conversation
  }
  events(after: number, limit: number): readonly EngineEvent[] {
    return structuredClone(this.#events.slice(after, after + limit))
  }
  get id(): ConversationId {
    return this.#conversation.id
  }
  get head(): Seq {
    return this.#conversation.head
  }
  source(): { readonly log: MemoryLog; readonly at: Seq } | null {
    return this.#source && { log: this.#source, at: this.#forkSeq }
  }
  forks(): readonly MemoryLog[] {
    return [...this.#logs.values()].filter((other) => other.#source === this)
  }
  get chain(): string {
    return this.#conversation.chain
  }

  findKey(key: string): KnownKey | null {
    for (const { log, to } of this.#segments()) {
      const known = log.#rows.findKey(key)
      if (known !== null && known.seq < to) return known
    }
    return null
  }

  findWaitingCall(callId: string, before: Seq): Seq | null {
    return this.#rows.findWaitingCall(callId, before)
  }

  read(query: Omit<ReadQuery, 'id'>): readonly Message[]
  read(query: ReadQuery): readonly Message[] {
    const { span, except } = 'span' in query ? query : spanBefore(query, this.head)
    const messages: Message[] = []
    const skipped = new Set(except)
    for (let seq = span.from; seq < Math.min(span.to, this.head); seq += 1)
      if (!skipped.has(seq)) messages.push(this.#message(this.#row(seq)))
    return messages
  }

  chainOf(seq: Seq): string | null {
    return seq < this.head ? this.#row(seq).chain : null
  }

  original(seq: Seq): Uint8Array | null {
    if (seq >= this.head) return null
    const { raw, body } = this.#row(seq).message
    return raw === null ? new TextEncoder().encode(body) : new Uint8Array(raw)
  }

  file(sha256: string): Uint8Array | null {
    for (const { log, to } of this.#segments()) {
      const file = log.#rows.file(sha256)
      if (file !== undefined && file.seq < to) return new Uint8Array(file.bytes)
    }
    return null
  }

  write(placement: Placement & { kind: 'placed' }, at: number): void {
    const written = placement.entries.filter((entry) => !entry.repeated)
    for (const entry of written) this.#rows.add(entry)
    if (written.length === 0) return
    const span = { from: this.head, to: placement.head }
    this.#conversation = { ...this.#conversation, head: placement.head, chain: placement.chain }
    this.#addEvent({ kind: 'messages-appended', span }, at)
  }

  rows(query: RowQuery): readonly DerivedRow[] {
    if (query.unlessVersion === this.#conversation.version) return []
    return readRows(query, this.#derivedSegments(), memoryRows)
  }

  commit(command: Omit<CommitCommand, 'id' | 'expectedVersion'>): void {
    const { fields, relabel = [], events, at, ...rows } = structuredClone(command)
    this.derived.write(rows, this.head)
    for (const each of relabel) this.derived.relabel(each)
    const { version } = this.#conversation
    const isTitled = fields?.title !== undefined
    this.#conversation = {
      ...this.#conversation,
      ...(isTitled && { titleFrom: null }),
      ...fields,
      version: version + 1,
    }
    for (const event of events) this.#addEvent(event, at)
  }

  record(command: RecordCommand): RecordOutcome {
    const { only, note, events = [], at = 0, ...rows } = structuredClone(command)
    if (only !== undefined) {
      const row = this.derived.find(only.row)
      if (only.serial !== this.serial) return { kind: 'not-found' }
      if (only.rewrites !== this.#conversation.rewrites) return { kind: 'rewritten' }
      if (row === null) return { kind: 'not-found' }
      if (row.bound !== only.row.bound) return { kind: 'row-changed' }
    }
    this.derived.write(rows, this.head)
    if (note !== undefined) this.derived.note(note)
    for (const event of events) this.#addEvent(event, at)
    return { kind: 'recorded' }
  }

  fork(command: CreateCommand, forkSeq: Seq): MemoryLog {
    // The fork refers to the log that owns the last shared message.
    let source: MemoryLog = this
    while (source.#source !== null && forkSeq <= source.#forkSeq) source = source.#source
    const { pins, pinnedTo, compaction } = this.#conversation
    const conversation = {
      ...emptyConversation(source.#conversation.tenant, command),
      head: forkSeq,
      chain: forkSeq === 0 ? chainStart : this.#row(forkSeq - 1).chain,
      // This conversation may have pinned messages that `source` owns.
      pins: pins.filter((seq) => seq < forkSeq),
      pinnedTo: Math.min(forkSeq, pinnedTo),
      compaction: { ...noControl, mode: compaction.mode },
      forkedFrom: { conversationId: source.id, at: forkSeq },
    }
    const forked = new MemoryLog(this.#logs, conversation, source)
    const last = this.#positionsBefore(forkSeq)
    forked.derived.shared = Math.min(last, this.#positionsSharedWith(source))
    const own = { from: forked.derived.shared + 1, to: last + 1 }
    forked.derived.addMissing(rowsShared(this.#derivedSegments(), 'snapshot', own))
    return forked
  }

  messageState(seq: Seq): MessageState {
    const row = this.#row(seq)
    const { contentHash, calls, answers, body } = row.message
    const { role } = decodeBody(body)
    return { role, removed: isRemoved(row), contentHash, former: row.former ?? [], calls, answers }
  }

  copyShared(seq: Seq): void {
    const shared = this.source()
    if (shared === null || seq >= shared.at) return
    const span = { from: seq, to: shared.at }
    const rows = Array.from({ length: span.to - seq }, (_, index) => this.#row(seq + index))
    this.derived.addMissing(rowsShared(this.#derivedSegments(), 'rows', span))
    let source = shared.log
    while (source.#source !== null && seq <= source.#forkSeq) {
      // This log is no longer a source, but may have derived rows of shared messages.
      const [own] = source.#derivedSegments()
      if (own !== undefined)
        this.derived.addMissing(rowsShared([own], 'rows', { from: 0, to: seq }))
      source = source.#source
    }
    const positions = Math.min(this.#positionsBefore(seq), this.#positionsSharedWith(source))
    const own = { from: positions + 1, to: this.derived.shared + 1 }
    this.derived.addMissing(rowsShared(this.#derivedSegments(), 'snapshot', own))
    this.derived.shared = positions
    this.#source = source
    const forkedFrom = { conversationId: source.#conversation.id, at: seq }
    this.#conversation = { ...this.#conversation, forkedFrom }
    this.#rows.prepend(rows)
    this.index.reset()
  }

  replace(seq: Seq, change: RowChange): void {
    this.#rows.replace(seq, change)
  }

  replay(from: Seq, calls: ReadonlySet<string> | null): readonly Seq[] {
    // Before its first own message, only the source knows which calls have no result.
    const known = from === this.#forkSeq && this.#source ? this.#source.#rows : this.#rows
    const before = {
      chain: from === 0 ? chainStart : this.#row(from - 1).chain,
      waiting: known.waitingBefore(from),
    }
    const { chain, answering } = this.#rows.replay(from, before, calls, sha256)
    this.#conversation = { ...this.#conversation, chain }
    return answering
  }

  dropDerived(places: readonly Seq[], keys: KeptKeys): void {
    this.derived.forget(places, keys, this.#derivedSegments())
    const bodyAt = (seq: Seq) => (seq < this.head ? decodeBody(this.#row(seq).message.body) : null)
    this.#conversation = { ...this.#conversation, ...renewTitle(this.current, places, bodyAt) }
  }

  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void {
    this.index.reindex(places, pieces)
  }

  addVersion(event: EventBody, at: number, unpinned: readonly Seq[]): void {
    const { version, rewrites, pins } = this.#conversation
    this.#conversation = {
      ...this.#conversation,
      pins: pins.filter((seq) => !unpinned.includes(seq)),
      version: version + 1,
      rewrites: rewrites + 1,
    }
    this.#addEvent(event, at)
  }

  /** This log and its sources, newest first, each up to the point of the fork. */
  *#segments(): Generator<{ readonly log: MemoryLog; readonly to: Seq }> {
    let to = this.head
    for (let log: MemoryLog | null = this; log !== null; log = log.#source) {
      yield { log, to }
      to = Math.min(to, log.#forkSeq)
    }
  }

  #derivedSegments(): readonly MemorySegment[] {
    const segments: MemorySegment[] = []
    let last = Number.MAX_SAFE_INTEGER - 1
    for (const { log, to } of this.#segments()) {
      const after = log.derived.shared
      segments.push({ owner: log.derived, to, after, last })
      last = Math.min(last, after)
    }
    return segments
  }

  /** The row position before the first snapshot row that depends on messages from `seq` on. */
  #positionsBefore(seq: Seq): number {
    let last = this.derived.shared
    for (const { position, bound } of rowsShared(this.#derivedSegments(), 'snapshot', everywhere)) {
      if (bound !== null && bound > seq) return Math.max(0, position - 1)
      last = Math.max(last, position)
    }
    return last
  }

  /** The last row position that a fork reads from a source; forks between the two can lower it. */
  #positionsSharedWith(source: MemoryLog): number {
    let shared = Number.MAX_SAFE_INTEGER
    for (let log: MemoryLog | null = this; log !== null && log !== source; log = log.#source)
      shared = Math.min(shared, log.derived.shared)
    return shared
  }

  get #forkSeq(): Seq {
    return this.#conversation.forkedFrom?.at ?? 0
  }

  #row(seq: Seq): MemoryRow {
    let log: MemoryLog = this
    while (log.#source !== null && seq < log.#forkSeq) log = log.#source
    return log.#rows.row(seq)
  }

  #message({ message, seq, chain, marks }: PlacedEntry): Message {
    return {
      id: messageId(this.#conversation.id, seq),
      conversationId: this.#conversation.id,
      seq,
      ...decodeBody(message.body),
      createdAt: message.createdAt,
      key: message.key && clientKey(message.key.value),
      hashes: { content: message.contentHash, canonical: message.canonicalHash, chain },
      marks: structuredClone(marks),
    }
  }

  #addEvent(body: EventBody, at: number): void {
    this.#events.push({ ...body, number: this.#events.length + 1, at })
  }
}

export function emptyConversation(
  tenant: TenantId,
  { id, title, meta, parent, at }: Omit<CreateCommand, 'forkedFrom'>,
): Conversation {
  return {
    ...{ id, tenant, title, titleFrom: null, meta, head: 0, chain: chainStart },
    ...{ version: 0, rewrites: 0, pins: [], pinnedTo: 0, compaction: noControl },
    ...{ parent, forkedFrom: null, createdAt: at },
  }
}

const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

function spanBefore(
  { before, limit }: { readonly before: Seq; readonly limit: number },
  head: Seq,
) {
  const to = Math.min(before, head)
  return { span: { from: Math.max(0, to - limit), to }, except: [] }
}
