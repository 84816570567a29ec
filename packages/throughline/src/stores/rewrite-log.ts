/**
 * Edits, removes and purges messages. Forks share rows: an edit or a removal first copies shared
 * rows to the log and its forks, so that no other history changes. A purge changes every log that
 * has the message.
 */
import type { EventBody } from '../domain/event.ts'
import type { KeptKeys } from '../domain/forget-turns.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Role } from '../domain/message.ts'
import { type RemovedMessage, removedMessage } from '../domain/sealed-message.ts'
import type { IndexedPiece } from '../domain/search-index.ts'
import type { RewriteCommand, RewriteOutcome } from '../ports/rewrite.ts'

/** A log, with its source and its forks. */
export interface RewrittenLog {
  readonly id: ConversationId
  readonly head: Seq
  /** The log that has its messages before `at`. */
  source(): { readonly log: RewrittenLog; readonly at: Seq } | null
  forks(): readonly RewrittenLog[]
  messageState(seq: Seq): MessageState
  /** Copies the rows that it shares from `seq` on, with their derived rows. */
  copyShared(seq: Seq): void
  /** Replaces an own row; `replay` updates its chain and its answers. */
  replace(seq: Seq, change: RowChange): void
  /**
   * Updates chains, answers and marks of own rows. Returns the messages that answer `calls` (null:
   * no call changed).
   */
  replay(from: Seq, calls: ReadonlySet<string> | null): readonly Seq[]
  /** Drops everything derived from these messages, in ascending order. */
  dropDerived(places: readonly Seq[], keys: KeptKeys): void
  /** Replaces the indexed pieces of these messages. */
  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void
  /** Adds a version with its event, and removes the pins of these messages. */
  addVersion(event: EventBody, at: number, unpinned: readonly Seq[]): void
}

export interface MessageState {
  readonly role: Role
  readonly removed: boolean
  readonly contentHash: string
  /** Hashes before edits and removals, because a fork may still have such a message. */
  readonly former: readonly string[]
  readonly calls: readonly string[]
  readonly answers: readonly string[]
}

export interface RowChange {
  readonly message: RemovedMessage
  /** Null keeps the time. */
  readonly createdAt: number | null
  readonly removed: boolean
  readonly keepsKey: boolean
  readonly former: readonly string[]
}

/** The outcome; `changed` are the logs that had the messages. */
export type Rewritten =
  | { readonly kind: 'rewritten'; readonly changed: readonly RewrittenLog[] }
  | Exclude<RewriteOutcome, { readonly kind: 'rewritten' }>

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
  const { from, to } =
    command.how === 'remove' ? command.span : { from: command.seq, to: command.seq + 1 }
  const end = Math.min(to, log.head)
  if (from >= end) return { kind: 'not-found' }
  const states = Array.from({ length: end - from }, (_, index) => ({
    seq: from + index,
    ...log.messageState(from + index),
  }))
  const refused = command.how === 'edit' ? refusal(states[0], command) : null
  if (refused !== null) return refused
  const old = states.filter((each) => !isGone(each, command.how))
  const [first] = old
  if (first === undefined) return { kind: 'rewritten', changed: [] }
  const holders = command.how === 'purge' ? holdersOf(log, first) : [log]
  const others = holders.filter(({ id }) => id !== log.id)
  if (command.how === 'purge' && command.forks === 'refuse' && others.length > 0)
    return { kind: 'has-forks', forks: others.map(({ id }) => id) }
  if (command.how !== 'purge') {
    log.copyShared(first.seq)
    for (const fork of log.forks()) fork.copyShared(first.seq)
  }
  const changes = old.map((each) => ({ seq: each.seq, change: changeOf(command, each, sha256) }))
  // Another log may still have the call that this edit changed.
  const held = holders.flatMap((holder) => old.map(({ seq }) => holder.messageState(seq)))
  for (const holder of holders)
    if ((holder.source()?.at ?? 0) <= first.seq)
      for (const { seq, change } of changes) holder.replace(seq, change)
  const calls = callsIn([...held, ...changes.map(({ change }) => change.message)])
  const answering = holders.flatMap((holder) =>
    holder.replay(Math.max(first.seq, holder.source()?.at ?? 0), calls),
  )
  const changed = old.map(({ seq }) => seq)
  const places = [...new Set([...changed, ...answering])].sort((left, right) => left - right)
  for (const holder of holders) {
    holder.dropDerived(places, command.how === 'purge' ? 'dropped' : 'kept')
    holder.reindex(changed, command.how === 'edit' ? command.pieces : [])
    holder.addVersion(eventOf(command, end), command.at, command.how === 'edit' ? [] : changed)
  }
  return { kind: 'rewritten', changed: holders }
}

function refusal(
  states: MessageState | undefined,
  { message }: Extract<RewriteCommand, { how: 'edit' }>,
): Rewritten | null {
  if (states?.removed) return { kind: 'removed' }
  const { role } = JSON.parse(message.body) as { readonly role: Role }
  return states === undefined || states.role === role
    ? null
    : { kind: 'other-role', role: states.role }
}

/** All related logs that have this message, each after its source. */
function holdersOf(
  log: RewrittenLog,
  first: MessageState & { readonly seq: Seq },
): readonly RewrittenLog[] {
  const { seq } = first
  let root = log
  for (let source = root.source(); source !== null; source = root.source()) root = source.log
  const family = new Map([[root.id, root]])
  // The map grows during the loop, so forks of forks are found too; each once, even in a damaged
  // file.
  for (const member of family.values())
    for (const fork of member.forks()) if (!family.has(fork.id)) family.set(fork.id, fork)
  const known = new Set(hashesOf(first))
  const holds = (member: RewrittenLog) => {
    const { contentHash, removed } = member.messageState(seq)
    return !removed && known.has(contentHash)
  }
  return [...family.values()].filter(
    (member) => member.id === log.id || (member.head > seq && holds(member)),
  )
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
  if (command.how !== 'edit')
    return {
      message: removedMessage(old.role, sha256),
      createdAt: null,
      removed: true,
      keepsKey: command.how === 'remove',
      former: command.how === 'remove' ? hashesOf(old) : [],
    }
  const { message } = command
  const former = hashesOf(old)
  return { message, createdAt: message.createdAt, removed: false, keepsKey: true, former }
}

function callsIn(
  messages: readonly Pick<MessageState, 'calls' | 'answers'>[],
): ReadonlySet<string> | null {
  if (messages.every(({ calls, answers }) => calls.length === 0 && answers.length === 0))
    return null
  return new Set(messages.flatMap(({ calls }) => calls))
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
