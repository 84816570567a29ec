/**
 * The store in memory: the reference for what every store does. It keeps the same
 * sealed rows as a database would and decodes them anew at each read, so nothing
 * that it hands out can be changed behind its back.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId, TenantId } from '../domain/ids.ts'
import { place } from '../domain/placement.ts'
import { ThroughlineError } from '../errors.ts'
import type { CommitCommand, CommitOutcome } from '../ports/commit-commands.ts'
import type { FindQuery, Found, IndexCommand, IndexOutcome } from '../ports/index-commands.ts'
import type { CompleteCommand, CompleteOutcome } from '../ports/receipt-commands.ts'
import type { PurgeCommand, PurgeOutcome } from '../ports/rewrite.ts'
import type {
  ConversationState,
  RecordCommand,
  RecordOutcome,
  StateQuery,
} from '../ports/state-commands.ts'
import type {
  AppendCommand,
  AppendOutcome,
  CreateCommand,
  CreateOutcome,
  LatestConversation,
  LatestQuery,
  ListQuery,
  Store,
  TenantStore,
} from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { checkPieces } from './checked-pieces.ts'
import { MemoryLog } from './memory/log.ts'
import { MemoryPurgeLines } from './memory/purge-lines.ts'
import { rewrite } from './memory/rewrite.ts'

/**
 * A store that lives as long as the process; what `createThroughline` takes where none is said.
 *
 * @example
 * const engine = createThroughline({ store: memory() })
 */
