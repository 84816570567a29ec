/** The interface of a conversation. A handle keeps no state, so many processes may have one. */
import type { Context } from '../domain/context.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { EngineEvent } from '../domain/event.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Message, MessageInput } from '../domain/message.ts'
import type { Expanded, Recalled } from '../domain/recall.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { Result } from '../domain/result.ts'
import type { Anchor, Span } from '../domain/span.ts'
import type { ConversationSummary, KeptSummary, SummaryRecord } from '../domain/summary.ts'
import type { Turn } from '../domain/turn.ts'
import type { ViewVersion } from '../domain/view.ts'
import type { ContextInput } from '../flow/check/check-request.ts'
import type { PurgeOutcome } from '../ports/rewrite.ts'
import type { CreateOutcome } from '../ports/store.ts'
import type { AppendOptions, AppendResult } from './append-to.ts'
import type { ConversationUpdate, NotFound, PinFailure } from './change-conversation.ts'
import type { Expandable, ExpandOptions } from './expand.ts'
import type { Preview, PreviewInput } from './preview.ts'
import type { RecallOptions } from './recall.ts'
import type { ReceiptsInput } from './receipts.ts'
import type {
  CompactFailure,
  CompactInput,
  CompactOptions,
  OverflowOutcome,
} from './requested-compaction.ts'
import type { UndoFailure, UndoInput, VersionsInput } from './restore-view.ts'
import type { EditFailure } from './rewrite-messages.ts'
import type { Status } from './status.ts'
import type {
  EditSummaryFailure,
  EditSummaryInput,
  SummariesInput,
  SummaryInput,
} from './summary.ts'

