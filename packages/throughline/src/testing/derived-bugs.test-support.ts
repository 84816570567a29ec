/** Stores with one bug each in what they derive: what the contract has to find. */
import type { Calibration } from '../domain/calibration.ts'
import type { View } from '../domain/view.ts'
import type { Store, TenantStore } from '../ports/store.ts'

export type Bug = (tenant: TenantStore, store: Store) => Partial<TenantStore>

export const derivedBugs: Readonly<Record<string, Bug>> = {
  'reads what was to be left out': (tenant) => ({
    read: ({ id, span }) => tenant.read({ id, span }),
  }),
  'leaves out a place counted from the span': (tenant) => ({
    read: ({ id, span, except = [] }) =>
      tenant.read({ id, span, except: except.map((seq) => seq + span.from) }),
  }),
  'reads back with the newest first': (tenant) => ({
    readBack: async (query) => (await tenant.readBack(query))?.toReversed() ?? null,
  }),
  'reads back with the place itself': (tenant) => ({
    readBack: (query) => tenant.readBack({ ...query, before: query.before + 1 }),
  }),
  'shows all models one view': (tenant) => ({
    state: (query) => tenant.state({ ...query, model: 'm' }),
    commit: ({ changes, ...command }) =>
      tenant.commit({
        ...command,
        changes: { ...changes, ...(changes.view && { view: { ...changes.view, model: 'm' } }) },
      }),
  }),
  'takes models for one when their names look alike': (tenant) => ({
    state: (query) => tenant.state({ ...query, model: query.model.toWellFormed() }),
    commit: ({ changes, ...command }) => {
      const { view } = changes
      const model = view?.model.toWellFormed() ?? ''
      return tenant.commit({
        ...command,
        changes: { ...changes, ...(view && { view: { ...view, model } }) },
      })
    },
  }),
  'forgets pins': (tenant) => ({
    commit: ({ changes: { pins, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'forgets how far it has looked for pins': (tenant) => ({
    commit: ({ changes: { pinnedTo, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'hands a fork more than it shares was looked at': (tenant) => ({
    create: async (command) => {
      const { forkedFrom: point, id, at } = command
      const outcome = await tenant.create(command)
      const source = point && (await tenant.conversation(point.conversationId))
      if (outcome.kind !== 'created' || source === null || source.pinnedTo === 0) return outcome
      const { pinnedTo } = source
      await tenant.commit({ id, expectedVersion: 0, changes: { pinnedTo }, at })
      return outcome
    },
  }),
  'forgets the control of compaction': (tenant) => ({
    commit: ({ changes: { compaction, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'changes things one by one, in a commit each': (tenant) => ({
    commit: async ({ changes: { view, ...changes }, ...command }) => {
      const outcome = await tenant.commit({ ...command, changes })
      if (outcome.kind !== 'committed' || view === undefined) return outcome
      const expectedVersion = outcome.conversation.version
      return tenant.commit({ ...command, expectedVersion, changes: { view } })
    },
  }),
  'writes a view whatever the version': (tenant) => ({
    commit: async (command) => {
      const outcome = await tenant.commit(command)
      if (outcome.kind !== 'version-moved') return outcome
      await tenant.commit({ ...command, expectedVersion: outcome.version })
      return outcome
    },
  }),
  'hands a fork its source’s pins as they are': (tenant) => ({
    create: async (command) => {
      const { forkedFrom: point, id, at } = command
      const outcome = await tenant.create(command)
      const source = point && (await tenant.conversation(point.conversationId))
      if (outcome.kind !== 'created' || source === null) return outcome
      await tenant.commit({ id, expectedVersion: 0, changes: { pins: source.pins }, at })
      return outcome
    },
  }),
  'notes requests with a version and an event': (tenant) => ({
    record: async (command) => {
      const outcome = await tenant.record(command)
      const current = await tenant.conversation(command.id)
      const expectedVersion = current?.version ?? 0
      await tenant.commit({ id: command.id, expectedVersion, changes: {}, at: 0 })
      return outcome
    },
  }),
  'takes every version for the one that was seen': (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      const seen = query.seenVersion !== undefined
      return state && { ...state, seen, view: seen ? null : state.view }
    },
  }),
  'lists requests with the oldest first': (tenant) => ({
    requests: async (query) => (await tenant.requests(query))?.toReversed() ?? null,
  }),
  'keeps half of the requests': (tenant) => ({
    requests: (query) => tenant.requests({ ...query, limit: Math.min(query.limit, 50) }),
  }),
  'counts only the requests that it keeps': (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      return state && { ...state, recorded: Math.min(state.recorded, 100) }
    },
  }),
  'answers with the newest request, whichever model it was': (tenant) => ({
    state: async (query) => {
      const state = await tenant.state(query)
      const [newest] = (await tenant.requests({ id: query.id, limit: 1 })) ?? []
      return state && { ...state, last: newest ?? null }
    },
  }),
  'begins a conversation to note a request': (tenant) => ({
    record: async (command) => {
      await tenant.append({ id: command.id, messages: [], at: 0 })
      return tenant.record(command)
    },
  }),
  'drops calibrations': (tenant) => ({
    record: ({ calibration, ...command }) => tenant.record(command),
  }),
}

/** These keep everything in a map of their own, as a cache in front of a store does. */
export const cachingBugs: Readonly<Record<string, Bug>> = {
  'never lets go of a view or a calibration': (tenant) => {
    const views = new Map<string, View | null>()
    const calibrations = new Map<string, Calibration>()
    return {
      commit: async (command) => {
        const { model, view = null } = command.changes.view ?? {}
        const outcome = await tenant.commit(command)
        if (outcome.kind === 'committed') views.set(`${command.id} ${model}`, view)
        return outcome
      },
      record: ({ calibration, ...command }) => {
        if (calibration !== undefined)
          calibrations.set(`${command.id} ${calibration.model}`, calibration.calibration)
        return tenant.record(command)
      },
      state: async (query) => {
        const state = await tenant.state(query)
        const key = `${query.id} ${query.model}`
        const calibration = calibrations.get(key) ?? null
        return state && { ...state, view: views.get(key) ?? null, calibration }
      },
    }
  },
  'hands out what it keeps': (tenant) => {
    const states = new Map<string, Awaited<ReturnType<TenantStore['state']>>>()
    return {
      state: async (query) => {
        const state = await tenant.state(query)
        const key = `${query.id} ${query.model} ${state?.conversation.version} ${state?.recorded}`
        if (!states.has(key)) states.set(key, state)
        return states.get(key) ?? null
      },
    }
  },
}
