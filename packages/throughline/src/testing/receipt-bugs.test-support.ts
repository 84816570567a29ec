/** Stores with one bug each in what they keep of receipts and of what waits for hindsight. */
import type { ConversationId } from '../domain/ids.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { CompleteCommand, ReceiptsQuery, WaitingReceipt } from '../ports/receipt-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

/** Asks for other receipts than those that were asked for. */
const asking =
  (alter: (query: ReceiptsQuery) => ReceiptsQuery) =>
  (tenant: TenantStore): Partial<TenantStore> => ({
    receipts: (query) => tenant.receipts(alter(query)),
  })

/** Hands out something else than what waits. */
const handingOut =
  (alter: (waiting: WaitingReceipt) => WaitingReceipt) =>
  (tenant: TenantStore): Partial<TenantStore> => ({
    waiting: async (query) => {
      const found = await tenant.waiting(query)
      return found && alter(found)
    },
  })

/** Completes something else than what was handed in. */
const completing =
  (alter: (command: CompleteCommand) => CompleteCommand) =>
  (tenant: TenantStore): Partial<TenantStore> => ({
    complete: (command) => tenant.complete(alter(command)),
  })

const serialOf = async (tenant: TenantStore, id: ConversationId) =>
  (await tenant.state({ id, model: '' }))?.serial ?? -1