/** A conversation by its id: all operations on its messages, contexts and compactions. */
export interface ConversationHandle {
  readonly id: ConversationId
  /**
   * Appends messages in one commit; creates the conversation if there is none. You may change the
   * message objects after it resolves.
   *
   * @example
   * const { head, entries } = await chat.append({ role: 'user', content: 'And the invoice?' }, { key: 'request-1' })
   * console.log(entries[0]?.seq, head)
   */
  append(
    messages: MessageInput | readonly MessageInput[],
    options?: AppendOptions,
  ): Promise<AppendResult>
  /**
   * The context for the next request: it fits the window, and every provider accepts it.
   *
   * @example
   * const context = await chat.context({ model: 'openai/gpt-5-mini', system: 'Be brief.' })
   */
  context(input: ContextInput): Promise<Context>
  /**
   * A dry run of a compaction: what it would cover, its summary, and the resulting context. Models
   * are asked only with `ask`.
   *
   * @example
   * const { plan, receipt } = await chat.preview({ model: 'openai/gpt-5-mini' })
   * console.log(plan?.covered, receipt?.tokensBefore, receipt?.tokensAfter)
   */
  preview(input: PreviewInput): Promise<Preview>
  /**
   * Compacts now, whatever the triggers say, for a request as `context` takes it. Returns the receipt, or
   * why nothing was compacted; then nothing has changed, except that triggers work again after an undo.
   *
   * @example
   * const compacted = await chat.compact({ model: 'openai/gpt-5-mini', system: 'Be brief.' })
   * if (compacted.ok) console.log(compacted.value.tokensBefore, compacted.value.tokensAfter)
   * else console.log(compacted.failure.kind) // such as 'nothing-to-compact'
   */
  compact(input: CompactInput): Promise<Result<Receipt, CompactFailure>>
  /**
   * The next context is compacted, whatever the triggers say; see `compact` to do it now.
   *
   * @example
   * await chat.compactNextRequest({ instructions: 'Above all, what was decided on the database.' })
   */
  compactNextRequest(options?: CompactOptions): Promise<Result<Conversation, NotFound>>
  /**
   * Reports that the provider refused a context as too long: the next one is smaller, once. Other
   * errors change nothing.
   *
   * @example
   * if ((await chat.overflowed(context.fingerprint, error)) !== 'smaller') throw error
   */
  overflowed(fingerprint: string, error: unknown): Promise<OverflowOutcome>
  /**
   * The last requests, how full they were, and what was not shown.
   *
   * @example
   * const { last, totals } = await chat.status()
   * console.log(last?.tokens, last?.availableTokens, totals)
   */
  status(): Promise<Status>
  /**
   * Receipts of the last compactions, newest first; 30 requests later with their follow-up.
   *
   * @example
   * const [newest] = await chat.receipts({ limit: 1 })
   * console.log(newest?.tokensBefore, newest?.tokensAfter, newest?.followUp?.names.missing)
   */
  receipts(query?: ReceiptsInput): Promise<readonly Receipt[]>
  /**
   * The summary in the contexts of a model; null while they show all messages.
   *
   * @example
   * const summary = await chat.summary({ model: 'openai/gpt-5-mini' })
   * console.log(summary?.version, summary?.content)
   */
  summary(input: SummaryInput): Promise<ConversationSummary | null>
  /**
   * Summaries that models wrote, newest first: each names the one that it extends, and its
   * messages.
   *
   * @example
   * const [newest] = await chat.summaries({ limit: 1 })
   * console.log(newest?.covers, newest?.text, newest?.madeBy.model)
   */
  summaries(query?: SummariesInput): Promise<readonly KeptSummary[]>
  /**
   * What is known of the conversation by rules (no LLM): files, commands, decisions, failures and names,
   * each with its newest value and the places that state it; the last named first. Null if there is no
   * conversation.
   *
   * @example
   * const ledger = await chat.ledger()
   * console.log(ledger?.entries.filter(({ kind }) => kind === 'decision'))
   */
  ledger(): Promise<Ledger | null>
  /**
   * Pins a message: every context shows it verbatim. Returns all pins.
   *
   * @example
   * await chat.pin('#12')
   * await chat.unpin('#12')
   */
  pin(anchor: Anchor): Promise<Result<readonly Seq[], PinFailure>>
  /** Removes a pin: the message is shown only while there is room for it. See `pin`. */
  unpin(anchor: Anchor): Promise<Result<readonly Seq[], PinFailure>>
  /**
   * Searches messages, entries of the ledger and the summary in force. A match in a message names
   * its author, time and place. Any string is a query; the best matches come first.
   *
   * @example
   * const { pieces } = await chat.recall('which port did we choose?')
   * console.log(pieces[0]?.anchor, pieces[0]?.text)
   */
  recall(query: string, options?: RecallOptions): Promise<Recalled>
  /**
   * Expands an anchor such as `#412`, a summary or an entry of the ledger into its messages,
   * verbatim, a page at a time; null where there is no message.
   *
   * @example
   * const page = await chat.expand('#3, #17-#19', { tokens: 2_000, model: 'openai/gpt-5-mini' })
   * console.log(page?.text, page?.next)
   */
  expand(anchor: Expandable, options?: ExpandOptions): Promise<Expanded | null>
  /**
   * The messages of a span, oldest first, read a page at a time.
   *
   * @example
   * for await (const { seq, role, parts } of chat.messages({ from: 12 })) console.log(seq, role, parts)
   */
  messages(within?: Partial<Span>): AsyncIterable<Message>
  /**
   * The turns and steps in a span.
   *
   * @example
   * const last = (await chat.turns({ from: 100 })).at(-1)
   * console.log(last?.span, last?.open)
   */
  turns(within?: Partial<Span>): Promise<readonly Turn[]>
  /**
   * The conversation's current row, or null before its first message.
   *
   * @example
   * const known = await chat.info()
   * console.log(known?.title, known?.head, known?.pins)
   */
  info(): Promise<Conversation | null>
  /**
   * Changes the title, the meta or the compaction mode.
   *
   * @example
   * await chat.update({ title: 'Invoices of May' })
   * await chat.update({ titleFrom: 0 }) // the first words of message #0
   */
  update(changes: ConversationUpdate): Promise<Result<Conversation, NotFound>>
  /**
   * Events with a number above `after`, oldest first.
   *
   * @example
   * for (const { number, kind } of await chat.events({ after: 40 })) console.log(number, kind)
   */
  events(query?: {
    readonly after?: number
    readonly limit?: number
  }): Promise<readonly EngineEvent[]>
  /**
   * The original bytes of a message.
   *
   * @example
   * const wire = await chat.original(12)
   * console.log(wire && new TextDecoder().decode(wire))
   */
  original(seq: Seq): Promise<Uint8Array | null>
  /**
   * The bytes of a file in a message.
   *
   * @example
   * for await (const { parts } of chat.messages())
   *   for (const part of parts)
   *     if (part.type === 'file' && part.source.kind === 'stored') await chat.file(part.source.sha256)
   */
  file(sha256: string): Promise<Uint8Array | null>
  readonly history: ConversationHistory
}

