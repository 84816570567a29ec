/** One conversation in memory, with what it shares of the one that it was forked from. */
import { noControl } from '../../domain/compaction.ts'
import { type Conversation, chainStart } from '../../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import { messageId, type Seq, type TenantId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { decodeBody } from '../../domain/message-body.ts'
import type { KnownKey, LogState, PlacedEntry, Placement } from '../../domain/placement.ts'
import { clientKey } from '../../domain/sealed-message.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import type { CompleteCommand, CompleteOutcome } from '../../ports/receipt-commands.ts'
import type { CreateCommand, ReadBackQuery, ReadQuery } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { changeEvents, completionEvent } from '../change-events.ts'
import { checkTurn } from '../checked-turn.ts'
import { remadeTitle } from '../remade-title.ts'
import type { RowChange } from '../rewrite-log.ts'
import { MemoryDerived } from './derived.ts'
import { MemoryDigests } from './digests.ts'
import { MemoryFacts } from './facts.ts'
import { type MemoryRow, MemoryRows } from './rows.ts'
import { MemoryIndex } from './search-index.ts'
import { MemorySummaries } from './summaries.ts'
import { MemoryTurns } from './turns.ts'

let logs = 0

interface SharedPast {
  readonly log: MemoryLog
  readonly at: Seq
  readonly facts: MemoryFacts
  readonly summaries: MemorySummaries
  readonly digests: MemoryDigests
  readonly turns: MemoryTurns
  readonly index: MemoryIndex
}

export class MemoryLog implements LogState {
  /** Logs are told apart by it, whatever they are called. */
  readonly serial = ++logs
  readonly derived = new MemoryDerived()
  readonly facts: MemoryFacts
  readonly summaries: MemorySummaries
  readonly digests: MemoryDigests
  readonly turns: MemoryTurns
  readonly index: MemoryIndex
  readonly #events: EngineEvent[] = []
  #conversation: Conversation
  #source: MemoryLog | null
  readonly #rows: MemoryRows

