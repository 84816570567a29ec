/**
 * Writes one conversation of a transcript into the engine. Every message has a key, so repeated imports
 * add nothing twice. If log and transcript differ, the rest becomes a fork. The id of the fork contains a
 * hash of the first message that differs, so the same import finds it again. If two conversations share
 * only the name, as two files `talk.txt` may, the second gets such an id.
 */
import { type ErrorCode, isThroughlineError, type ThroughlineError } from '../../errors.ts'
import type { Conversation, MessageInput, TenantHandle } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'
import { titleOf, titleSource } from '../../toolkit/index.ts'
import type { TranscriptConversation } from '../../transcripts/index.ts'
import type { ConversationTally, ImportTally } from './import-report.ts'

interface ImportedMessage {
  readonly message: MessageInput
  readonly line: number | null
}

interface ImportedLogOptions {
  readonly engine: Pick<TenantHandle, 'begin' | 'conversation'>
  readonly tally: ImportTally
  readonly conversation: TranscriptConversation
  readonly dryRun: boolean
  /** Appends to a conversation that the user named, whatever it contains. */
  readonly appendsAnywhere: boolean
  /** It occurred earlier in this transcript and was dropped from memory. */
  readonly isReopened: boolean
  readonly onRefused: (line: number | null, error: Error) => void
}

export class ImportedLog {
  waiting: ImportedMessage[] = []
  waitingLength = 0
  readonly #options: ImportedLogOptions
  readonly #tally: ConversationTally
  #isStarted = false
  /** The message that the title comes from, and its position; null if the transcript has a title. */
  #namedAfter: { readonly message: MessageInput; seq: number | null } | null = null
  #needsTitle = false
  /** The position in the log after the last message of the transcript. */
  #next = 0

  constructor(options: ImportedLogOptions) {
    this.#options = options
    const { id, title } = options.conversation
    const added = options.dryRun ? null : 0
    this.#tally = { id, title, state: 'new', differs: null, nameTaken: null, messages: 0, added }
  }

  get id(): string {
    return this.#tally.id
  }

  get isPlain(): boolean {
    return this.id === this.#options.conversation.id
  }

  async flush(): Promise<void> {
    const { tally, isReopened, dryRun } = this.#options
    const messages = this.waiting
    this.waiting = []
    this.waitingLength = 0
    if (messages.length === 0) return
    if (!this.#isStarted) {
      this.#isStarted = true
      if (!isReopened) tally.conversation(this.#tally)
      await (dryRun ? this.#findExisting(messages) : this.#start(messages))
    }
    if (dryRun) for (const _ of messages) tally.message(this.#tally, 'unknown')
    else await this.#write(messages)
  }

  async #findExisting(messages: readonly ImportedMessage[]): Promise<void> {
    const known = await this.#options.engine.conversation(this.id).info()
    this.#tally.state = known === null ? 'new' : 'known'
    const named = titleSource(messages.map(({ message }) => message))
    this.#tally.title ??= known?.title ?? (named && titleOf(named))
  }

  async #write(messages: readonly ImportedMessage[]): Promise<void> {
    const [first] = messages
    const refused = await this.#append(messages)
    if (first === undefined || refused === null) return
    if (messages.length > 1) {
      const half = Math.ceil(messages.length / 2)
      await this.#write(messages.slice(0, half))
      await this.#write(messages.slice(half))
    } else if (refused.code === 'KEY_CONFLICT' || refused.code === 'LOG_MOVED') {
      await this.#continueElsewhere(first)
      await this.#write(messages)
    } else {
      if (this.#namedAfter?.message === first.message) this.#namedAfter = null
      this.#options.onRefused(first.line, refused)
    }
  }

  async #start(messages: readonly ImportedMessage[]): Promise<void> {
    const { conversation, isReopened, appendsAnywhere } = this.#options
    if (conversation.title === null) this.#nameAfter(messages)
    const known = await this.#createOrFind(conversation.id)
    if (known === null) return
    // Completes an import that was killed before it set a title.
    this.#needsTitle &&= !isReopened && !appendsAnywhere
    // So far the log and the transcript are equal.
    if (isReopened) this.#next = known.head
  }

  /** Returns the existing conversation, or null. */
  async #createOrFind(id: string): Promise<Conversation | null> {
    const { engine, conversation } = this.#options
    const { title, meta, parent } = conversation
    const created = await engine.begin(id, { title, meta, parent })
    const known = created.ok ? null : created.failure.conversation
    this.#tally.state = known === null ? 'new' : 'known'
    this.#tally.title = known === null ? title : known.title
    this.#needsTitle = title === null && this.#tally.title === null
    return known
  }

