/** The conversations of one tenant in memory, and the commands that change them. */
import { type PurgeRecord, purgeSubject } from '../../domain/event.ts'
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { place } from '../../domain/placement.ts'
import type {
  PurgeCommand,
  PurgeOutcome,
  RewriteCommand,
  RewriteOutcome,
} from '../../ports/rewrite.ts'
import type {
  AppendCommand,
  AppendOutcome,
  CommitCommand,
  CommitOutcome,
  CreateCommand,
  CreateOutcome,
  IndexCommand,
  IndexOutcome,
  ListedConversation,
  ListQuery,
  Loaded,
  LoadQuery,
  TenantStore,
} from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { checkPieces } from '../check-pieces.ts'
import { rewriteLog } from '../rewrite-log.ts'
import { emptyConversation } from './empty-conversation.ts'
import { MemoryLog } from './log.ts'

type Logs = Map<ConversationId, MemoryLog>

export interface MemoryState {
  readonly logs: Logs
  /** Oldest first. */
  readonly purges: PurgeRecord[]
}

/** The state of a tenant, created where there is none. */
export function stateOf(tenants: Map<TenantId, MemoryState>, id: TenantId): MemoryState {
  const state = tenants.get(id) ?? { logs: new Map(), purges: [] }
  tenants.set(id, state)
  return state
}

/** `state` throws if the store was closed. */
export function memoryTenant(tenant: TenantId, state: () => MemoryState): TenantStore {
  const logs = () => state().logs
  const subjectOf = (id: ConversationId) => purgeSubject(tenant, id, sha256)
  const addPurge = (id: ConversationId, purge: Omit<PurgeRecord, 'number' | 'subject'>) => {
    const { purges } = state()
    purges.push({ number: purges.length + 1, subject: subjectOf(id), ...purge })
  }
  return {
    create: async (command) => create(tenant, logs(), command),
    load: async (query) => load(logs().get(query.id), query),
    list: async (query) => list(logs(), query),
    append: async (command) => append(tenant, logs(), command),
    read: async (query) => logs().get(query.id)?.read(query) ?? null,
    bytes: async (query) => {
      const log = logs().get(query.id)
      return ('seq' in query ? log?.original(query.seq) : log?.file(query.sha256)) ?? null
    },
    commit: async (command) => commit(logs().get(command.id), command),
    record: async (command) => logs().get(command.id)?.record(command) ?? { kind: 'not-found' },
    index: async (command) => index(logs().get(command.id), command),
    search: async (query) => {
      const index = logs().get(query.id)?.index
      return index === undefined ? null : { indexedTo: index.end, ...index.find(query) }
    },
    events: async (query) => {
      if (query.id !== null) return logs().get(query.id)?.events(query.after, query.limit) ?? null
      const subject = query.purged === null ? null : subjectOf(query.purged)
      return state()
        .purges.filter((purge) => subject === null || purge.subject === subject)
        .toReversed()
        .slice(0, query.limit)
        .map((purge) => ({ kind: 'purged', ...purge }))
    },
    rewrite: async (command) => {
      const outcome = rewrite(logs().get(command.id), command)
      if (command.how === 'purge' && outcome.kind === 'rewritten')
        for (const id of outcome.conversations)
          addPurge(id, { what: 'message', seq: command.seq, messages: 1, at: command.at })
      return outcome
    },
    purge: async (command) => {
      const isPurge = ({ subject, what }: PurgeRecord) =>
        subject === subjectOf(command.id) && what === 'conversation'
      if (!logs().has(command.id))
        return state().purges.some(isPurge)
          ? { kind: 'already-purged', ...allErased }
          : { kind: 'not-found' }
      const heads = new Map([...logs()].map(([id, { head }]) => [id, head]))
      const outcome = purge(logs(), command)
      for (const id of outcome.kind === 'purged' ? outcome.conversations : []) {
        const messages = heads.get(id) ?? 0
        addPurge(id, { what: 'conversation', seq: null, messages, at: command.at })
      }
      return outcome
    },
  }
}

function create(tenant: TenantId, logs: Logs, command: CreateCommand): CreateOutcome {
  const existing = logs.get(command.id)
  if (existing !== undefined) return { kind: 'exists', conversation: existing.conversation }
  const { forkedFrom } = command
  if (forkedFrom === null) {
    const log = new MemoryLog(logs, emptyConversation(tenant, command))
    logs.set(command.id, log)
    return { kind: 'created', conversation: log.conversation }
  }
  const source = logs.get(forkedFrom.conversationId)
  if (source === undefined) return { kind: 'source-not-found' }
  if (forkedFrom.at > source.head) return { kind: 'source-too-short', head: source.head }
  const fork = source.fork(command, forkedFrom.at)
  logs.set(command.id, fork)
  return { kind: 'created', conversation: fork.conversation }
}

