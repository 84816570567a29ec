/** One conversation in memory. A fork reads the messages that it shares from its source. */
import { type Conversation, chainStart, noControl } from '../../domain/conversation.ts'
import type { DerivedRow } from '../../domain/derived-row.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import { type ConversationId, messageId, type Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type {
  KnownKey,
  LogState,
  PlacedEntry,
  Placement,
  UnansweredCall,
} from '../../domain/placement.ts'
import { clientKey, decodeBody, isRemoved } from '../../domain/sealed-message.ts'
import type { IndexedPiece } from '../../domain/search-index.ts'
import type { Span } from '../../domain/span.ts'
import type {
  CommitCommand,
  CreateCommand,
  ReadQuery,
  RecordCommand,
  RecordOutcome,
  RowQuery,
} from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { everywhere, readRows } from '../derived-read.ts'
import { renewTitle } from '../renew-title.ts'
import type { ChangedCalls, MessageState, RewrittenLog, RowChange } from '../rewrite-log.ts'
import {
  MemoryDerived,
  type MemorySegment,
  memoryRows,
  rowsOfMessages,
  snapshotRows,
} from './derived.ts'
import { emptyConversation } from './empty-conversation.ts'
import { MemoryMessages, type MessageRow } from './messages.ts'
import { MemoryIndex } from './search-index.ts'

let lastSerial = 0

/** Stored with conversations, so that no later one has the serial of a purged one. */
export const usedSerials = () => lastSerial

/** Gives no new conversation a serial up to this one. */
export function reserveSerials(last: number): void {
  lastSerial = Math.max(lastSerial, last)
}

/** All of a conversation except its search index, which is made again from the messages. */
export interface MemoryLogCopy {
  readonly serial: number
  readonly conversation: Conversation
  readonly events: readonly EngineEvent[]
  readonly messages: readonly MessageRow[]
  readonly unanswered: readonly UnansweredCall[]
  readonly rows: readonly DerivedRow[]
  readonly lastInheritedPosition: number
}

export type MemoryLogs = ReadonlyMap<ConversationId, MemoryLog>

export class MemoryLog implements LogState, RewrittenLog {
  /** Identifies this conversation, even if its id is used again after a purge. */
  readonly serial: number
  readonly derived = new MemoryDerived()
  readonly index: MemoryIndex
  readonly #events: EngineEvent[] = []
  readonly #logs: MemoryLogs
  #conversation: Conversation
  #source: MemoryLog | null
  readonly #own: MemoryMessages

  constructor(
    logs: MemoryLogs,
    conversation: Conversation,
    source: MemoryLog | null = null,
    serial: number = ++lastSerial,
  ) {
    this.serial = serial
    this.#logs = logs
    this.#conversation = conversation
    this.#source = source
    const forkSeq = this.#forkSeq
    const inheritedCalls = source === null ? [] : source.#own.unansweredBefore(forkSeq)
    this.#own = new MemoryMessages(forkSeq, inheritedCalls)
    this.index = new MemoryIndex(() => this.source())
    const { parent, forkedFrom, createdAt } = conversation
    this.#addEvent({ kind: 'conversation-created', parent, forkedFrom }, createdAt)
  }

  /** The source of a fork must be among the logs. */
  static restore(logs: MemoryLogs, copy: MemoryLogCopy): MemoryLog {
    const source = logs.get(copy.conversation.forkedFrom?.conversationId ?? ('' as ConversationId))
    const log = new MemoryLog(logs, copy.conversation, source, copy.serial)
    log.#events.splice(0, 1, ...copy.events)
    log.#own.restore(copy.messages, copy.unanswered)
    log.derived.addMissing(copy.rows)
    log.derived.lastInheritedPosition = copy.lastInheritedPosition
    return log
  }

  copy(): MemoryLogCopy {
    return {
      serial: this.serial,
      conversation: this.#conversation,
      events: this.#events,
      ...this.#own.copy(),
      rows: this.derived.all(),
      lastInheritedPosition: this.derived.lastInheritedPosition,
    }
  }

  /** A copy, for callers of the store. */
  get conversation(): Conversation {
    return structuredClone(this.#conversation)
  }
  get uncopiedConversation(): Conversation {
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
      const known = log.#own.findKey(key)
      if (known !== null && known.seq < to) return known
    }
    return null
  }

  findUnansweredCall(callId: string, before: Seq): Seq | null {
    return this.#own.findUnansweredCall(callId, before)
  }

