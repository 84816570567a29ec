/** Stores with one bug each in derived rows, which the contract has to find. */
import { derivedKinds, kindNames } from '../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import type { EventBody } from '../domain/event.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { CommitCommand, RecordCommand, RowQuery, Store, TenantStore } from '../ports/store.ts'
import { loading, rowsFor } from './typed-commits.test-support.ts'

export type Bug = (tenant: TenantStore, store: Store) => Partial<TenantStore>

const committing =
  (
    alter: (command: CommitCommand, tenant: TenantStore) => CommitCommand | Promise<CommitCommand>,
  ): Bug =>
  (tenant) => ({ commit: async (command) => tenant.commit(await alter(command, tenant)) })

const recording =
  (alter: (command: RecordCommand) => RecordCommand): Bug =>
  (tenant) => ({ record: (command) => tenant.record(alter(command)) })

/** Writes other rows than the given ones. */
const putting =
  (alter: (row: DerivedRow) => DerivedRow | null): Bug =>
  (tenant) => ({
    commit: ({ put = [], ...command }) =>
      tenant.commit({ ...command, put: put.flatMap((row) => alter(row) ?? []) }),
    record: ({ put = [], ...command }) =>
      tenant.record({
        ...command,
        put: put.flatMap((row) => {
          const altered = alter({ ...row, position: 0 })
          return altered === null ? [] : { ...altered, ...row, body: altered.body }
        }),
      }),
  })

/** Changes the queries for rows. */
const asking =
  (alter: (query: RowQuery) => RowQuery): Bug =>
  (tenant) => ({
    load: ({ rows, ...query }) => tenant.load({ ...query, ...(rows && { rows: rows.map(alter) }) }),
  })

const loadingAll =
  (alter: (rows: readonly DerivedRow[], query: RowQuery) => readonly DerivedRow[]): Bug =>
  (tenant) => ({
    load: async (query) => {
      const loaded = await tenant.load(query)
      const rows = loaded?.rows.map((each, at) => alter(each, query.rows?.[at] ?? { kind: 'view' }))
      return loaded && { ...loaded, rows: rows ?? [] }
    },
  })

const bugsOf = <Name extends string>(
  names: readonly Name[],
  bug: (name: Name) => readonly [string, Bug],
): Readonly<Record<string, Bug>> => Object.fromEntries(names.map(bug))

const kindsWith = (forks: 'none' | 'rows' | 'nearest' | 'snapshot') =>
  kindNames.filter((kind) => derivedKinds[kind].forks === forks)

const without =
  (kind: EventBody['kind']): Bug =>
  (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter((event) => event.kind !== kind) ?? null,
  })

const bodies = (spell: (text: string) => string) =>
  putting((row) => ({ ...row, body: JSON.stringify(respelled(JSON.parse(row.body), spell)) }))

const respelled = (value: unknown, spell: (text: string) => string): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? spell(one) : one)),
  )

const halved = (kind: DerivedKind): Bug => {
  const most = Math.floor((derivedKinds[kind].kept ?? 2) / 2)
  return (tenant) =>
    loading(tenant, kind, (rows) => (rows.length > most ? rows.slice(0, most) : rows))
}

