/** One conversation in memory: its rows, and the indexes that a database would keep. */
import { type Conversation, chainStart } from '../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../domain/event.ts'
import { messageId, type Seq, type TenantId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { decodeBody } from '../domain/message-body.ts'
import type { KnownKey, LogState, PlacedEntry, Placement } from '../domain/placement.ts'
import type { Span } from '../domain/span.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { ConversationChanges, CreateCommand } from '../ports/store.ts'

interface Call {
  readonly seq: Seq
  answeredBy: Seq | null
}

export class MemoryLog implements LogState {
  readonly #events: EngineEvent[] = []
  #conversation: Conversation
  readonly #source: MemoryLog | null
  readonly #rows: PlacedEntry[] = []
  readonly #keys = new Map<string, KnownKey>()
  readonly #calls = new Map<string, Call[]>()
  readonly #files = new Map<string, Uint8Array>()

  static begin(tenant: TenantId, command: Omit<CreateCommand, 'forkedFrom'>): MemoryLog {
    return new MemoryLog(
      {
        id: command.id,
        tenant,
        title: command.title,
        meta: command.meta,
        head: 0,
        chain: chainStart,
        version: 0,
        parent: command.parent,
        forkedFrom: null,
        createdAt: command.at,
      },
      null,
    )
  }

  private constructor(conversation: Conversation, source: MemoryLog | null) {
    this.#conversation = conversation
    this.#source = source
    const { parent, forkedFrom, createdAt } = conversation
    this.#happened({ kind: 'conversation-created', parent, forkedFrom }, createdAt)
  }

  get conversation(): Conversation {
    return structuredClone(this.#conversation)
  }
  events(after: number, limit: number): readonly EngineEvent[] {
    return structuredClone(this.#events.slice(after, after + limit))
  }
  get head(): Seq {
    return this.#conversation.head
  }
  get chain(): string {
    return this.#conversation.chain
  }

  findKey(key: string): KnownKey | null {
    const own = this.#keys.get(key)
    if (own !== undefined) return own
    const shared = this.#source?.findKey(key) ?? null
    return shared !== null && shared.seq < this.#forkedAt ? shared : null
  }

  findOpenCall(callId: string, before: Seq): Seq | null {
    const calls = this.#calls.get(callId) ?? []
    return calls.findLast((call) => call.seq < before && call.answeredBy === null)?.seq ?? null
  }

  read(span: Span): readonly Message[] {
    const messages: Message[] = []
    for (let seq = span.from; seq < Math.min(span.to, this.head); seq += 1)
      messages.push(this.#message(this.#row(seq)))
    return messages
  }

  original(seq: Seq): Uint8Array | null {
    if (seq >= this.head) return null
    const { raw, body } = this.#row(seq).message
    return raw?.slice() ?? new TextEncoder().encode(body)
  }

  file(sha256: string): Uint8Array | null {
    return this.#files.get(sha256)?.slice() ?? this.#source?.file(sha256) ?? null
  }

  write(placement: Placement & { kind: 'placed' }, at: number): void {
    const written = placement.entries.filter((entry) => !entry.repeated)
    for (const entry of written) this.#add(entry)
    if (written.length === 0) return
    const span = { from: this.head, to: placement.head }
    this.#conversation = { ...this.#conversation, head: placement.head, chain: placement.chain }
    this.#happened({ kind: 'messages-appended', span }, at)
  }

  change(changes: ConversationChanges, at: number): void {
    const fields = (['title', 'meta'] as const).filter((field) => changes[field] !== undefined)
    const version = this.#conversation.version + 1
    this.#conversation = { ...this.#conversation, ...structuredClone(changes), version }
    this.#happened({ kind: 'conversation-updated', fields }, at)
  }

  fork(command: CreateCommand, at: Seq): MemoryLog {
    // What stands before our own first row is our source's: refer to that directly.
    if (this.#source !== null && at <= this.#forkedAt) return this.#source.fork(command, at)
    const forked = new MemoryLog(
      {
        ...MemoryLog.begin(this.#conversation.tenant, command).conversation,
        head: at,
        chain: at === 0 ? chainStart : this.#row(at - 1).chain,
        forkedFrom: { conversationId: this.#conversation.id, at },
      },
      this,
    )
    for (const [callId, calls] of this.#calls)
      for (const { seq, answeredBy } of calls)
        if (seq < at && (answeredBy ?? at) >= at) forked.#called(callId, seq)
    return forked
  }

  get #forkedAt(): Seq {
    return this.#conversation.forkedFrom?.at ?? 0
  }

  #row(seq: Seq): PlacedEntry {
    if (this.#source !== null && seq < this.#forkedAt) return this.#source.#row(seq)
    const row = this.#rows[seq - this.#forkedAt]
    assertInvariant(row !== undefined, INVARIANT.dense, `message ${seq} is missing`)
    return row
  }

  #add(entry: PlacedEntry): void {
    const { message, seq } = entry
    assertInvariant(
      seq === this.#forkedAt + this.#rows.length,
      INVARIANT.dense,
      `place ${seq} is not the next`,
    )
    this.#rows.push(entry)
    if (message.key) this.#keys.set(message.key.value, { ...entry, ...message.key })
    for (const callId of message.calls) this.#called(callId, seq)
    for (const { callId, callSeq } of entry.answered)
      for (const call of this.#calls.get(callId) ?? [])
        if (call.seq === callSeq) call.answeredBy = seq
    for (const file of message.files) this.#files.set(file.sha256, file.bytes)
  }

  #called(callId: string, seq: Seq): void {
    const others = this.#calls.get(callId) ?? []
    others.push({ seq, answeredBy: null })
    this.#calls.set(callId, others)
  }

  #message({ message, seq, chain, marks }: PlacedEntry): Message {
    return {
      id: messageId(this.#conversation.id, seq),
      conversationId: this.#conversation.id,
      seq,
      ...decodeBody(message.body),
      createdAt: message.createdAt,
      key: message.key?.value ?? null,
      hashes: { content: message.contentHash, canonical: message.canonicalHash, chain },
      marks,
    }
  }

  #happened(body: EventBody, at: number): void {
    this.#events.push({ ...body, number: this.#events.length + 1, at })
  }
}
