/** Stores with one bug each in what they keep of single messages. */
import type { Bug } from './derived-bugs.test-support.ts'

export const digestBugs: Readonly<Record<string, Bug>> = {
  'forgets digests': (tenant) => ({
    commit: ({ changes: { digested, ...changes }, ...command }) =>
      tenant.commit({ ...command, changes }),
  }),
  'keeps the spending only of digests that succeeded': (tenant) => ({
    commit: ({ changes, ...command }) =>
      tenant.commit({
        ...command,
        changes: changes.digested?.record === null ? { title: null } : changes,
      }),
  }),
  'gives the newest digest first': (tenant) => ({
    digests: async (query) => (await tenant.digests(query))?.toReversed() ?? null,
  }),
  'gives digests of all places': (tenant) => ({
    digests: ({ id }) => tenant.digests({ id, span: { from: 0, to: 1_000 } }),
  }),
  'gives the digest behind the last place too': (tenant) => ({
    digests: ({ id, span: { from, to } }) => tenant.digests({ id, span: { from, to: to + 1 } }),
  }),
  'keeps the first digest of a message': (tenant) => ({
    commit: async ({ changes, ...command }) => {
      const { digested, ...others } = changes
      const seq = digested?.seq ?? 0
      const known = await tenant.digests({ id: command.id, span: { from: seq, to: seq + 1 } })
      const isKnown = digested?.record !== null && (known?.length ?? 0) > 0
      return tenant.commit({
        ...command,
        changes:
          digested === undefined || !isKnown
            ? changes
            : { ...others, digested: { ...digested, record: null } },
      })
    },
  }),
  'begins a fork without the digests of its source': (tenant) => ({
    digests: async ({ id, span }) => {
      const forkedFrom = (await tenant.conversation(id))?.forkedFrom ?? null
      const from = forkedFrom === null ? span.from : Math.max(span.from, forkedFrom.at)
      return tenant.digests({ id, span: { from, to: Math.max(from, span.to) } })
    },
  }),
  'tells nobody of a digest': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ kind }) => kind !== 'message-digested') ?? null,
  }),
}
