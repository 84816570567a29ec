/**
 * One conversation of a transcript, on its way into the engine. Every message has a key, so what
 * is there already is answered and not added, however often an import begins anew.
 *
 * Nothing is added between messages, or behind others than in the transcript. Where the log went
 * on in another way than the transcript, because the one or the other was changed, the rest
 * becomes a fork from there, under an id that is made of the first message that differs: the
 * same import finds it again. Where they have nothing in common but the name, as two files
 * `talk.txt` may, they are two conversations; the second gets such an id from its first message.
 */
import { type ErrorCode, isThroughlineError, type ThroughlineError } from '../../errors.ts'
import type { Conversation, MessageInput, TenantHandle } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'
import { titleOf, titleSource } from '../../toolkit/index.ts'
import type { TranscriptConversation } from '../../transcripts/index.ts'
import type { ConversationTally, ImportTally } from './import-report.ts'

interface ImportedMessage {
  /** With the key that it has in the log. */
  readonly message: MessageInput
  readonly line: number | null
}

interface ImportedLogOptions {
  readonly engine: Pick<TenantHandle, 'begin' | 'conversation'>
  readonly tally: ImportTally
  readonly conversation: TranscriptConversation
  /** It is only counted, and looked for. */
  readonly dryRun: boolean
  /** Behind whatever stands in the log, where it was asked for by name. */
  readonly anywhere: boolean
  /** It has come before in this transcript, and was forgotten since. */
  readonly again: boolean
  /** What becomes of a message that the engine does not take. */
  readonly onRefused: (line: number | null, error: Error) => void
}

export class ImportedLog {
  waiting: ImportedMessage[] = []
  waitingLength = 0
  readonly #options: ImportedLogOptions
  readonly #tally: ConversationTally
  #begun = false
  /** The message that it is named after, and where that stands; of one that the transcript names none. */
  #namedAfter: { readonly message: MessageInput; seq: number | null } | null = null
  #needsTitle = false
  /** Behind the last message of the transcript that stands in the log. */
  #next = 0

  constructor(options: ImportedLogOptions) {
    this.#options = options
    const { id, title } = options.conversation
    const added = options.dryRun ? null : 0
    this.#tally = { id, title, state: 'new', differs: null, nameTaken: null, messages: 0, added }
  }

  /** Where its messages are now. */
  get id(): string {
    return this.#tally.id
  }

  /** Whether all of it stands under the id that it has in the transcript. */
  get isPlain(): boolean {
    return this.id === this.#options.conversation.id
  }

  async flush(): Promise<void> {
    const { tally, again, dryRun } = this.#options
    const messages = this.waiting
    this.waiting = []
    this.waitingLength = 0
    if (messages.length === 0) return
    if (!this.#begun) {
      this.#begun = true
      if (!again) tally.conversation(this.#tally)
      await (dryRun ? this.#look(messages) : this.#begin(messages))
    }
    if (dryRun) for (const _ of messages) tally.message(this.#tally, 'unknown')
    else await this.#write(messages)
  }

  async #look(messages: readonly ImportedMessage[]): Promise<void> {
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
      await this.#goElsewhere(first)
      await this.#write(messages)
    } else {
      if (this.#namedAfter?.message === first.message) this.#namedAfter = null
      this.#options.onRefused(first.line, refused)
    }
  }

  async #begin(messages: readonly ImportedMessage[]): Promise<void> {
    const { conversation, again, anywhere } = this.#options
    if (conversation.title === null) this.#nameAfter(messages)
    const known = await this.#beginAs(conversation.id)
    if (known === null) return
    // An import that was killed before it gave a title is finished here.
    this.#needsTitle &&= !again && !anywhere
    // As far as it had come then, the log was as the transcript says.
    if (again) this.#next = known.head
  }

  /** Gives what stands there already; null where nothing does. */
  async #beginAs(id: string): Promise<Conversation | null> {
    const { engine, conversation } = this.#options
    const { title, meta, parent } = conversation
    const begun = await engine.begin(id, { title, meta, parent })
    const known = begun.ok ? null : begun.failure.conversation
    this.#tally.state = known === null ? 'new' : 'known'
    this.#tally.title = known === null ? title : known.title
    this.#needsTitle = title === null && this.#tally.title === null
    return known
  }

  /** Why none of them was taken; null where all were. */
  async #append(messages: readonly ImportedMessage[]): Promise<ThroughlineError | null> {
    const { engine, tally, anywhere } = this.#options
    const head = anywhere && this.isPlain ? undefined : this.#next
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

  /** The title is made from a message of the log, so it goes with it: its place has to be known. */
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

  async #goElsewhere({ message }: ImportedMessage): Promise<void> {
    const from = this.id
    const { conversation, anywhere } = this.#options
    const id = `${conversation.id.slice(0, idLengthMax).toWellFormed()}~${sha256(JSON.stringify([from, message])).slice(0, 12)}`
    // With nothing in common but the name, it is no fork.
    await (this.#next > 0 ? this.#fork(from, id) : this.#beginAs(id))
    this.#tally.id = id
    // Whoever asked for one conversation is told where it was left, also at its beginning.
    const isOther = this.#next === 0 && !anywhere
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
    const updated = await made.value.update({
      ...(isNamed ? { titleFrom: shared } : { title }),
      meta,
    })
    if (updated.ok) this.#tally.title = updated.value.title
  }
}

/** What is left of the 512 characters of an id. */
const idLengthMax = 490

const refusals: readonly ErrorCode[] = [
  'KEY_CONFLICT',
  'LOG_MOVED',
  'MESSAGE_INVALID',
  'MESSAGE_TOO_LARGE',
]

/** The engine takes keys of 1,024 characters. */
const keyLengthMax = 1_024

/**
 * The key of a message in a conversation that is not its own: the transcript's, and its key there. So
 * two transcripts can be imported into one conversation.
 */
export function importKey(conversationId: string, key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const whole = `${conversationId}/${key}`
  if (whole.length <= keyLengthMax) return whole
  return sha256(whole)
}