export function memory(): Store {
  const tenants = new Map<TenantId, Map<ConversationId, MemoryLog>>()
  const purged = new Map<TenantId, MemoryPurgeLines>()
  let closed = false
  const logsOf = (id: TenantId) => {
    if (closed) throw new ThroughlineError('STORE_CLOSED', 'the memory store was closed')
    const logs = tenants.get(id) ?? new Map<ConversationId, MemoryLog>()
    tenants.set(id, logs)
    return logs
  }
  return {
    tenant: (id) => {
      const lines = purged.get(id) ?? new MemoryPurgeLines(id)
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

function memoryTenant(tenant: TenantId, logs: () => Logs, lines: MemoryPurgeLines): TenantStore {
  return {
    create: async (command) => create(tenant, logs(), command),
    conversation: async (id) => logs().get(id)?.conversation ?? null,
    list: async (query) => list(logs(), query),
    latest: async (query) => latest(logs(), query),
    append: async (command) => append(tenant, logs(), command),
    read: async (query) => logs().get(query.id)?.read(query) ?? null,
    readBack: async (query) => logs().get(query.id)?.readBack(query) ?? null,
    original: async (id, seq) => logs().get(id)?.original(seq) ?? null,
    file: async (id, hash) => logs().get(id)?.file(hash) ?? null,
    commit: async (command) => commit(logs(), command),
    state: async (query) => state(logs().get(query.id), query),
    record: async (command) => record(logs().get(command.id), command),
    requests: async ({ id, limit }) => logs().get(id)?.derived.requests(limit) ?? null,
    facts: async (query) => {
      const log = logs().get(query.id)
      return log?.facts.read(query, log.head) ?? null
    },
    ledger: async ({ id }) => logs().get(id)?.facts.ledger ?? null,
    summaries: async (query) => logs().get(query.id)?.summaries.read(query) ?? null,
    digests: async ({ id, span }) => logs().get(id)?.digests.read(span) ?? null,
    turns: async (query) => logs().get(query.id)?.turns.read(query) ?? null,
    steps: async (query) => logs().get(query.id)?.turns.steps(query) ?? null,
    summaryBefore: async ({ id, place: before }) =>
      logs().get(id)?.summaries.before(before) ?? null,
    receipts: async (query) => logs().get(query.id)?.derived.receipts.read(query) ?? null,
    versions: async ({ id, model, limit }) =>
      logs().get(id)?.derived.versions({ model, limit }) ?? null,
    viewOf: async ({ id, version }) => logs().get(id)?.derived.viewOf(version) ?? null,
    waiting: async ({ id, recorded }) => {
      const log = logs().get(id)
      if (log === undefined) return null
      const { rewrites } = log.current
      return log.derived.receipts.waiting(recorded, { serial: log.serial, rewrites })
    },
    complete: async (command) => complete(logs().get(command.id), command),
    index: async (command) => index(logs().get(command.id), command),
    find: async (query) => find(logs().get(query.id), query),
    events: async ({ id, after, limit }) => logs().get(id)?.events(after, limit) ?? null,
    rewrite: async (command) => {
      const outcome = rewrite(logs(), command)
      if (command.how === 'purge' && outcome.kind === 'rewritten')
        for (const id of outcome.conversations)
          lines.add(id, { what: 'message', seq: command.seq, messages: 1, at: command.at })
      return outcome
    },
    purge: async (command) => purge(logs(), command, lines),
    purges: async (query) => {
      logs()
      return lines.read(query)
    },
  }
}

function create(tenant: TenantId, logs: Logs, command: CreateCommand): CreateOutcome {
  const existing = logs.get(command.id)
  if (existing !== undefined) return { kind: 'exists', conversation: existing.conversation }
  if (command.forkedFrom === null) {
    const log = MemoryLog.begin(tenant, command)
    logs.set(command.id, log)
    return { kind: 'created', conversation: log.conversation }
  }
  const source = logs.get(command.forkedFrom.conversationId)
  if (source === undefined) return { kind: 'source-not-found' }
  if (command.forkedFrom.at > source.conversation.head)
    return { kind: 'source-too-short', head: source.conversation.head }
  const log = source.fork(command, command.forkedFrom.at)
  logs.set(command.id, log)
  return { kind: 'created', conversation: log.conversation }
}

function list(logs: Logs, query: ListQuery): readonly Conversation[] {
  return [...logs.values()]
    .map((log) => log.current)
    .filter(({ id }) => query.after === null || byCodePoint(id, query.after) > 0)
    .filter(({ parent }) => query.parent === null || parent?.conversationId === query.parent)
    .sort((left, right) => byCodePoint(left.id, right.id))
    .slice(0, query.limit)
    .map((conversation) => structuredClone(conversation))
}

function latest(logs: Logs, { limit }: LatestQuery): readonly LatestConversation[] {
  return [...logs.values()]
    .map((log) => ({ conversation: log.current, lastAt: lastAt(log) }))
    .sort(
      (left, right) =>
        right.lastAt - left.lastAt || byCodePoint(right.conversation.id, left.conversation.id),
    )
    .slice(0, limit ?? undefined)
    .map((found) => structuredClone(found))
}

function lastAt(log: MemoryLog): number {
  const { head, createdAt } = log.current
  const [last] = log.readBack({ before: head, limit: 1 })
  return last?.createdAt ?? createdAt
}

/** The order of UTF-8 bytes, as in a database; JavaScript's own differs beyond U+FFFF. */
function byCodePoint(left: string, right: string): number {
  let at = 0
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  // Inside a pair that begins alike, the second half decides, and has the same order.
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1)
}

function append(tenant: TenantId, logs: Logs, command: AppendCommand): AppendOutcome {
  const log =
    logs.get(command.id) ??
    MemoryLog.begin(tenant, { ...command, title: null, meta: null, parent: null })
  const placement = place(command.messages, log, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  log.write(placement, command.at)
  logs.set(command.id, log)
  const entries = placement.entries.map(entryOf)
  return { kind: 'appended', serial: log.serial, head: placement.head, entries }
}

function entryOf({ seq, chain, marks, repeated }: AppendedFields): AppendedFields {
  return { seq, chain, marks: structuredClone(marks), repeated }
}
type AppendedFields = (AppendOutcome & { kind: 'appended' })['entries'][number]

function commit(logs: Logs, command: CommitCommand): CommitOutcome {
  const log = logs.get(command.id)
  if (log === undefined) return { kind: 'not-found' }
  const { version } = log.conversation
  if (version !== command.expectedVersion) return { kind: 'version-moved', version }
  log.change(command.changes, command.at)
  return { kind: 'committed', conversation: log.conversation }
}

function state(
  log: MemoryLog | undefined,
  { model, seenVersion }: StateQuery,
): ConversationState | null {
  if (log === undefined) return null
  const { conversation } = log
  const seen = conversation.version === seenVersion
  const derived = log.derived.of(model)
  const { serial } = log
  return { conversation, serial, ...derived, seen, view: seen ? null : derived.view }
}

function record(log: MemoryLog | undefined, command: RecordCommand): RecordOutcome {
  if (log === undefined) return { kind: 'not-found' }
  log.derived.record(command)
  return { kind: 'recorded' }
}

function complete(log: MemoryLog | undefined, command: CompleteCommand): CompleteOutcome {
  return log?.serial === command.serial ? log.complete(command) : { kind: 'not-found' }
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

function find(log: MemoryLog | undefined, query: FindQuery): Found | null {
  return log === undefined ? null : { indexedTo: log.index.end, ...log.index.find(query) }
}

function purge(logs: Logs, command: PurgeCommand, lines: MemoryPurgeLines): PurgeOutcome {
  if (!logs.has(command.id))
    return lines.wasPurged(command.id)
      ? { kind: 'already-purged', erased: true, remains: [] }
      : { kind: 'not-found' }
  const doomed = new Set([command.id])
  const forks = new Set<ConversationId>()
  // A set grows while it is walked: children of children are found too.
  for (const id of doomed)
    for (const { current: conversation } of logs.values()) {
      if (conversation.parent?.conversationId === id) doomed.add(conversation.id)
      if (conversation.forkedFrom?.conversationId !== id) continue
      if (command.forks === 'purge') doomed.add(conversation.id)
      else forks.add(conversation.id)
    }
  const refused = [...forks].filter((id) => !doomed.has(id)).sort(byCodePoint)
  if (refused.length > 0) return { kind: 'has-forks', forks: refused }
  const conversations = [...doomed].sort(byCodePoint)
  for (const id of conversations) {
    const messages = logs.get(id)?.head ?? 0
    lines.add(id, { what: 'conversation', seq: null, messages, at: command.at })
    logs.delete(id)
  }
  return { kind: 'purged', conversations, erased: true, remains: [] }
}