export const rowBugs: Readonly<Record<string, Bug>> = {
  ...bugsOf(kindNames, (kind) => [
    `forgets rows of the kind ${kind}`,
    putting((row) => (row.kind === kind ? null : row)),
  ]),
  ...bugsOf(
    ['facts', 'digest', 'summary', 'receipt', 'version', 'turn', 'step', 'insert'],
    (kind) => [
      `loads rows of the kind ${kind} the other way round`,
      (tenant) => loading(tenant, kind as DerivedKind, (rows) => rows.toReversed()),
    ],
  ),
  ...bugsOf(kindsWith('none'), (kind) => [
    `gives a fork the rows of its source of the kind ${kind}`,
    (tenant) =>
      loading(tenant, kind, async (rows, query, id) => {
        const source = (await tenant.load({ id }))?.conversation.forkedFrom?.conversationId
        return rows.length > 0 || source === undefined ? rows : rowsFor(tenant, source, query)
      }),
  ]),
  ...bugsOf([...kindsWith('rows'), ...kindsWith('nearest'), ...kindsWith('snapshot')], (kind) => [
    `starts a fork without the rows of its source of the kind ${kind}`,
    asking((query) => (query.kind === kind ? { ...query, own: true } : query)),
  ]),
  ...bugsOf(kindsWith('snapshot'), (kind) => [
    `starts a fork with all rows of its source of the kind ${kind}`,
    (tenant) =>
      loading(tenant, kind, async (rows, query, id) => {
        const source = (await tenant.load({ id }))?.conversation.forkedFrom?.conversationId
        const theirs = source === undefined ? [] : await rowsFor(tenant, source, query)
        return theirs.length > rows.length ? theirs : rows
      }),
  ]),
  ...bugsOf(['receipt', 'request', 'version', 'insert'], (kind) => [
    `keeps half of the rows of the kind ${kind}`,
    halved(kind as DerivedKind),
  ]),
  ...bugsOf(kindNames, (kind) => [
    `keeps rows of the kind ${kind} after a purge`,
    (tenant) => {
      const left = new Map<string, readonly DerivedRow[]>()
      const keyOf = (id: ConversationId, query: RowQuery) => JSON.stringify([id, query])
      return {
        ...loading(tenant, kind, (rows, query, id) => {
          const key = keyOf(id, query)
          if (rows.length > 0) left.set(key, rows)
          return left.get(key) ?? rows
        }),
      }
    },
  ]),
  ...bugsOf(
    ['limit', 'label', 'skip', 'span', 'boundTo', 'own', 'order', 'key'] as const,
    (field) => [
      `ignores the ${field} of a query`,
      asking(({ [field]: _, ...query }) => query as RowQuery),
    ],
  ),
  'treats a limit of 0 as no limit': asking(({ limit, ...query }) =>
    limit ? { ...query, limit } : query,
  ),
  'filters by label after the limit': (tenant) => ({
    load: async (query) => {
      const rows = query.rows?.map(({ label: _, ...each }) => each)
      const loaded = await tenant.load({ ...query, ...(rows && { rows }) })
      const kept = loaded?.rows.map((each, at) => {
        const label = query.rows?.[at]?.label
        return label === undefined ? each : each.filter((row) => row.label === label)
      })
      return loaded && { ...loaded, rows: kept ?? [] }
    },
  }),
  'loads rows with the end of the span': asking(({ span, ...query }) =>
    span && span.to < Number.MAX_SAFE_INTEGER
      ? { ...query, span: { ...span, to: span.to + 1 } }
      : { ...query, ...(span && { span }) },
  ),
  'loads rows one bound too late': asking(({ boundTo, ...query }) => ({
    ...query,
    ...(boundTo !== undefined && { boundTo: boundTo - 1 }),
  })),
  'loads nothing again once it was seen': loadingAll((rows, { unlessVersion }) =>
    unlessVersion === undefined ? rows : [],
  ),
  'loads what was seen': asking(({ unlessVersion: _, ...query }) => query),
  'shows rows of a missing conversation': (tenant) => ({
    load: async (query) =>
      (await tenant.load(query)) ??
      (query.rows &&
        (await tenant.create({
          id: query.id,
          title: null,
          meta: null,
          parent: null,
          forkedFrom: null,
          at: 0,
        })) &&
        tenant.load(query)) ??
      null,
  }),
  'confuses models with similar names': (tenant) => {
    const alike = (key: string) => key.replaceAll('\\ud83d', '\ufffd')
    const spelled = (row: DerivedRow) => ({ ...row, key: alike(row.key) })
    return {
      commit: ({ put = [], ...command }) => tenant.commit({ ...command, put: put.map(spelled) }),
      load:
        asking((query) => ({
          ...query,
          ...(typeof query.key === 'string' && { key: alike(query.key) }),
        }))(tenant, null as never).load ?? tenant.load,
    }
  },
  'writes rows whatever the version': (tenant) => ({
    commit: async (command) => {
      const outcome = await tenant.commit(command)
      if (outcome.kind !== 'version-moved') return outcome
      await tenant.commit({ ...command, expectedVersion: outcome.version })
      return outcome
    },
  }),
  'writes rows in a commit of their own': (tenant) => ({
    commit: async ({ put = [], ...command }) => {
      const outcome = await tenant.commit(command)
      if (outcome.kind !== 'committed' || put.length === 0) return outcome
      return tenant.commit({ ...command, expectedVersion: outcome.conversation.version, put })
    },
  }),
  'keeps the first row of a name': committing(async ({ put = [], ...command }, tenant) => {
    const known = await Promise.all(
      put.map(async (row) => {
        const { kind, key, position } = row
        const span = { from: position, to: position + 1 }
        return (await rowsFor(tenant, command.id, { kind, key, span, own: true })).length > 0
      }),
    )
    return { ...command, put: put.filter((_, at) => !known[at]) }
  }),
  'leaves out rows of missing messages': committing(async (command, tenant) => {
    const head = (await tenant.load({ id: command.id }))?.conversation.head ?? 0
    const isThere = (row: DerivedRow) =>
      derivedKinds[row.kind].positions !== 'message' ||
      (Number.isInteger(row.position) && row.position < head)
    return { ...command, put: command.put?.filter(isThere) ?? [] }
  }),
  'accepts a turn with any number': committing(async ({ put = [], ...command }, tenant) => {
    const query = { kind: 'turn', order: 'last', limit: 1 } as const
    const [newest] = await rowsFor(tenant, command.id, query)
    const position = (newest?.position ?? 0) + 1
    const isOfTurn = ({ kind }: DerivedRow) => kind === 'turn' || kind === 'step'
    return { ...command, put: put.map((row) => (isOfTurn(row) ? { ...row, position } : row)) }
  }),
  'writes half a surrogate pair as another character': bodies((text) => text.toWellFormed()),
  'ends text at NUL': bodies((text) => text.split('\u0000')[0] ?? ''),
  'cuts text at 64 KB': bodies((text) => text.slice(0, 65_536)),
  'drops no row': committing(({ drop: _, ...command }) => command),
  'changes no label': committing(({ relabel: _, ...command }) => command),
  'removes labels that it should set': committing(({ relabel = [], ...command }) => ({
    ...command,
    relabel: relabel.map((each) => ({ ...each, label: each.label === null ? 'withdrawn' : null })),
  })),
  'forgets pins': committing(({ fields, ...command }) => {
    const { pins: _, ...others } = fields ?? {}
    return { ...command, fields: others }
  }),
  'forgets the end of the search for pins': committing(({ fields, ...command }) => {
    const { pinnedTo: _, ...others } = fields ?? {}
    return { ...command, fields: others }
  }),
  'forgets the control of compaction': committing(({ fields, ...command }) => {
    const { compaction: _, ...others } = fields ?? {}
    return { ...command, fields: others }
  }),
  'gives a fork all pins of its source': (tenant) => ({
    create: async (command) => {
      const { forkedFrom: point, id, at } = command
      const outcome = await tenant.create(command)
      const source = point && (await tenant.load({ id: point.conversationId }))?.conversation
      if (outcome.kind !== 'created' || !source) return outcome
      const { pins, pinnedTo } = source
      const events = [{ kind: 'pins-changed', pins }] as const
      await tenant.commit({ id, expectedVersion: 0, fields: { pins, pinnedTo }, events, at })
      return outcome
    },
  }),
  'keeps the last recalled text of a message': recording(({ put = [], ...command }) => ({
    ...command,
    put: put.map(({ keepsSame: _, ...row }) => row),
  })),
  'records with a version and an event': (tenant) => ({
    record: async (command) => {
      const outcome = await tenant.record(command)
      const { id } = command
      const version = (await tenant.load({ id }))?.conversation.version ?? 0
      const events = [{ kind: 'conversation-updated', fields: [] }] as const
      await tenant.commit({ id, expectedVersion: version, events, at: 0 })
      return outcome
    },
  }),
  'creates a conversation to record something': (tenant) => ({
    record: async (command) => {
      await tenant.append({ id: command.id, messages: [], at: 0 })
      return tenant.record(command)
    },
  }),
  'numbers only the rows that it keeps': loadingAll((rows, { kind }) =>
    kind === 'request'
      ? rows.map((row) => ({ ...row, position: Math.min(row.position, 100) }))
      : rows,
  ),
  'stores no annotation': recording(({ annotate: _, ...command }) => command),
  'records without checking the row': recording(({ onlyIf: _, ...command }) => command),
  'records without checking the conversation': (tenant) => ({
    record: async (command) => {
      const { serial = 0 } = (await tenant.load({ id: command.id })) ?? {}
      return tenant.record({
        ...command,
        ...(command.onlyIf && { onlyIf: { ...command.onlyIf, serial } }),
      })
    },
    load: async (query) => {
      const loaded = await tenant.load(query)
      return loaded && { ...loaded, serial: 1 }
    },
  }),
  'writes no events of a record': recording(({ events: _, ...command }) => command),
  'lists no events of facts': without('facts-extracted'),
  'lists no events of receipts': without('compaction-finished'),
  'lists no events of turns': without('turn-remembered'),
  'lists no events of digests': without('message-digested'),
  'returns its own objects': (tenant) => {
    const kept = new Map<string, Awaited<ReturnType<TenantStore['load']>>>()
    return {
      load: async (query) => {
        const loaded = await tenant.load(query)
        const key = JSON.stringify([query, loaded])
        if (!kept.has(key)) kept.set(key, loaded)
        return kept.get(key) ?? null
      },
    }
  },
  'loads rows after it was closed': (tenant) => ({
    load: (query) => tenant.load(query).catch(() => null),
  }),
  'reads excluded messages': (tenant) => ({
    read: (query) => tenant.read('span' in query ? { id: query.id, span: query.span } : query),
  }),
  'counts excluded positions from the span': (tenant) => ({
    read: (query) => {
      if (!('span' in query)) return tenant.read(query)
      const { id, span, except = [] } = query
      return tenant.read({ id, span, except: except.map((seq) => seq + span.from) })
    },
  }),
  'reads back with the newest first': (tenant) => ({
    read: async (query) => {
      const messages = await tenant.read(query)
      return 'span' in query ? messages : (messages?.toReversed() ?? null)
    },
  }),
  'reads back with the end position itself': (tenant) => ({
    read: (query) => tenant.read('span' in query ? query : { ...query, before: query.before + 1 }),
  }),
}
