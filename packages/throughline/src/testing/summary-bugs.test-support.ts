/** Stores with one bug each in what they keep of summaries. */
import type { Bug } from './derived-bugs.test-support.ts'

export const summaryBugs: Readonly<Record<string, Bug>> = {
  'forgets summaries': (tenant) => ({
    commit: ({ changes: { summarized, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'keeps the account only of what succeeded': (tenant) => ({
    commit: ({ changes, ...command }) =>
      tenant.commit({
        ...command,
        changes: changes.summarized?.record === null ? { title: null } : changes,
      }),
  }),
  'writes a summary in a commit of its own': (tenant) => ({
    commit: async ({ changes: { summarized, ...changes }, ...command }) => {
      const outcome = await tenant.commit({ ...command, changes })
      if (outcome.kind !== 'committed' || summarized === undefined) return outcome
      const expectedVersion = outcome.conversation.version
      return tenant.commit({ ...command, expectedVersion, changes: { summarized } })
    },
  }),
  'lists summaries with the oldest first': (tenant) => ({
    summaries: async (query) => (await tenant.summaries(query))?.toReversed() ?? null,
  }),
  'pages summaries from the beginning each time': (tenant) => ({
    summaries: (query) => tenant.summaries({ ...query, skip: 0 }),
  }),
  'finds a summary that ends behind the place': (tenant) => ({
    summaryBefore: ({ id, place }) => tenant.summaryBefore({ id, place: place + 1 }),
  }),
  'finds the newest summary instead of the one that tells most': (tenant) => ({
    summaryBefore: async ({ id, place }) => {
      const all = (await tenant.summaries({ id, limit: 1_000, skip: 0 })) ?? []
      const found = all.find(({ covers }) => covers.to <= place)
      return found ?? tenant.summaryBefore({ id, place })
    },
  }),
  'begins a fork without the summaries of its source': (tenant) => ({
    summaryBefore: async ({ id, place }) => {
      const own = (await tenant.summaries({ id, limit: 1_000, skip: 0 })) ?? []
      const found = await tenant.summaryBefore({ id, place })
      return own.some((record) => record.id === found?.id) ? found : null
    },
  }),
  'forgets what was spent with the next commit': (tenant) => {
    let spent = false
    return {
      commit: async (command) => {
        spent = command.changes.summarized !== undefined
        return tenant.commit(command)
      },
      state: async (query) => {
        const state = await tenant.state(query)
        return state && (spent ? state : { ...state, asking: null })
      },
    }
  },
}