  static begin(tenant: TenantId, command: Omit<CreateCommand, 'forkedFrom'>): MemoryLog {
    return new MemoryLog(
      {
        id: command.id,
        tenant,
        title: command.title,
        titleFrom: null,
        meta: command.meta,
        head: 0,
        chain: chainStart,
        version: 0,
        rewrites: 0,
        pins: [],
        pinnedTo: 0,
        compaction: noControl,
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
    this.#rows = new MemoryRows(this.#forkedAt)
    this.facts = new MemoryFacts(() => this.source)
    this.summaries = new MemorySummaries(() => this.source)
    this.digests = new MemoryDigests(() => this.source)
    this.turns = new MemoryTurns(() => this.source)
    this.index = new MemoryIndex(() => this.source)
    const { parent, forkedFrom, createdAt } = conversation
    this.#happened({ kind: 'conversation-created', parent, forkedFrom }, createdAt)
  }

  get conversation(): Conversation {
    return structuredClone(this.#conversation)
  }
  /** Not a copy: for looking at, inside the store. */
  get current(): Conversation {
    return this.#conversation
  }
  events(after: number, limit: number): readonly EngineEvent[] {
    return structuredClone(this.#events.slice(after, after + limit))
  }
  get head(): Seq {
    return this.#conversation.head
  }
  /** The log that holds the messages before a place, with what was derived there. */
  get source(): SharedPast | null {
    const source = this.#source
    if (source === null) return null
    const { facts, summaries, digests, turns, index } = source
    return { log: source, at: this.#forkedAt, facts, summaries, digests, turns, index }
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
    return this.#rows.calls.find(callId, before)
  }

  read({ span, except = [] }: Pick<ReadQuery, 'span' | 'except'>): readonly Message[] {
    const messages: Message[] = []
    const skipped = new Set(except)
    for (let seq = span.from; seq < Math.min(span.to, this.head); seq += 1)
      if (!skipped.has(seq)) messages.push(this.#message(this.row(seq)))
    return messages
  }

  readBack({ before, limit }: Pick<ReadBackQuery, 'before' | 'limit'>): readonly Message[] {
    const to = Math.min(before, this.head)
    return this.read({ span: { from: Math.max(0, to - limit), to } })
  }

  /** The chain hash of one message; null where there is none. */
  chainOf(seq: Seq): string | null {
    return seq < this.head ? this.row(seq).chain : null
  }

  original(seq: Seq): Uint8Array | null {
    if (seq >= this.head) return null
    const { raw, body } = this.row(seq).message
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
    this.#happened({ kind: 'messages-appended', span }, at)
  }

  change(changes: ConversationChanges, at: number): void {
    const { facts, ...others } = changes
    const {
      title,
      titleFrom = null,
      meta,
      pins,
      pinnedTo,
      compaction,
      view,
      receipt,
      summarized,
      digested,
      remembered,
      ...rest
    } = structuredClone(others)
    const { restored, edited, asking } = rest
    // What may refuse comes before anything that has changed.
    if (remembered !== undefined)
      checkTurn(remembered, { newest: this.turns.newest, head: this.head })
    if (facts !== undefined) this.facts.commit(facts, this.head)
    if (remembered !== undefined) this.turns.add(remembered)
    const version = this.#conversation.version + 1
    this.#conversation = {
      ...this.#conversation,
      ...(title !== undefined && { title, titleFrom }),
      ...(meta !== undefined && { meta }),
      ...(pins !== undefined && { pins }),
      ...(pinnedTo !== undefined && { pinnedTo }),
      ...(compaction !== undefined && { compaction }),
      version,
    }
    if (view !== undefined) this.derived.commit(view, { version, at, of: restored?.of ?? null })
    if (restored !== undefined) this.summaries.mark(restored)
    if (edited !== undefined) this.summaries.add(edited.record)
    if (remembered?.asking) this.derived.ask(remembered.asking)
    if (summarized !== undefined) this.derived.ask(summarized.asking)
    if (digested !== undefined) this.derived.ask(digested.asking)
    if (asking !== undefined) this.derived.ask(asking)
    if (digested?.record) this.digests.add(digested.record)
    if (summarized?.record) this.summaries.add(summarized.record)
    if (receipt !== undefined) this.derived.receipts.add(receipt, version)
    for (const event of structuredClone(changeEvents(changes, version))) this.#happened(event, at)
  }

  complete({ version, rewrites, hindsight, at }: CompleteCommand): CompleteOutcome {
    if (rewrites !== this.#conversation.rewrites) return { kind: 'rewritten' }
    const outcome = this.derived.receipts.complete(version, hindsight)
    if (outcome.kind === 'completed') this.#happened(completionEvent(version, hindsight), at)
    return outcome
  }

  fork(command: CreateCommand, at: Seq): MemoryLog {
    // What stands before our own first row is our source's: refer to that directly.
    let source: MemoryLog = this
    while (source.#source !== null && at <= source.#forkedAt) source = source.#source
    const forked = new MemoryLog(
      {
        ...MemoryLog.begin(source.#conversation.tenant, command).conversation,
        head: at,
        chain: at === 0 ? chainStart : this.row(at - 1).chain,
        // Of the conversation that was asked for, which may have pinned what it shares.
        pins: this.#conversation.pins.filter((seq) => seq < at),
        pinnedTo: Math.min(at, this.#conversation.pinnedTo),
        compaction: { ...noControl, mode: this.#conversation.compaction.mode },
        forkedFrom: { conversationId: source.#conversation.id, at },
      },
      source,
    )
    forked.#rows.calls.setWaiting(source.#rows.calls.before(at))
    forked.turns.take(this.turns, source.turns, at)
    return forked
  }

  /** See `RewrittenLog`. */
  ownFrom(seq: Seq): void {
    const shared = this.source
    if (shared === null || seq >= shared.at) return
    const span = { from: seq, to: shared.at }
    const rows = Array.from({ length: span.to - seq }, (_, index) => this.row(seq + index))
    this.facts.own(span)
    this.digests.own(span)
    let source = shared.log
    while (source.#source !== null && seq <= source.#forkedAt) {
      // It is referred to no longer, and may have told of messages that it does not hold.
      this.facts.take(source.facts, seq)
      this.digests.take(source.digests, seq)
      source = source.#source
    }
    this.turns.ownFrom(seq, source.turns)
    this.#source = source
    const forkedFrom = { conversationId: source.#conversation.id, at: seq }
    this.#conversation = { ...this.#conversation, forkedFrom }
    this.#rows.prepend(rows)
    this.index.beginAgain()
  }

  replace(seq: Seq, change: RowChange): void {
    this.#rows.replace(seq, change)
  }

  replay(from: Seq, calls: ReadonlySet<string> | null): readonly Seq[] {
    // Where its own rows begin, what waits is what waits in its source.
    const { calls: known } =
      from === this.#forkedAt && this.#source ? this.#source.#rows : this.#rows
    const before = {
      chain: from === 0 ? chainStart : this.row(from - 1).chain,
      waiting: known.before(from),
    }
    const { chain, answering } = this.#rows.replay(from, before, calls, sha256)
    this.#conversation = { ...this.#conversation, chain }
    return answering
  }

  /** Everything that is derived from messages: what is added to a log is forgotten here too. */
  forget(places: readonly Seq[], keys: KeptKeys): void {
    this.facts.forget(places)
    this.digests.forget(places)
    this.turns.forget(places, keys)
    this.summaries.forget(places[0] ?? this.head)
    this.derived.forget(places[0] ?? this.head)
    this.derived.forgetInserts(places)
    const bodyAt = (seq: Seq) => (seq < this.head ? decodeBody(this.row(seq).message.body) : null)
    this.#conversation = { ...this.#conversation, ...remadeTitle(this.current, places, bodyAt) }
  }

  moved(event: EventBody, at: number, unpinned: readonly Seq[]): void {
    const { version, rewrites, pins } = this.#conversation
    this.#conversation = {
      ...this.#conversation,
      pins: pins.filter((seq) => !unpinned.includes(seq)),
      version: version + 1,
      rewrites: rewrites + 1,
    }
    this.#happened(event, at)
  }

  /** This log and those that it was forked from, newest first, each up to where it was left. */
  *#segments(): Generator<{ readonly log: MemoryLog; readonly to: Seq }> {
    let to = this.head
    for (let log: MemoryLog | null = this; log !== null; log = log.#source) {
      yield { log, to }
      to = Math.min(to, log.#forkedAt)
    }
  }

  get #forkedAt(): Seq {
    return this.#conversation.forkedFrom?.at ?? 0
  }

  row(seq: Seq): MemoryRow {
    let log: MemoryLog = this
    while (log.#source !== null && seq < log.#forkedAt) log = log.#source
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

  #happened(body: EventBody, at: number): void {
    this.#events.push({ ...body, number: this.#events.length + 1, at })
  }
}
