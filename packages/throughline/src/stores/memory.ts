/**
 * The store in memory, the reference for all stores. It keeps the same sealed rows as a database
 * and decodes them at each read, so callers cannot change stored data.
 */
import { type PurgeLine, purgeSubject } from '../domain/event.ts'
import type { ConversationId, TenantId } from '../domain/ids.ts'
import { place } from '../domain/placement.ts'
import { ThroughlineError } from '../errors.ts'
import type {
  PurgeCommand,
  PurgeOutcome,
  RewriteCommand,
  RewriteOutcome,
} from '../ports/rewrite.ts'
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
  Store,
  TenantStore,
} from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { checkPieces } from './check-pieces.ts'
import { emptyConversation, MemoryLog } from './memory/log.ts'
import { rewriteLog } from './rewrite-log.ts'

/**
 * A store that lives as long as the process; the default of `createThroughline`.
 *
 * @example
 * const engine = createThroughline({ store: memory() })
 */
export function memory(): Store {
  const tenants = new Map<TenantId, Map<ConversationId, MemoryLog>>()
  const purged = new Map<TenantId, PurgeLine[]>()
  let closed = false
  const logsOf = (id: TenantId) => {
    if (closed) throw new ThroughlineError('STORE_CLOSED', 'the memory store was closed')
    const logs = tenants.get(id) ?? new Map<ConversationId, MemoryLog>()
    tenants.set(id, logs)
    return logs
  }
  return {
    tenant: (id) => {
      const lines = purged.get(id) ?? []
      purged.set(id, lines)
      return memoryTenant(id, () => logsOf(id), lines)
    },
    close: async () => {
      closed = true
      tenants.clear()
      purged.clear()
    },
  }
}

type Logs = Map<ConversationId, MemoryLog>

function memoryTenant(tenant: TenantId, logs: () => Logs, lines: PurgeLine[]): TenantStore {
  const subjectOf = (id: ConversationId) => purgeSubject(tenant, id, sha256)
  const addLine = (id: ConversationId, line: Omit<PurgeLine, 'number' | 'subject'>) =>
    lines.push({ number: lines.length + 1, subject: subjectOf(id), ...line })
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
      const all = logs()
      if (query.id !== null) return all.get(query.id)?.events(query.after, query.limit) ?? null
      const subject = query.purged === null ? null : subjectOf(query.purged)
      const asked = lines.filter((line) => subject === null || line.subject === subject)
      return asked
        .toReversed()
        .slice(0, query.limit)
        .map((line) => ({ kind: 'purged', ...line }))
    },
    rewrite: async (command) => {
      const outcome = rewrite(logs().get(command.id), command)
      if (command.how === 'purge' && outcome.kind === 'rewritten')
        for (const id of outcome.conversations)
          addLine(id, { what: 'message', seq: command.seq, messages: 1, at: command.at })
      return outcome
    },
    purge: async (command) => {
      const wasPurged = (line: PurgeLine) =>
        line.subject === subjectOf(command.id) && line.what === 'conversation'
      if (!logs().has(command.id))
        return lines.some(wasPurged)
          ? { kind: 'already-purged', ...allErased }
          : { kind: 'not-found' }
      const heads = new Map([...logs()].map(([id, { head }]) => [id, head]))
      const outcome = purge(logs(), command)
      for (const id of outcome.kind === 'purged' ? outcome.conversations : []) {
        const messages = heads.get(id) ?? 0
        addLine(id, { what: 'conversation', seq: null, messages, at: command.at })
      }
      return outcome
    },
  }
}

function create(tenant: TenantId, logs: Logs, command: CreateCommand): CreateOutcome {
  const existing = logs.get(command.id)
  if (existing !== undefined) return { kind: 'exists', conversation: existing.conversation }
  const add = (log: MemoryLog): CreateOutcome => {
    logs.set(command.id, log)
    return { kind: 'created', conversation: log.conversation }
  }
  const { forkedFrom } = command
  if (forkedFrom === null) return add(new MemoryLog(logs, emptyConversation(tenant, command)))
  const source = logs.get(forkedFrom.conversationId)
  if (source === undefined) return { kind: 'source-not-found' }
  if (forkedFrom.at > source.head) return { kind: 'source-too-short', head: source.head }
  return add(source.fork(command, forkedFrom.at))
}

function load(log: MemoryLog | undefined, { rows = [] }: LoadQuery): Loaded | null {
  if (log === undefined) return null
  const { conversation, serial } = log
  return { conversation, serial, rows: rows.map((query) => log.rows(query)) }
}

function list(logs: Logs, query: ListQuery): readonly ListedConversation[] {
  const all = [...logs.values()].map((log) => ({ conversation: log.current, lastAt: lastAt(log) }))
  const found = query.by === 'id' ? byId(all, query) : all.sort(byLastMessage)
  return found.slice(0, query.limit ?? undefined).map((each) => structuredClone(each))
}

function byId(
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

function lastAt(log: MemoryLog): number {
  const { head, createdAt } = log.current
  const [last] = log.read({ before: head, limit: 1 })
  return last?.createdAt ?? createdAt
}

/** The order of UTF-8 bytes, as in a database; JavaScript's own differs beyond U+FFFF. */
function byCodePoint(left: string, right: string): number {
  let at = 0
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  // If only the second halves of two surrogate pairs differ, they decide in the same order.
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1)
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
  const { version } = log.current
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

const allErased = { erased: true, remains: [] } as const

function purge(logs: Logs, command: PurgeCommand): PurgeOutcome {
  const toPurge = new Set([command.id])
  const forks = new Set<ConversationId>()
  // The set grows during the loop, so children of children are found too.
  for (const id of toPurge)
    for (const { current: conversation } of logs.values()) {
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