  read(query: Omit<ReadQuery, 'id'>): readonly Message[]
  read(query: ReadQuery): readonly Message[] {
    const { span, except } = 'span' in query ? query : spanBefore(query, this.head)
    const messages: Message[] = []
    const skipped = new Set(except)
    for (let seq = span.from; seq < Math.min(span.to, this.head); seq += 1)
      if (!skipped.has(seq)) messages.push(this.#message(this.#messageRow(seq)))
    return messages
  }

  chainOf(seq: Seq): string | null {
    return seq < this.head ? this.#messageRow(seq).chain : null
  }

  original(seq: Seq): Uint8Array | null {
    if (seq >= this.head) return null
    const { raw, body } = this.#messageRow(seq).message
    return raw === null ? new TextEncoder().encode(body) : new Uint8Array(raw)
  }

  file(sha256: string): Uint8Array | null {
    for (const { log, to } of this.#segments()) {
      const file = log.#own.file(sha256)
      if (file !== undefined && file.seq < to) return new Uint8Array(file.bytes)
    }
    return null
  }

  write(placement: Placement & { kind: 'placed' }, at: number): void {
    const written = placement.entries.filter((entry) => !entry.repeated)
    for (const entry of written) this.#own.add(entry)
    if (written.length === 0) return
    const span = { from: this.head, to: placement.head }
    this.#conversation = { ...this.#conversation, head: placement.head, chain: placement.chain }
    this.#addEvent({ kind: 'messages-appended', span }, at)
  }

  /** Empty also where the caller has seen this version. */
  derivedRows(query: RowQuery): readonly DerivedRow[] {
    if (query.unlessVersion === this.#conversation.version) return []
    return readRows(query, this.#derivedSegments(), memoryRows)
  }

  commit(command: Omit<CommitCommand, 'id' | 'expectedVersion'>): void {
    const { fields, relabel = [], events, at, ...rows } = structuredClone(command)
    this.derived.write(rows, this.head)
    for (const each of relabel) this.derived.relabel(each)
    const { version, titleFrom } = this.#conversation
    this.#conversation = {
      ...this.#conversation,
      // A new title has no source, unless the fields name one.
      titleFrom: fields?.title === undefined ? titleFrom : null,
      ...fields,
      version: version + 1,
    }
    for (const event of events) this.#addEvent(event, at)
  }

  record(command: RecordCommand): RecordOutcome {
    const { onlyIf, annotate, events = [], at = 0, ...rows } = structuredClone(command)
    if (onlyIf !== undefined) {
      if (onlyIf.serial !== this.serial) return { kind: 'not-found' }
      if (onlyIf.rewrites !== this.#conversation.rewrites) return { kind: 'rewritten' }
      const row = onlyIf.row && this.derived.find(onlyIf.row)
      if (row === null) return { kind: 'not-found' }
      if (row?.bound !== onlyIf.row?.bound) return { kind: 'row-changed' }
    }
    this.derived.write(rows, this.head)
    if (annotate !== undefined) this.derived.annotate(annotate)
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
      chain: this.#chainBefore(forkSeq),
      // This conversation may have pinned messages that `source` owns.
      pins: pins.filter((seq) => seq < forkSeq),
      pinnedTo: Math.min(forkSeq, pinnedTo),
      compaction: { ...noControl, mode: compaction.mode },
      forkedFrom: { conversationId: source.id, at: forkSeq },
    }
    const forked = new MemoryLog(this.#logs, conversation, source)
    const last = this.#lastPositionBefore(forkSeq)
    const lastInherited = Math.min(last, this.#lastPositionSharedWith(source))
    forked.derived.lastInheritedPosition = lastInherited
    // Rows that `source` does not have, because this conversation added them.
    const positions = { from: lastInherited + 1, to: last + 1 }
    forked.derived.addMissing(snapshotRows(this.#derivedSegments(), positions))
    return forked
  }

  messageState(seq: Seq): MessageState {
    const row = this.#messageRow(seq)
    const { contentHash, calls, answers, body } = row.message
    const { role } = decodeBody(body, null)
    return { role, removed: isRemoved(row), contentHash, former: row.former ?? [], calls, answers }
  }

  /** Before a rewrite: copies shared messages and their derived rows, and changes the source. */
  unshareFrom(seq: Seq): void {
    const shared = this.source()
    if (shared === null || seq >= shared.at) return
    const newlyOwn = { from: seq, to: shared.at }
    const messages = Array.from({ length: newlyOwn.to - seq }, (_, index) =>
      this.#messageRow(seq + index),
    )
    this.derived.addMissing(rowsOfMessages(this.#derivedSegments(), newlyOwn))
    let source = shared.log
    while (source.#source !== null && seq <= source.#forkSeq) {
      // This fork skips `source` from now on, but needs its derived rows of shared messages.
      const ownSegment = source.#derivedSegments().slice(0, 1)
      this.derived.addMissing(rowsOfMessages(ownSegment, { from: 0, to: seq }))
      source = source.#source
    }
    const last = this.#lastPositionBefore(seq)
    const lastInherited = Math.min(last, this.#lastPositionSharedWith(source))
    const positions = { from: lastInherited + 1, to: this.derived.lastInheritedPosition + 1 }
    this.derived.addMissing(snapshotRows(this.#derivedSegments(), positions))
    this.derived.lastInheritedPosition = lastInherited
    this.#source = source
    const forkedFrom = { conversationId: source.#conversation.id, at: seq }
    this.#conversation = { ...this.#conversation, forkedFrom }
    this.#own.prepend(messages)
    this.index.reset()
  }

  replace(seq: Seq, change: RowChange): void {
    this.#own.replace(seq, change)
  }

  replay({ from }: Span, changed: ChangedCalls | null): readonly Seq[] {
    // Before its first own message, only the source knows which calls have no result.
    const owner = from === this.#forkSeq && this.#source ? this.#source.#own : this.#own
    const before = { chain: this.#chainBefore(from), unanswered: owner.unansweredBefore(from) }
    const { chain, answering } = this.#own.replay(from, before, changed?.calls ?? null, sha256)
    this.#conversation = { ...this.#conversation, chain }
    return answering
  }

  dropDerived(places: readonly Seq[], keys: KeptKeys): void {
    this.derived.dropDependent(places, keys, this.#derivedSegments())
    const bodyAt = (seq: Seq) =>
      seq < this.head ? decodeBody(this.#messageRow(seq).message.body, null) : null
    const title = renewTitle(this.#conversation, places, bodyAt)
    this.#conversation = { ...this.#conversation, ...title }
  }

  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void {
    this.index.reindex(places, pieces)
  }

  finishRewrite(event: EventBody, at: number, unpinned: readonly Seq[]): void {
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
    let positionsTo = Number.MAX_SAFE_INTEGER
    for (const { log, to: messagesTo } of this.#segments()) {
      const from = log.derived.lastInheritedPosition + 1
      segments.push({ owner: log.derived, messagesTo, positions: { from, to: positionsTo } })
      positionsTo = Math.min(positionsTo, from)
    }
    return segments
  }

  /** The row position before the first snapshot row that depends on messages from `seq` on. */
  #lastPositionBefore(seq: Seq): number {
    let last = this.derived.lastInheritedPosition
    for (const { position, bound } of snapshotRows(this.#derivedSegments(), everywhere)) {
      if (bound !== null && bound > seq) return Math.max(0, position - 1)
      last = Math.max(last, position)
    }
    return last
  }

  /** The last row position that a fork reads from a source; forks between the two can lower it. */
  #lastPositionSharedWith(source: MemoryLog): number {
    let last = Number.MAX_SAFE_INTEGER
    for (let log: MemoryLog | null = this; log !== null && log !== source; log = log.#source)
      last = Math.min(last, log.derived.lastInheritedPosition)
    return last
  }

  get #forkSeq(): Seq {
    return this.#conversation.forkedFrom?.at ?? 0
  }

  #messageRow(seq: Seq): MessageRow {
    let log: MemoryLog = this
    while (log.#source !== null && seq < log.#forkSeq) log = log.#source
    return log.#own.row(seq)
  }

  #chainBefore(seq: Seq): string {
    return seq === 0 ? chainStart : this.#messageRow(seq - 1).chain
  }

  #message({ message, seq, chain, marks }: PlacedEntry): Message {
    return {
      id: messageId(this.#conversation.id, seq),
      conversationId: this.#conversation.id,
      seq,
      ...decodeBody(message.body, message.origins),
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

function spanBefore(
  { before, limit }: { readonly before: Seq; readonly limit: number },
  head: Seq,
) {
  const to = Math.min(before, head)
  return { span: { from: Math.max(0, to - limit), to }, except: [] }
}