  /** Why the engine rejected the batch; null if it appended all. */
  async #append(messages: readonly ImportedMessage[]): Promise<ThroughlineError | null> {
    const { engine, tally, appendsAnywhere } = this.#options
    const head = appendsAnywhere && this.isPlain ? undefined : this.#next
    try {
      const { entries } = await engine.conversation(this.id).append(
        messages.map(({ message }) => message),
        { head },
      )
      for (const { seq, repeated } of entries) {
        tally.message(this.#tally, repeated ? 'repeated' : 'added')
        this.#next = Math.max(this.#next, seq + 1)
      }
      await this.#giveTitle(messages, (at) => entries[at]?.seq)
      return null
    } catch (error) {
      if (!isThroughlineError(error) || !refusals.includes(error.code)) throw error
      return error
    }
  }

  #nameAfter(messages: readonly ImportedMessage[]): void {
    const message = titleSource(messages.map((each) => each.message))
    this.#namedAfter = message && { message, seq: null }
  }

  /** The title comes from a message and is purged with it, so the position must be known. */
  async #giveTitle(
    messages: readonly ImportedMessage[],
    placeOf: (at: number) => number | undefined,
  ): Promise<void> {
    if (this.#namedAfter === null && this.#needsTitle) this.#nameAfter(messages)
    const named = this.#namedAfter
    if (named === null || named.seq !== null) return
    const seq = placeOf(messages.findIndex(({ message }) => message === named.message))
    if (seq === undefined) return
    named.seq = seq
    if (!this.#needsTitle) return
    const updated = await this.#options.engine.conversation(this.id).update({ titleFrom: seq })
    this.#needsTitle = false
    if (updated.ok) this.#tally.title = updated.value.title
  }

  async #continueElsewhere({ message }: ImportedMessage): Promise<void> {
    const from = this.id
    const { conversation, appendsAnywhere } = this.#options
    const id = `${conversation.id.slice(0, idLengthMax).toWellFormed()}~${sha256(JSON.stringify([from, message])).slice(0, 12)}`
    // If they share only the name, it is not a fork.
    await (this.#next > 0 ? this.#fork(from, id) : this.#createOrFind(id))
    this.#tally.id = id
    // With `into`, the report names the original conversation, even if the first message differs.
    const isOther = this.#next === 0 && !appendsAnywhere
    this.#tally.differs = isOther ? null : { from, at: this.#next }
    this.#tally.nameTaken = isOther ? conversation.id : null
    if (!isOther) this.#tally.state = 'fork'
  }

  async #fork(from: string, id: string): Promise<void> {
    const { engine, conversation } = this.#options
    const { title, meta } = conversation
    const made = await engine.conversation(from).history.fork(this.#next, id)
    const shared = this.#namedAfter?.seq ?? this.#next
    const isNamed = title === null && shared < this.#next
    this.#needsTitle = title === null && !isNamed
    if (!made.ok) return
    const named = isNamed ? { titleFrom: shared } : { title }
    const updated = await made.value.update({ ...named, meta })
    if (updated.ok) this.#tally.title = updated.value.title
  }
}

/** Leaves room for the suffix in the 512 characters of an id. */
const idLengthMax = 490

const refusals: readonly ErrorCode[] = [
  'KEY_CONFLICT',
  'LOG_MOVED',
  'MESSAGE_INVALID',
  'MESSAGE_TOO_LARGE',
]

const keyLengthMax = 1_024

/** Prefixes the key with the transcript's conversation, so that several can be imported into one. */
export function importKey(conversationId: string, key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const whole = `${conversationId}/${key}`
  return whole.length <= keyLengthMax ? whole : sha256(whole)
}
