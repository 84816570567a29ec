/** Stores with one bug each in what they keep of an agent's turns. */
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

export const turnBugs: Readonly<Record<string, Bug>> = {
  'forgets turns': (tenant) => ({
    commit: ({ changes: { remembered, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'forgets what steps brought': withRemembered(({ steps: _, ...remembered }) => {
    return { ...remembered, steps: [] }
  }),
  'forgets what was spent on a turn': withRemembered((remembered) => {
    return { ...remembered, asking: null }
  }),
  'gives the oldest turn first': (tenant) => ({
    turns: async (query) => (await tenant.turns(query))?.toReversed() ?? null,
  }),
  'gives the oldest step first': (tenant) => ({
    steps: async (query) => (await tenant.steps(query))?.toReversed() ?? null,
  }),
  'gives the turn that others are asked for before': (tenant) => ({
    turns: ({ before, ...query }) =>
      tenant.turns({ ...query, before: before === null ? null : before + 1 }),
  }),
  'gives steps of all turns': (tenant) => ({
    steps: (query) => tenant.steps({ ...query, turn: null }),
  }),
  'gives all steps of a turn': (tenant) => ({
    steps: (query) => tenant.steps({ ...query, step: null }),
  }),
  'takes a turn whatever its number': (tenant) => ({
    commit: async (command) => {
      const { remembered, ...changes } = command.changes
      if (remembered === undefined) return tenant.commit(command)
      const [newest] = (await tenant.turns({ id: command.id, before: null, limit: 1 })) ?? []
      const turn = (newest?.turn ?? 0) + 1
      const record = { ...remembered.record, turn }
      const steps = remembered.steps.map((step) => ({ ...step, turn }))
      return tenant.commit({
        ...command,
        changes: { ...changes, remembered: { ...remembered, record, steps } },
      })
    },
  }),
  'begins a fork without the turns of its source': (tenant) => ({
    turns: async (query) => {
      const at = (await tenant.conversation(query.id))?.forkedFrom?.at ?? 0
      return (await tenant.turns(query))?.filter(({ messages }) => messages.to > at) ?? null
    },
  }),
  'begins a fork with all turns of its source': (tenant) => ({
    turns: async (query) => {
      const own = await tenant.turns(query)
      const forkedFrom = (await tenant.conversation(query.id))?.forkedFrom ?? null
      if (forkedFrom === null || own === null) return own
      const others = (await tenant.turns({ ...query, id: forkedFrom.conversationId })) ?? []
      const newest = own[0]?.turn ?? 0
      return [...others.filter(({ turn }) => turn > newest), ...own]
    },
  }),
  'tells nobody of a turn': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ kind }) => kind !== 'turn-remembered') ?? null,
  }),
  'keeps the key of a turn that is purged': (tenant) => {
    const keys = new Map<number, string>()
    return {
      turns: async (query) =>
        (await tenant.turns(query))?.map((record) => {
          if (record.key !== null) keys.set(record.turn, record.key)
          return { ...record, key: record.key ?? keys.get(record.turn) ?? null }
        }) ?? null,
    }
  },
}

type Remembered = NonNullable<Parameters<TenantStore['commit']>[0]['changes']['remembered']>

function withRemembered(change: (remembered: Remembered) => Remembered): Bug {
  return (tenant) => ({
    commit: (command) => {
      const { remembered, ...changes } = command.changes
      return remembered === undefined
        ? tenant.commit(command)
        : tenant.commit({ ...command, changes: { ...changes, remembered: change(remembered) } })
    },
  })
}
