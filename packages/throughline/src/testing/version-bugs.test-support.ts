/** Stores with one bug each in what they keep of the views that were in force. */
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

export const versionBugs: Readonly<Record<string, Bug>> = {
  'keeps only the version that stands': (tenant) => ({
    versions: async (query) =>
      (await tenant.versions(query))?.filter((each) => each.current) ?? null,
  }),
  'lists versions with the oldest first': (tenant) => ({
    versions: async (query) => (await tenant.versions(query))?.toReversed() ?? null,
  }),
  'lists the versions of all models': (tenant) => ({
    versions: (query) => tenant.versions({ ...query, model: null }),
  }),
  'takes the newest version of all models for the one in force': (tenant) => ({
    versions: async (query) =>
      (await tenant.versions(query))?.map((each, index) => ({ ...each, current: index === 0 })) ??
      null,
  }),
  'takes a version for one in force whose view was dropped': (tenant) => ({
    versions: async (query) => {
      const seen = new Set<string>()
      return (
        (await tenant.versions(query))?.map((each) => {
          const isNewest = !seen.has(each.model)
          seen.add(each.model)
          return { ...each, current: isNewest }
        }) ?? null
      )
    },
  }),
  'gives the view that stands for the one of a version': (tenant) => ({
    viewOf: async (query) => {
      const found = await tenant.viewOf(query)
      const { id } = query
      return (
        found && { ...found, view: (await tenant.state({ id, model: found.model }))?.view ?? null }
      )
    },
  }),
  'forgets what was restored': changed(({ restored, ...changes }) => changes),
  'withdraws what it should bring back': changed(({ restored, ...changes }) => ({
    ...changes,
    ...(restored && {
      restored: { ...restored, withdrawn: [...restored.withdrawn, ...restored.returned] },
    }),
  })),
  'goes on from what was withdrawn': (tenant) => ({
    summaryBefore: async ({ id, place }) => {
      const own = (await tenant.summaries({ id, limit: 1_000, skip: 0 })) ?? []
      const found = own
        .filter(({ covers }) => covers.to <= place)
        .toSorted((left, right) => right.covers.to - left.covers.to)[0]
      return found ?? tenant.summaryBefore({ id, place })
    },
  }),
  'removes summaries that were withdrawn': (tenant) => ({
    summaries: async (query) =>
      (await tenant.summaries(query))?.filter(({ withdrawn }) => !withdrawn) ?? null,
  }),
  'withdraws in a commit of its own': (tenant) => ({
    commit: async ({ changes: { restored, ...changes }, ...command }) => {
      const outcome = await tenant.commit({ ...command, changes })
      if (outcome.kind !== 'committed' || restored === undefined) return outcome
      const expectedVersion = outcome.conversation.version
      return tenant.commit({ ...command, expectedVersion, changes: { restored } })
    },
  }),
  'loses what a person has written': changed(({ edited, ...changes }) => changes),
  'forgets what was spent on nothing': changed(({ asking, ...changes }) => changes),
}

function changed(change: (changes: ConversationChanges) => ConversationChanges): Bug {
  return (tenant: TenantStore) => ({
    commit: (command) => tenant.commit({ ...command, changes: change(command.changes) }),
  })
}
