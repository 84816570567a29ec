/**
 * Edits, removes and purges messages. Forks share rows: an edit or a removal first copies shared
 * rows to the log and its forks, so that no other log changes. A purge changes every log that has
 * the message.
 */
import type { EventBody } from '../domain/event.ts'
import type { KeptKeys } from '../domain/forget-turns.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Role } from '../domain/message.ts'
import { type RemovedMessage, removedMessage } from '../domain/sealed-message.ts'
import type { IndexedPiece } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'
import type { RewriteCommand, RewriteOutcome } from '../ports/rewrite.ts'

/** A log, with its source and its forks. */
export interface RewrittenLog {
  readonly id: ConversationId
  readonly head: Seq
  /** The log that has the messages of this one before `at`; null unless this is a fork. */
  source(): { readonly log: RewrittenLog; readonly at: Seq } | null
  forks(): readonly RewrittenLog[]
  messageState(seq: Seq): MessageState
  /** Copies the messages from `seq` on that it shares with its source, and their derived rows. */
  unshareFrom(seq: Seq): void
  /** Replaces an own row; `replay` updates its chain and its answers. */
  replace(seq: Seq, change: RowChange): void
  /**
   * Recomputes chains, answers and marks of own rows from the start of a span on, after messages
   * of the span have changed. Returns the places of messages that answer one of the changed calls.
   */
  replay(changed: Span, calls: ChangedCalls | null): readonly Seq[]
  /** Drops everything derived from these messages, in ascending order. */
  dropDerived(places: readonly Seq[], keys: KeptKeys): void
  /** Replaces the indexed pieces of these messages. */
  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void
  /** Moves the version, counts the rewrite, removes the pins of these messages, adds the event. */
  finishRewrite(event: EventBody, at: number, unpinned: readonly Seq[]): void
}

/** What a rewrite needs to know of a message. */
export interface MessageState {
  readonly role: Role
  readonly removed: boolean
  readonly contentHash: string
  /** Hashes before edits and removals, because a fork may still have such a message. */
  readonly former: readonly string[]
  readonly calls: readonly string[]
  readonly answers: readonly string[]
}

/** Null where no changed message has calls or results, so that no answer changes. */
export interface ChangedCalls {
  /** Ids of calls of the old and the new messages. */
  readonly calls: ReadonlySet<string>
  /** The same with the ids of their results: no other answers change. */
  readonly ids: ReadonlySet<string>
}

/** The new cells of a changed message. */
export interface RowChange {
  readonly message: RemovedMessage
  /** Null keeps the time. */
  readonly createdAt: number | null
  readonly removed: boolean
  readonly keepsKey: boolean
  readonly former: readonly string[]
}

/** The outcome; `changed` are the logs that had the messages. */
export type Rewritten<Log = RewrittenLog> =
  | { readonly kind: 'rewritten'; readonly changed: readonly Log[] }
  | Exclude<RewriteOutcome, { readonly kind: 'rewritten' }>

/** A log in a store whose transactions are asynchronous. */
export interface AsyncRewrittenLog extends Pick<RewrittenLog, 'id' | 'head'> {
  source(): Promise<{ readonly log: AsyncRewrittenLog; readonly at: Seq } | null>
  forks(): Promise<readonly AsyncRewrittenLog[]>
  messageState(seq: Seq): Promise<MessageState>
  unshareFrom(seq: Seq): Promise<void>
  replace(seq: Seq, change: RowChange): Promise<void>
  replay(changed: Span, calls: ChangedCalls | null): Promise<readonly Seq[]>
  dropDerived(places: readonly Seq[], keys: KeptKeys): Promise<void>
  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): Promise<void>
  finishRewrite(event: EventBody, at: number, unpinned: readonly Seq[]): Promise<void>
}

type AnyLog = RewrittenLog | AsyncRewrittenLog