function load(log: MemoryLog | undefined, { rows = [] }: LoadQuery): Loaded | null {
  if (log === undefined) return null
  const { conversation, serial } = log
  return { conversation, serial, rows: rows.map((query) => log.derivedRows(query)) }
}

function list(logs: Logs, query: ListQuery): readonly ListedConversation[] {
  const all = [...logs.values()].map((log) => {
    const conversation = log.uncopiedConversation
    const [lastMessage] = log.read({ before: conversation.head, limit: 1 })
    return { conversation, lastAt: lastMessage?.createdAt ?? conversation.createdAt }
  })
  const found = query.by === 'id' ? sortById(all, query) : all.sort(byLastMessage)
  return found.slice(0, query.limit ?? undefined).map((each) => structuredClone(each))
}

/** Without those before `after`, and those of other parents. */
function sortById(
  all: readonly ListedConversation[],
  { after, parent }: Extract<ListQuery, { by: 'id' }>,
): readonly ListedConversation[] {
  return all
    .filter(({ conversation }) => after === null || byCodePoint(conversation.id, after) > 0)
    .filter(({ conversation }) => parent === null || conversation.parent?.conversationId === parent)
    .sort((left, right) => byCodePoint(left.conversation.id, right.conversation.id))
}

function byLastMessage(left: ListedConversation, right: ListedConversation): number {
  return right.lastAt - left.lastAt || byCodePoint(right.conversation.id, left.conversation.id)
}

/** The order of UTF-8 bytes, as in a database; JavaScript's own differs beyond U+FFFF. */
function byCodePoint(left: string, right: string): number {
  let index = 0
  // Beyond the end is NaN, which equals nothing.
  while (left.charCodeAt(index) === right.charCodeAt(index)) index += 1
  // A text that ends here sorts first. Inside a surrogate pair the second halves are compared,
  // which gives the same order as the whole pairs.
  return (left.codePointAt(index) ?? -1) - (right.codePointAt(index) ?? -1)
}

function append(tenant: TenantId, logs: Logs, command: AppendCommand): AppendOutcome {
  const empty = { ...command, title: null, meta: null, parent: null }
  const log = logs.get(command.id) ?? new MemoryLog(logs, emptyConversation(tenant, empty))
  const placement = place(command.messages, log, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  log.write(placement, command.at)
  logs.set(command.id, log)
  const entries = placement.entries.map(({ seq, chain, marks, repeated }) => {
    return { seq, chain, marks: structuredClone(marks), repeated }
  })
  return { kind: 'appended', serial: log.serial, head: placement.head, entries }
}

function commit(log: MemoryLog | undefined, command: CommitCommand): CommitOutcome {
  if (log === undefined) return { kind: 'not-found' }
  const { version } = log.uncopiedConversation
  if (version !== command.expectedVersion) return { kind: 'version-moved', version }
  log.commit(command)
  return { kind: 'committed', conversation: log.conversation }
}

function index(log: MemoryLog | undefined, command: IndexCommand): IndexOutcome {
  checkPieces(command)
  if (log === undefined) return { kind: 'not-found' }
  const { from, to, chain, pieces } = command
  const indexedTo = log.index.end
  if (from !== indexedTo || (to > from && log.chainOf(to - 1) !== chain))
    return { kind: 'moved', indexedTo }
  log.index.add({ from, to }, pieces)
  return { kind: 'indexed' }
}

function rewrite(log: MemoryLog | undefined, command: RewriteCommand): RewriteOutcome {
  if (log === undefined) return { kind: 'not-found' }
  const outcome = rewriteLog(log, structuredClone(command), sha256)
  if (outcome.kind !== 'rewritten') return outcome
  const conversations = outcome.changed.map(({ id }) => id)
  if (command.how === 'purge' && conversations.length === 0)
    return { kind: 'already-purged', ...allErased }
  return { kind: 'rewritten', conversation: log.conversation, conversations, ...allErased }
}

/** Memory keeps no old bytes, unlike the file of a database. */
const allErased = { erased: true, remains: Object.freeze([]) } as const

function purge(logs: Logs, command: PurgeCommand): PurgeOutcome {
  const toPurge = new Set([command.id])
  const forks = new Set<ConversationId>()
  // The set grows during the loop, so children of children are found too.
  for (const id of toPurge)
    for (const { uncopiedConversation: conversation } of logs.values()) {
      if (conversation.parent?.conversationId === id) toPurge.add(conversation.id)
      if (conversation.forkedFrom?.conversationId !== id) continue
      if (command.forks === 'purge') toPurge.add(conversation.id)
      else forks.add(conversation.id)
    }
  const refused = [...forks].filter((id) => !toPurge.has(id)).sort(byCodePoint)
  if (refused.length > 0) return { kind: 'has-forks', forks: refused }
  const conversations = [...toPurge].sort(byCodePoint)
  for (const id of conversations) logs.delete(id)
  return { kind: 'purged', conversations, ...allErased }
}
