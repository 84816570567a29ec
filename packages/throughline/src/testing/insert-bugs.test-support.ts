/** Stores with one bug each in what they keep of what was recalled for messages. */
import type { ConversationId } from '../domain/ids.ts'
import type { Insert } from '../domain/insert.ts'
import type { ConversationState, RecordCommand } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

type Recalled = NonNullable<RecordCommand['recalled']>

export const insertBugs: Readonly<Record<string, Bug>> = {
  'forgets what was recalled': (tenant) => ({
    record: ({ recalled, ...command }) => tenant.record(command),
  }),
  'shows what was recalled in the order in which it was': shown((inserts) => inserts.toReversed()),
  'loses where what was recalled stands': shown((inserts) =>
    inserts.map((insert) => ({ ...insert, sources: insert.sources.slice(0, 1) })),
  ),
  'keeps the last that was recalled for a message': (tenant) => ({
    record: async ({ recalled, ...command }) => {
      const outcome = await tenant.record(command)
      for (const insert of recalled?.inserts ?? [])
        for (const each of [{ ...insert, of: '' }, insert])
          await tenant.record({ id: command.id, recalled: { ...given(recalled), inserts: [each] } })
      return outcome
    },
  }),
  'keeps what was recalled for a message that did not come': (tenant) => {
    const seen = new Set<string>()
    const isNew = (model: string) => (insert: Insert) => {
      const place = JSON.stringify([model, insert.epoch, insert.before])
      return !seen.has(place) && seen.add(place)
    }
    return {
      record: ({ recalled, ...command }) =>
        tenant.record({
          ...command,
          ...(recalled && {
            recalled: { ...recalled, inserts: recalled.inserts.filter(isNew(recalled.model)) },
          }),
        }),
    }
  },
  'shows what was recalled to every model': (tenant) => ({
    record: ({ recalled, ...command }) =>
      tenant.record({ ...command, ...(recalled && { recalled: { ...recalled, model: 'm' } }) }),
    state: async (query) => {
      const state = await tenant.state(query)
      return (
        state && {
          ...state,
          inserts: (await tenant.state({ ...query, model: 'm' }))?.inserts ?? [],
        }
      )
    },
  }),
  'shows what was recalled in the next epoch too': (tenant) => ({
    record: ({ recalled, ...command }) =>
      tenant.record({ ...command, ...(recalled && { recalled: twice(recalled) }) }),
  }),
  'forgets whose inserts a view goes on with': (tenant) => ({
    commit: ({ changes: { view, ...changes }, ...command }) => {
      if (view?.view == null)
        return tenant.commit({ ...command, changes: { ...changes, ...(view && { view }) } })
      const { insertsOf: _, ...own } = view.view
      return tenant.commit({ ...command, changes: { ...changes, view: { ...view, view: own } } })
    },
  }),
  'keeps fewer than were recalled': shown((inserts) => inserts.slice(-100)),
  'shows what was recalled where there is no view': (tenant) => {
    let last: Recalled | null = null
    return {
      record: (command) => {
        last = command.recalled ?? last
        return tenant.record(command)
      },
      state: async (query) => {
        const state = await tenant.state(query)
        return (
          state && {
            ...state,
            inserts: state.view === null ? (last?.inserts ?? []) : state.inserts,
          }
        )
      },
    }
  },
  'keeps what was recalled of a message that has changed': (tenant) => ({
    rewrite: async (command) => {
      const before = await tenant.state({ id: command.id, model: 'm' })
      const outcome = await tenant.rewrite(command)
      await putBack(tenant, command.id, before)
      return outcome
    },
  }),
  'shows a fork what was recalled for its source': (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      const source = state?.conversation.forkedFrom?.conversationId
      if (!state || source === undefined) return state
      return { ...state, inserts: (await tenant.state({ ...query, id: source }))?.inserts ?? [] }
    },
  }),
  'keeps what was recalled of a conversation that is gone': (tenant) => {
    let before: ConversationState | null = null
    return {
      purge: async (command) => {
        before = await tenant.state({ id: command.id, model: 'm' })
        return tenant.purge(command)
      },
      append: async (command) => {
        const outcome = await tenant.append(command)
        await putBack(tenant, command.id, before)
        return outcome
      },
    }
  },
}

function shown(change: (inserts: readonly Insert[]) => readonly Insert[]): Bug {
  return (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      return state && { ...state, inserts: change(state.inserts) }
    },
  })
}

function twice({ model, inserts }: Recalled): Recalled {
  const later = inserts.map((insert) => ({ ...insert, epoch: insert.epoch + 1 }))
  return { model, inserts: [...inserts, ...later] }
}

async function putBack(
  tenant: TenantStore,
  id: ConversationId,
  before: ConversationState | null,
): Promise<void> {
  if (before !== null)
    await tenant.record({ id, recalled: { model: 'm', inserts: before.inserts } })
}

function given(recalled: Recalled | undefined): Recalled {
  return recalled ?? { model: '', inserts: [] }
}
