/**
 * Forks share rows. An edit or a removal first gives the log and every fork of it rows of their own, so
 * that no other history changes. A purge goes to every log of the family that has the message.
 */
import type { EventBody } from '../domain/event.ts'
import type { KeptKeys } from '../domain/forget-turns.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Role } from '../domain/message.ts'
import { type RemovedMessage, removedMessage } from '../domain/sealed-message.ts'
import type { IndexedPiece } from '../domain/search-index.ts'
import type { RewriteCommand, RewriteOutcome } from '../ports/rewrite.ts'

/** A log with those that it was forked from, and those that were forked from it. */
export interface RewrittenLog {
  readonly id: ConversationId
  readonly head: Seq
  /** Its messages before `at` are those of another log. */
  source(): { readonly log: RewrittenLog; readonly at: Seq } | null
  forks(): readonly RewrittenLog[]
  look(seq: Seq): LookedAt
  /** Copies the rows that it shares from there on, and what was derived of them. */
  ownFrom(seq: Seq): void
  /** Of a row of its own. What the message answers and its chain come with `replay`. */
  replace(seq: Seq, change: RowChange): void
  /**
   * Renews chains, answers and marks of own rows; gives the places that answer `calls` (null:
   * none changed).
   */
  replay(from: Seq, calls: ReadonlySet<string> | null): readonly Seq[]
  /** Everything that was derived from messages at these places, the first first. */
  forget(places: readonly Seq[], keys: KeptKeys): void
  /** Replaces the pieces of these messages, as far as they were indexed. */
  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void
  /** A new version with its event; pins of these places go. */
  moved(event: EventBody, at: number, unpinned: readonly Seq[]): void
}

export interface LookedAt {
  readonly role: Role
  readonly removed: boolean
  readonly contentHash: string
  /** Hashes before edits and removals: a fork may have kept such a message. */
  readonly former: readonly string[]
  readonly calls: readonly string[]
  readonly answers: readonly string[]
}

export interface RowChange {
  readonly message: RemovedMessage
  /** Null for what it was. */
  readonly createdAt: number | null
  readonly removed: boolean
  readonly keepsKey: boolean
  readonly former: readonly string[]
}

/** What became of it; `changed` are the logs that had the messages. */
export type Rewritten =
  | { readonly kind: 'rewritten'; readonly changed: readonly RewrittenLog[] }
  | Exclude<RewriteOutcome, { readonly kind: 'rewritten' }>

/**
 * Edits, removes or purges messages: the one algorithm that every store runs inside its transaction,
 * on logs that know how to change their own rows.
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
  const looked = Array.from({ length: end - from }, (_, index) => ({
    seq: from + index,
    ...log.look(from + index),
  }))
  const refused = command.how === 'edit' ? refusal(looked[0], command) : null
  if (refused !== null) return refused
  const old = looked.filter((each) => !isGone(each, command.how))
  const [first] = old
  if (first === undefined) return { kind: 'rewritten', changed: [] }
  const holders = command.how === 'purge' ? holdersOf(log, first) : [log]
  const others = holders.filter(({ id }) => id !== log.id)
  if (command.how === 'purge' && command.forks === 'refuse' && others.length > 0)
    return { kind: 'has-forks', forks: others.map(({ id }) => id) }
  if (command.how !== 'purge') {
    log.ownFrom(first.seq)
    for (const fork of log.forks()) fork.ownFrom(first.seq)
  }
  const changes = old.map((each) => ({ seq: each.seq, change: changeOf(command, each, sha256) }))
  // Another log may still have the call that was edited here.
  const held = holders.flatMap((holder) => old.map(({ seq }) => holder.look(seq)))
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
    holder.forget(places, command.how === 'purge' ? 'dropped' : 'kept')
    holder.reindex(changed, command.how === 'edit' ? command.pieces : [])
    holder.moved(eventOf(command, end), command.at, command.how === 'edit' ? [] : changed)
  }
  return { kind: 'rewritten', changed: holders }
}

function refusal(
  looked: LookedAt | undefined,
  { message }: Extract<RewriteCommand, { how: 'edit' }>,
): Rewritten | null {
  if (looked?.removed) return { kind: 'removed' }
  const { role } = JSON.parse(message.body) as { readonly role: Role }
  return looked === undefined || looked.role === role
    ? null
    : { kind: 'other-role', role: looked.role }
}

/** The logs of the family that have this message there, each after its source. */
function holdersOf(
  log: RewrittenLog,
  first: LookedAt & { readonly seq: Seq },
): readonly RewrittenLog[] {
  const { seq } = first
  let root = log
  for (let source = root.source(); source !== null; source = root.source()) root = source.log
  const family = new Map([[root.id, root]])
  // A map grows while it is walked: forks of forks are found too, and each once, whatever a file says.
  for (const member of family.values())
    for (const fork of member.forks()) if (!family.has(fork.id)) family.set(fork.id, fork)
  const known = new Set(hashesOf(first))
  const holds = (member: RewrittenLog) => {
    const { contentHash, removed } = member.look(seq)
    return !removed && known.has(contentHash)
  }
  return [...family.values()].filter(
    (member) => member.id === log.id || (member.head > seq && holds(member)),
  )
}

/** What was removed is the same everywhere, and tells nothing of what it was. */
function hashesOf({ contentHash, former, removed }: LookedAt): readonly string[] {
  return removed ? former : [...former, contentHash]
}

/** What is gone already is not removed again; purged is what nothing is left of. */
function isGone({ removed, former }: LookedAt, how: RewriteCommand['how']): boolean {
  return removed && (how === 'remove' || (how === 'purge' && former.length === 0))
}

function changeOf(command: RewriteCommand, old: LookedAt, sha256: Sha256): RowChange {
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
  messages: readonly Pick<LookedAt, 'calls' | 'answers'>[],
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