/** Operations on the history of a conversation: its views, its messages, forks and purges. */
export interface ConversationHistory {
  /**
   * The views that were in force, newest first. Each can be restored.
   *
   * @example
   * for (const { version, line, cause } of await chat.history.versions({ limit: 5 }))
   *   console.log(version, line, cause)
   */
  versions(query?: VersionsInput): Promise<readonly ViewVersion[]>
  /**
   * Undoes the last compactions, in one step. No trigger compacts until `chat.compact` is called, or
   * a request would not fit.
   *
   * @example
   * const undone = await chat.history.undo()
   * console.log(undone.ok ? `messages before #${undone.value.line} are not shown` : undone.failure)
   */
  undo(options?: UndoInput): Promise<Result<ViewVersion, UndoFailure>>
  /**
   * Restores any kept version. Triggers are suspended as after `undo`, except for the version
   * before the first undo.
   *
   * @example
   * const [, before] = await chat.history.versions({ limit: 2 })
   * if (before !== undefined) await chat.history.restore(before.version)
   */
  restore(version: number): Promise<Result<ViewVersion, NotFound>>
  /**
   * Corrects the summary in the contexts of a model. Later summaries extend it.
   *
   * @example
   * await chat.history.editSummary({ model: 'openai/gpt-5-mini', text: 'They chose SQLite.' })
   */
  editSummary(edit: EditSummaryInput): Promise<Result<SummaryRecord, EditSummaryFailure>>
  /**
   * A new conversation that shares the messages before `at`; none is copied.
   *
   * @example
   * const fork = await chat.history.fork(12, 'invoice-7-other-way')
   * if (fork.ok) await fork.value.append({ role: 'user', content: 'In dollars, then.' })
   */
  fork(at: Seq, id: string): Promise<Result<ConversationHandle, ForkFailure>>
  /**
   * Replaces a message by another one of the same role. Rows derived from it are removed in the
   * same commit; forks that share it keep it as it was.
   *
   * @example
   * await chat.history.edit('#12', { role: 'user', content: 'In euros, please.' })
   */
  edit(anchor: Anchor, message: MessageInput): Promise<Result<Conversation, EditFailure>>
  /**
   * Removes the content of messages from the log. Their places stay, marked as removed; forks that
   * share them keep them.
   *
   * @example
   * await chat.history.remove('#12-#15')
   */
  remove(anchor: Anchor): Promise<Result<Conversation, NotFound>>
  /**
   * Removes a message for good, with its key, its files and all that was derived from it. Where
   * other conversations share it, it is refused or removed there too; the outcome names them.
   *
   * @example
   * const outcome = await chat.history.purgeMessage('#12', { forks: 'purge' })
   * console.log(outcome.kind)
   */
  purgeMessage(
    anchor: Anchor,
    options?: { readonly forks?: 'refuse' | 'purge' },
  ): Promise<PurgeOutcome>
  /** Removes this conversation and its children for good. See `purgeMessage`. */
  purge(options?: { readonly forks?: 'refuse' | 'purge' }): Promise<PurgeOutcome>
}

/** Why there is no fork: its id is taken, or its source does not exist or is shorter. */
export type ForkFailure = Exclude<CreateOutcome, { readonly kind: 'created' }>