/** Steps of the algorithm, which yields each promise and gets its value. */
type Steps<Value> = Generator<unknown, Value, never>

function* settled<Value>(step: Value | Promise<Value>): Steps<Value> {
  return step instanceof Promise ? yield step : step
}

/**
 * Edits, removes or purges messages. Every store runs this algorithm inside its transaction, on
 * logs that change their own rows.
 *
 * @example
 * const command = { id: family.id, how: 'remove', span: { from: 12, to: 15 }, at: Date.now() } as const
 * const outcome = rewriteLog(family, command, sha256)
 * if (outcome.kind === 'rewritten') console.log(outcome.changed.map(({ id }) => id))
 */
export function rewriteLog(log: RewrittenLog, command: RewriteCommand, sha256: Sha256): Rewritten {
  const steps = rewriteSteps(log, command, sha256)
  for (let step = steps.next(); ; step = steps.next(step.value as never))
    // Safe cast: the logs of such a family are of the same store.
    if (step.done) return step.value as Rewritten
}

/**
 * The same for a store whose transactions are asynchronous. See `rewriteLog`.
 */
export async function rewriteLogAsync(
  log: AsyncRewrittenLog,
  command: RewriteCommand,
  sha256: Sha256,
): Promise<Rewritten<AsyncRewrittenLog>> {
  const steps = rewriteSteps(log, command, sha256)
  for (let step = steps.next(); ; step = steps.next((await step.value) as never))
    // Safe cast, as above.
    if (step.done) return step.value as Rewritten<AsyncRewrittenLog>
}

function* rewriteSteps(
  log: AnyLog,
  command: RewriteCommand,
  sha256: Sha256,
): Steps<Rewritten<AnyLog>> {
  const { from, to } =
    command.how === 'remove' ? command.span : { from: command.seq, to: command.seq + 1 }
  const end = Math.min(to, log.head)
  if (from >= end) return { kind: 'not-found' }
  const states: (MessageState & { readonly seq: Seq })[] = []
  for (let seq = from; seq < end; seq += 1)
    states.push({ seq, ...(yield* settled(log.messageState(seq))) })
  const refusal = command.how === 'edit' ? refusalOf(states[0], command.message.body) : null
  if (refusal !== null) return refusal
  const oldMessages = states.filter((state) => !isGone(state, command.how))
  const [first] = oldMessages
  if (first === undefined) return { kind: 'rewritten', changed: [] }
  const logs = command.how === 'purge' ? yield* logsWith(first, log) : [log]
  const others = logs.filter(({ id }) => id !== log.id)
  if (command.how === 'purge' && command.forks === 'refuse' && others.length > 0)
    return { kind: 'has-forks', forks: others.map(({ id }) => id) }
  // A log that shares a removed message gets its own row: the purge clears former hashes only here.
  if (command.how !== 'purge' || first.removed)
    for (const each of [log, ...(yield* forksOf(log))]) yield* settled(each.unshareFrom(first.seq))
  const changes = oldMessages.map((old) => ({
    seq: old.seq,
    change: changeOf(command, old, sha256),
  }))
  // Read from every log, because a fork may have an earlier version of the message.
  const replaced: MessageState[] = []
  for (const each of logs)
    for (const { seq } of oldMessages) replaced.push(yield* settled(each.messageState(seq)))
  // A fork that shares the messages is changed with its source.
  for (const each of logs)
    if ((yield* firstOwn(each)) <= first.seq)
      for (const { seq, change } of changes) yield* settled(each.replace(seq, change))
  const calls = changedCalls([...replaced, ...changes.map(({ change }) => change.message)])
  const changed = oldMessages.map(({ seq }) => seq)
  const changedTo = (changed.at(-1) ?? first.seq) + 1
  const answering: Seq[] = []
  for (const each of logs) {
    const ownFrom = Math.max(first.seq, yield* firstOwn(each))
    const span = { from: ownFrom, to: Math.max(ownFrom, changedTo) }
    answering.push(...(yield* settled(each.replay(span, calls))))
  }
  const affected = [...new Set([...changed, ...answering])].sort((left, right) => left - right)
  const keys = command.how === 'purge' ? 'dropped' : 'kept'
  const [pieces, unpinned] = command.how === 'edit' ? [command.pieces, []] : [[], changed]
  for (const each of logs) {
    yield* settled(each.dropDerived(affected, keys))
    yield* settled(each.reindex(changed, pieces))
    yield* settled(each.finishRewrite(eventOf(command, end), command.at, unpinned))
  }
  return { kind: 'rewritten', changed: logs }
}

