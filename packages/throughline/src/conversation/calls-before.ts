/** The calls that messages answer, where these are read without what stands before them. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { AnsweredCall } from '../flow/text/page-text.ts'
import type { TenantStore } from '../ports/store.ts'

interface FoundCall extends AnsweredCall {
  readonly message: Message
}

/** Messages are handed in one by one, ascending; between two of them others may be missing. */
export class CallsBefore {
  /** The messages that hold the calls, by their places. */
  readonly found = new Map<Seq, Message>()
  readonly #store: TenantStore
  readonly #id: ConversationId
  /** Of the messages without a gap that are being handed in, and of those before them. */
  #calls = new Map<string, FoundCall>()
  #before: ReadonlyMap<string, FoundCall> | null = null
  #run = { from: 0, to: 0 }

  constructor(store: TenantStore, id: ConversationId) {
    this.#store = store
    this.#id = id
  }

  async answeredBy(message: Message): Promise<readonly AnsweredCall[]> {
    const { seq, parts } = message
    if (this.#run.to !== seq) this.#beginRun(seq)
    const answered: FoundCall[] = []
    for (const part of parts) {
      if (part.type !== 'tool-result') continue
      const call = this.#calls.get(part.callId) ?? (await this.#lookBack()).get(part.callId)
      if (call !== undefined) answered.push(call)
    }
    for (const { message: calling } of answered) this.found.set(calling.seq, calling)
    noteCalls(message, this.#calls)
    this.#run = { ...this.#run, to: seq + 1 }
    return answered
  }

  /** Ids of calls may come again behind a gap, and mean other calls then. */
  #beginRun(seq: Seq): void {
    this.#run = { from: seq, to: seq }
    this.#calls = new Map()
    this.#before = null
  }

  async #lookBack(): Promise<ReadonlyMap<string, FoundCall>> {
    if (this.#before !== null) return this.#before
    const calls = new Map<string, FoundCall>()
    const query = { id: this.#id, before: this.#run.from, limit: callDistance }
    for (const message of (await this.#store.readBack(query)) ?? []) noteCalls(message, calls)
    this.#before = calls
    return calls
  }
}

// Results of calls that were made at once stand behind one another.
const callDistance = 32

function noteCalls(message: Message, calls: Map<string, FoundCall>): void {
  for (const part of message.parts)
    if (part.type === 'tool-call') calls.set(part.callId, { seq: message.seq, call: part, message })
}
