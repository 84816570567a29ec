/** Stores with one bug each in what they keep of facts and the ledger. */
import type { MessageFacts } from '../domain/fact.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { CommitCommand, ConversationChanges } from '../ports/commit-commands.ts'
import type { FactsQuery } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

type Noted = NonNullable<ConversationChanges['facts']>

/** Commits other facts than those that were handed in. */
const noting =
  (alter: (facts: Noted, command: CommitCommand, tenant: TenantStore) => Noted | Promise<Noted>) =>
  (tenant: TenantStore): Partial<TenantStore> => ({
    commit: async (command) => {
      const { facts } = command.changes
      if (facts === undefined) return tenant.commit(command)
      const altered = await alter(facts, command, tenant)
      return tenant.commit({ ...command, changes: { ...command.changes, facts: altered } })
    },
  })

/** Asks for other facts than those that were asked for. */
const asking =
  (alter: (query: FactsQuery) => FactsQuery) =>
  (tenant: TenantStore): Partial<TenantStore> => ({ facts: (query) => tenant.facts(alter(query)) })

const everything = (id: ConversationId): FactsQuery => ({
  id,
  span: { from: 0, to: Number.MAX_SAFE_INTEGER },
})

/** Changes every text of a value, as a column of a database might. */
function respelled<Value>(value: Value, spell: (text: string) => string): Value {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? spell(one) : one)),
  ) as Value
}