export const receiptBugs: Readonly<Record<string, Bug>> = {
  'forgets receipts': (tenant) => ({
    commit: ({ changes: { receipt, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'writes a receipt in a commit of its own': (tenant) => ({
    commit: async ({ changes: { receipt, ...changes }, ...command }) => {
      const outcome = await tenant.commit({ ...command, changes })
      if (outcome.kind !== 'committed' || receipt === undefined) return outcome
      const expectedVersion = outcome.conversation.version
      return tenant.commit({ ...command, expectedVersion, changes: { receipt } })
    },
  }),
  'writes a receipt whatever the version': (tenant) => ({
    commit: async (command) => {
      const outcome = await tenant.commit(command)
      const { receipt } = command.changes
      if (outcome.kind !== 'version-moved' || receipt === undefined) return outcome
      await tenant.commit({ ...command, expectedVersion: outcome.version, changes: { receipt } })
      return outcome
    },
  }),
  'lists receipts with the oldest first': (tenant) => ({
    receipts: async (query) => (await tenant.receipts(query))?.toReversed() ?? null,
  }),
  'lists receipts with the one before which': asking(({ before, ...query }) => ({
    ...query,
    before: before === null ? null : before + 1,
  })),
  'ignores before which receipt': asking((query) => ({ ...query, before: null })),
  'keeps half of the receipts': asking((query) => ({
    ...query,
    limit: Math.min(query.limit, 100),
  })),
  'numbers receipts as it lists them': (tenant) => ({
    receipts: async (query) =>
      (await tenant.receipts(query))?.map(
        (receipt, index, all): Receipt => ({ ...receipt, version: all.length - index }),
      ) ?? null,
  }),
  'keeps all receipts': (tenant) => {
    const all: Receipt[] = []
    return {
      commit: async (command) => {
        const outcome = await tenant.commit(command)
        const { receipt } = command.changes
        if (outcome.kind === 'committed' && receipt !== undefined) {
          const { version } = outcome.conversation
          all.unshift({ ...structuredClone(receipt.receipt), version, hindsight: null })
        }
        return outcome
      },
      receipts: async (query) => {
        const found = await tenant.receipts(query)
        return found && query.before === null && found.length === 200 ? all : found
      },
    }
  },
  'tells nothing of receipts': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ kind }) => kind !== 'compaction-finished') ?? null,
  }),
  'answers with no receipts where there is no conversation': (tenant) => ({
    receipts: async (query) => (await tenant.receipts(query)) ?? [],
  }),
  'hands a fork the receipts of its source': (tenant) => ({
    receipts: async (query) => {
      const own = await tenant.receipts(query)
      const source = (await tenant.conversation(query.id))?.forkedFrom?.conversationId
      return own?.length === 0 && source ? tenant.receipts({ ...query, id: source }) : own
    },
  }),
  'leaves the receipts of a purged conversation behind': (tenant) => {
    const behind = new Map<ConversationId, readonly Receipt[]>()
    return {
      purge: async (command) => {
        const all = await tenant.receipts({ id: command.id, limit: 999, before: null })
        behind.set(command.id, all ?? [])
        return tenant.purge(command)
      },
      receipts: async (query) => {
        const found = await tenant.receipts(query)
        return found?.length === 0 ? (behind.get(query.id) ?? found) : found
      },
    }
  },
  'reads receipts after it was closed': (tenant) => ({
    receipts: (query) => tenant.receipts(query).catch(() => []),
  }),
  'calls for hindsight at once': (tenant) => ({
    waiting: (query) => tenant.waiting({ ...query, recorded: Number.MAX_SAFE_INTEGER }),
  }),
  'calls for hindsight one request too late': (tenant) => ({
    waiting: (query) => tenant.waiting({ ...query, recorded: query.recorded - 1 }),
  }),
  'never tells that hindsight is due': (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      return state && { ...state, hindsightDue: null }
    },
  }),
  'cuts what a compaction left': handingOut((waiting) => ({
    ...waiting,
    left: { ...waiting.left, text: waiting.left.text.slice(0, 65_536) },
  })),
  'forgets what was expanded': handingOut((waiting) => ({ ...waiting, expanded: [] })),
  'counts each expansion once': handingOut((waiting) => ({
    ...waiting,
    expanded: waiting.expanded.map((one) => ({ ...one, times: 1 })),
  })),
  'notes what is expanded without end': (tenant) => {
    const spans: { from: number; to: number }[] = []
    return {
      record: (command) => {
        if (command.expanded !== undefined) spans.push(command.expanded)
        return tenant.record(command)
      },
      waiting: async (query) => {
        const found = await tenant.waiting(query)
        const expanded = spans.map((span) => ({ span, times: 1 }))
        return found && found.expanded.length === 100 ? { ...found, expanded } : found
      },
    }
  },
  'tells of an expansion by an event': (tenant) => ({
    record: async (command) => {
      const outcome = await tenant.record(command)
      if (command.expanded === undefined) return outcome
      const expectedVersion = (await tenant.conversation(command.id))?.version ?? 0
      await tenant.commit({ id: command.id, expectedVersion, changes: {}, at: 0 })
      return outcome
    },
  }),
  'completes a receipt again and again': (tenant) => ({
    complete: async (command) => {
      const outcome = await tenant.complete(command)
      return outcome.kind === 'complete-already' ? { kind: 'completed' } : outcome
    },
  }),
  'completes the newest receipt': (tenant) => ({
    complete: async (command) => {
      const [newest] = (await tenant.receipts({ ...command, limit: 1, before: null })) ?? []
      return tenant.complete({ ...command, version: newest?.version ?? command.version })
    },
  }),
  'completes without looking which conversation it is': (tenant) => ({
    complete: async (command) =>
      tenant.complete({ ...command, serial: await serialOf(tenant, command.id) }),
  }),
  'moves the version with hindsight': (tenant) => ({
    complete: async (command) => {
      const outcome = await tenant.complete(command)
      const expectedVersion = (await tenant.conversation(command.id))?.version ?? 0
      await tenant.commit({ id: command.id, expectedVersion, changes: {}, at: 0 })
      return outcome
    },
  }),
  'tells nothing of hindsight': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ kind }) => kind !== 'receipt-completed') ?? null,
  }),
  'ends the text of hindsight at NUL': completing(({ hindsight, ...command }) => ({
    ...command,
    hindsight: JSON.parse(
      JSON.stringify(hindsight, (_key, value: unknown) =>
        typeof value === 'string' ? value.split('\u0000')[0] : value,
      ),
    ) as typeof hindsight,
  })),
}
