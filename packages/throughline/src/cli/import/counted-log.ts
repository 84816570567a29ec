/** A conversation of a transcript that is only counted, and looked for. */
import { titleOf, titleSource } from '../../extract/title.ts'
import type { ConversationTally } from './import-report.ts'
import type { ImportedLogOptions, ImportedMessage } from './imported-log.ts'

type CountedLogOptions = Pick<ImportedLogOptions, 'engine' | 'tally' | 'conversation' | 'again'>

export class CountedLog {
  /** It can be looked up again at any time. */
  readonly isPlain = true
  readonly #options: CountedLogOptions
  readonly #conversation: ConversationTally
  #begun = false

  constructor(options: CountedLogOptions) {
    const { id, title } = options.conversation
    this.#options = options
    const nothing = { differs: null, nameTaken: null, messages: 0, added: null }
    this.#conversation = { id, title, state: 'new', ...nothing }
  }

  get id(): string {
    return this.#conversation.id
  }

  async write(messages: readonly ImportedMessage[]): Promise<void> {
    if (messages.length > 0 && !this.#begun) await this.#begin(messages)
    for (const _ of messages) this.#options.tally.message(this.#conversation, 'unknown')
  }

  async #begin(messages: readonly ImportedMessage[]): Promise<void> {
    const { engine, tally, again } = this.#options
    this.#begun = true
    const known = await engine.conversation(this.#conversation.id).info()
    this.#conversation.state = known === null ? 'new' : 'known'
    const named = titleSource(messages.map(({ message }) => message))
    this.#conversation.title ??= known?.title ?? (named && titleOf(named))
    if (!again) tally.conversation(this.#conversation)
  }
}