export const factBugs: Readonly<Record<string, Bug>> = {
  'forgets facts': (tenant) => ({
    commit: ({ changes: { facts, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'notes facts in a commit of their own': (tenant) => ({
    commit: async ({ changes: { facts, ...changes }, ...command }) => {
      const outcome = await tenant.commit({ ...command, changes })
      if (outcome.kind !== 'committed' || facts === undefined) return outcome
      const expectedVersion = outcome.conversation.version
      return tenant.commit({ ...command, expectedVersion, changes: { facts } })
    },
  }),
  'notes facts whatever the version': (tenant) => ({
    commit: async (command) => {
      const outcome = await tenant.commit(command)
      const { facts } = command.changes
      if (outcome.kind !== 'version-moved' || facts === undefined) return outcome
      await tenant.commit({ ...command, expectedVersion: outcome.version, changes: { facts } })
      return outcome
    },
  }),
  'keeps the first facts of a message': noting(async ({ rows, ledger }, { id }, tenant) => {
    const known = new Set((await tenant.facts(everything(id)))?.map(({ seq }) => seq))
    return { rows: rows.filter(({ seq }) => !known.has(seq)), ledger }
  }),
  'keeps the first ledger': noting(async ({ rows, ledger }, { id }, tenant) => ({
    rows,
    ledger: (await tenant.ledger({ id })) ?? ledger,
  })),
  'drops the ledger where a commit has none': (tenant) => {
    const dropped = new Set<ConversationId>()
    return {
      commit: (command) => {
        const { facts } = command.changes
        if (facts !== undefined) dropped[facts.ledger === null ? 'add' : 'delete'](command.id)
        return tenant.commit(command)
      },
      ledger: async ({ id }) => (dropped.has(id) ? null : tenant.ledger({ id })),
    }
  },
  'drops the rows of a commit without a ledger': noting(({ rows, ledger }) => ({
    rows: ledger === null ? [] : rows,
    ledger,
  })),
  'writes half a surrogate pair of a fact as another character': noting(({ rows, ledger }) => ({
    rows: respelled(rows, (text) => text.toWellFormed()),
    ledger,
  })),
  'ends the text of a ledger at NUL': noting(({ rows, ledger }) => ({
    rows,
    ledger: respelled(ledger, (text) => text.split('\u0000')[0] ?? ''),
  })),
  'loses a count that is named __proto__': noting(({ rows, ledger }) => ({
    rows,
    ledger: ledger && {
      ...ledger,
      entries: ledger.entries.map((entry) => {
        const counts: Record<string, number> = {}
        for (const [name, count] of Object.entries(entry.counts)) counts[name] = count
        return { ...entry, counts }
      }),
    },
  })),
  'cuts facts at 64 KB': noting(({ rows, ledger }) => ({
    rows: respelled(rows, (text) => text.slice(0, 65_536)),
    ledger,
  })),
  'drops rows that tell nothing': noting(({ rows, ledger }) => ({
    rows: rows.filter(({ facts }) => facts.length > 0),
    ledger,
  })),
  'leaves out facts of messages that are not there': noting(
    async ({ rows, ledger }, { id }, tenant) => {
      const head = (await tenant.conversation(id))?.head ?? 0
      return { rows: rows.filter(({ seq }) => Number.isInteger(seq) && seq < head), ledger }
    },
  ),
  'reads facts with the end of the span': asking(({ span, ...query }) => ({
    ...query,
    span: { ...span, to: span.to + 1 },
  })),
  'reads facts in order only': asking(({ newestFirst, ...query }) => query),
  'turns the first rows around where the newest are asked for': (tenant) => ({
    facts: async ({ newestFirst = false, ...query }) => {
      const rows = await tenant.facts(query)
      return newestFirst ? (rows?.toReversed() ?? null) : rows
    },
  }),
  'reads facts of any trust': asking(({ trust, ...query }) => query),
  'filters by trust behind the limit': (tenant) => ({
    facts: async ({ trust, ...query }) =>
      (await tenant.facts(query))?.filter((row) => trust === undefined || row.trust === trust) ??
      null,
  }),
  'shows a fork what it has written over, of one trust': (tenant) => ({
    facts: async (query) => {
      const source = (await tenant.conversation(query.id))?.forkedFrom
      const ours = await tenant.facts(query)
      if (query.trust === undefined || source == null || ours === null) return ours
      const theirs = (await tenant.facts({ ...query, id: source.conversationId })) ?? []
      return [...ours, ...theirs.filter(({ seq }) => !ours.some((row) => row.seq === seq))].sort(
        (left, right) => left.seq - right.seq,
      )
    },
  }),
  'ignores the limit of facts': asking(({ limit, ...query }) => query),
  'takes a limit of none for no limit': asking(({ limit, ...query }) =>
    limit ? { ...query, limit } : query,
  ),
  'answers with no facts where there is no conversation': (tenant) => ({
    facts: async (query) => (await tenant.facts(query)) ?? [],
  }),
  'tells nothing of facts': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ kind }) => kind !== 'facts-noted') ?? null,
  }),
  'hands a fork the ledger of its source': (tenant) => ({
    ledger: async ({ id }) => {
      const own = await tenant.ledger({ id })
      const source = (await tenant.conversation(id))?.forkedFrom?.conversationId
      return own ?? (source === undefined ? null : tenant.ledger({ id: source }))
    },
  }),
  'shows a fork its own facts only': (tenant) => ({
    facts: async (query) => {
      const at = (await tenant.conversation(query.id))?.forkedFrom?.at ?? 0
      const { from, to } = query.span
      return tenant.facts({ ...query, span: { from: Math.max(from, at), to } })
    },
  }),
  'shows a fork the facts of its source behind its point': (tenant) => ({
    facts: async (query) => {
      const source = (await tenant.conversation(query.id))?.forkedFrom?.conversationId
      const theirs = source && (await tenant.facts({ ...query, id: source }))
      const ours = await tenant.facts(query)
      const known = new Set(ours?.map(({ seq }) => seq))
      return ours && [...ours, ...(theirs ?? []).filter(({ seq }) => !known.has(seq))]
    },
  }),
  'copies facts to a fork where it begins': (tenant) => {
    const copies = new Map<ConversationId, readonly MessageFacts[]>()
    return {
      create: async (command) => {
        const outcome = await tenant.create(command)
        if (outcome.kind === 'created' && command.forkedFrom !== null)
          copies.set(command.id, (await tenant.facts(everything(command.id))) ?? [])
        return outcome
      },
      facts: async (query) => {
        const [copied, found] = [copies.get(query.id), await tenant.facts(query)]
        return found?.map((row) => copied?.find(({ seq }) => seq === row.seq) ?? row) ?? null
      },
    }
  },
  'notes what a fork shares in its source': (tenant) => ({
    commit: async (command) => {
      const outcome = await tenant.commit(command)
      const { facts } = command.changes
      const point = (await tenant.conversation(command.id))?.forkedFrom ?? null
      if (outcome.kind !== 'committed' || facts === undefined || point === null) return outcome
      const rows = facts.rows.filter(({ seq }) => seq < point.at)
      const id = point.conversationId
      const { version = 0 } = (await tenant.conversation(id)) ?? {}
      const ledger = (await tenant.ledger({ id })) ?? facts.ledger
      const changes = { facts: { rows, ledger } }
      await tenant.commit({ ...command, id, expectedVersion: version, changes })
      return outcome
    },
  }),
  'drops what a fork notes of what it shares': noting(async ({ rows, ledger }, { id }, tenant) => {
    const at = (await tenant.conversation(id))?.forkedFrom?.at ?? 0
    return { rows: rows.filter(({ seq }) => seq >= at), ledger }
  }),
  'leaves the facts of a purged conversation behind': (tenant) => {
    const left = new Map<ConversationId, readonly MessageFacts[]>()
    return {
      purge: async (command) => {
        left.set(command.id, (await tenant.facts(everything(command.id))) ?? [])
        return tenant.purge(command)
      },
      facts: async (query) => {
        const found = await tenant.facts(query)
        return found?.length === 0 ? (left.get(query.id) ?? found) : found
      },
    }
  },
  'leaves the ledger of a purged conversation behind': (tenant) => {
    const ledgers = new Map<ConversationId, Ledger>()
    return {
      ledger: async ({ id }) => {
        const found = await tenant.ledger({ id })
        if (found !== null) ledgers.set(id, found)
        return ledgers.get(id) ?? null
      },
      purge: async (command) => {
        const ledger = await tenant.ledger({ id: command.id })
        if (ledger !== null) ledgers.set(command.id, ledger)
        return tenant.purge(command)
      },
    }
  },
  'drops the ledger when messages come': (tenant) => {
    const dropped = new Set<ConversationId>()
    return {
      append: (command) => {
        dropped.add(command.id)
        return tenant.append(command)
      },
      commit: (command) => {
        if (command.changes.facts !== undefined) dropped.delete(command.id)
        return tenant.commit(command)
      },
      ledger: async ({ id }) => (dropped.has(id) ? null : tenant.ledger({ id })),
    }
  },
  'keeps the facts that it was given, not a copy': (tenant) => {
    const ledgers = new Map<ConversationId, Ledger>()
    return {
      commit: (command) => {
        const { facts } = command.changes
        if (facts?.ledger != null) ledgers.set(command.id, facts.ledger)
        return tenant.commit(command)
      },
      ledger: async ({ id }) => {
        const found = await tenant.ledger({ id })
        const given = ledgers.get(id)
        return found && given?.to === found.to ? given : found
      },
    }
  },
  'reads facts after it was closed': (tenant) => ({
    facts: (query) => tenant.facts(query).catch(() => []),
  }),
}