/** The place of the first message that is not shared. */
function* firstOwn(log: AnyLog): Steps<Seq> {
  return (yield* settled<{ readonly at: Seq } | null>(log.source()))?.at ?? 0
}

function* forksOf(log: AnyLog): Steps<readonly AnyLog[]> {
  return yield* settled<readonly AnyLog[]>(log.forks())
}

function refusalOf(state: MessageState | undefined, newBody: string): Rewritten<never> | null {
  if (state?.removed) return { kind: 'removed' }
  const { role } = JSON.parse(newBody) as { readonly role: Role }
  return state === undefined || state.role === role
    ? null
    : { kind: 'other-role', role: state.role }
}

/** All related logs that have this message, each after its source. */
function* logsWith(
  message: MessageState & { readonly seq: Seq },
  log: AnyLog,
): Steps<readonly AnyLog[]> {
  const { seq } = message
  let root = log
  for (;;) {
    const source = yield* settled<{ readonly log: AnyLog } | null>(root.source())
    if (source === null) break
    root = source.log
  }
  const family = new Map([[root.id, root]])
  // The map grows during the loop, so forks of forks are found too; each once, even in a damaged
  // file.
  for (const member of family.values())
    for (const fork of yield* forksOf(member)) if (!family.has(fork.id)) family.set(fork.id, fork)
  const hashes = new Set(hashesOf(message))
  const found: AnyLog[] = []
  for (const member of family.values()) {
    if (member.id === log.id) found.push(member)
    else if (member.head > seq) {
      const { contentHash, removed } = yield* settled(member.messageState(seq))
      if (!removed && hashes.has(contentHash)) found.push(member)
    }
  }
  return found
}

/** All removed messages have the same content hash, so it cannot identify one. */
function hashesOf({ contentHash, former, removed }: MessageState): readonly string[] {
  return removed ? former : [...former, contentHash]
}

/** Whether nothing is left to remove or purge. */
function isGone({ removed, former }: MessageState, how: RewriteCommand['how']): boolean {
  return removed && (how === 'remove' || (how === 'purge' && former.length === 0))
}

function changeOf(command: RewriteCommand, old: MessageState, sha256: Sha256): RowChange {
  const isEdit = command.how === 'edit'
  const isPurge = command.how === 'purge'
  return {
    message: isEdit ? command.message : removedMessage(old.role, sha256),
    createdAt: isEdit ? command.message.createdAt : null,
    removed: !isEdit,
    keepsKey: !isPurge,
    former: isPurge ? [] : hashesOf(old),
  }
}

function changedCalls(
  messages: readonly Pick<MessageState, 'calls' | 'answers'>[],
): ChangedCalls | null {
  const calls = new Set(messages.flatMap((message) => message.calls))
  const ids = calls.union(new Set(messages.flatMap(({ answers }) => answers)))
  return ids.size === 0 ? null : { calls, ids }
}

function eventOf(command: RewriteCommand, end: Seq): EventBody {
  switch (command.how) {
    case 'edit':
      return { kind: 'message-edited', seq: command.seq }
    case 'remove':
      return { kind: 'messages-removed', span: { from: command.span.from, to: end } }
    case 'purge':
      return { kind: 'message-purged', seq: command.seq }
  }
}
