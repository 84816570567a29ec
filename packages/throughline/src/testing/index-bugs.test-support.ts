/** Stores with one bug each in search. */

import { commitChanges } from '../derived/commit.ts'
import { loadConversation } from '../derived/state.ts'
import type { Found, IndexCommand, SearchQuery } from '../ports/store.ts'
import type { Bug } from './row-bugs.test-support.ts'

type Match = Found['matches'][number]

/** Changes the matches of a store. */
const matching =
  (change: (match: Match, query: SearchQuery, found: Found) => Match): Bug =>
  (tenant) => ({
    search: async (query) => {
      const found = await tenant.search(query)
      return (
        found && { ...found, matches: found.matches.map((match) => change(match, query, found)) }
      )
    },
  })

/** Changes all terms, in the index and in queries. */
const spelling =
  (change: (term: string) => string): Bug =>
  (tenant) => ({
    index: (command) =>
      tenant.index({
        ...command,
        pieces: command.pieces.map((piece) => ({ ...piece, terms: piece.terms.map(change) })),
      }),
    search: (query) => tenant.search({ ...query, terms: query.terms.map(change) }),
  })

/** Changes the index command. */
const indexing =
  (change: (command: IndexCommand) => IndexCommand): Bug =>
  (tenant) => ({ index: (command) => tenant.index(change(command)) })

/** Only the keys that pass. */
function filtered({ keys }: Match, passes: (key: number) => boolean): Match {
  const kept = (keys ?? []).filter(passes)
  return { count: kept.length, keys: kept }
}

export const indexBugs: Readonly<Record<string, Bug>> = {
  'finds the newest pieces first': matching(({ count, keys }) => ({
    count,
    keys: keys?.toReversed() ?? null,
  })),
  'takes pieces of one message for one': matching((match) =>
    filtered(match, (key) => key % 4_096 === 0),
  ),
  'counts pieces of all messages': matching((match, { most }, { pieces }) =>
    match.count > most ? { count: pieces, keys: null } : match,
  ),
  'counts only as far as it fetches': matching(({ count, keys }, { most }) => ({
    count: Math.min(count, most),
    keys,
  })),
  'finds pieces at the end position itself': (tenant) => ({
    search: (query) => tenant.search({ ...query, before: query.before + 1 }),
  }),
  'counts words of all messages': (tenant) => ({
    search: async (query) => {
      const found = await tenant.search(query)
      const all = await tenant.search({ ...query, before: Number.MAX_SAFE_INTEGER })
      return found && { ...found, words: all?.words ?? 0 }
    },
  }),
  'fetches one less than it may': (tenant) => ({
    search: (query) => tenant.search({ ...query, most: query.most - 1 }),
  }),
  'fetches however many there are': (tenant) => ({
    search: (query) => tenant.search({ ...query, most: Number.MAX_SAFE_INTEGER }),
  }),
  'answers names before terms': (tenant) => ({
    search: async (query) => {
      const found = await tenant.search(query)
      const { length } = query.terms
      const { matches = [] } = found ?? {}
      return found && { ...found, matches: [...matches.slice(length), ...matches.slice(0, length)] }
    },
  }),
  'answers a repeated term once': (tenant) => ({
    search: (query) => tenant.search({ ...query, terms: [...new Set(query.terms)] }),
  }),
  'indexes messages that were changed since': (tenant) => ({
    index: async (command) => {
      const [last] = (await tenant.read({ id: command.id, before: command.to, limit: 1 })) ?? []
      return tenant.index({ ...command, chain: last?.hashes.chain ?? command.chain })
    },
  }),
  'indexes from anywhere': (tenant) => ({
    index: async (command) => {
      const outcome = await tenant.index(command)
      return outcome.kind === 'moved' && outcome.indexedTo < command.from
        ? tenant.index({ ...command, from: outcome.indexedTo })
        : outcome
    },
  }),
  'indexes a part of what it refuses': (tenant) => ({
    index: async (command) => {
      try {
        return await tenant.index(command)
      } catch (error) {
        await tenant.index({ ...command, pieces: [] })
        throw error
      }
    },
  }),
  'uses the last piece as the end of the index': (tenant) => ({
    index: (command) => {
      const last = command.pieces.at(-1)
      return last === undefined ? tenant.index(command) : tenant.index({ ...command, to: last.seq })
    },
  }),
  'moves a version with the index': (tenant) => ({
    index: async (command) => {
      const outcome = await tenant.index(command)
      const expectedVersion = (await loadConversation(tenant, command.id))?.version ?? 0
      await commitChanges(tenant, { id: command.id, expectedVersion, changes: {}, at: 0 })
      return outcome
    },
  }),
  'replaces half characters of terms': spelling((term) => term.toWellFormed()),
  'ends terms at NUL': spelling((term) => term.split('\0')[0] ?? ''),
  'folds terms': spelling((term) => term.toLowerCase()),
  'takes off accents': spelling((term) => term.normalize('NFD').replace(/\p{M}/gu, '')),
  'cuts long terms': spelling((term) => term.slice(0, 32_768)),
  'finds whole names only': (tenant) => ({
    index: (command) =>
      tenant.index({
        ...command,
        pieces: command.pieces.map((piece) => ({
          ...piece,
          names: [],
          terms: [...piece.terms, ...piece.names.map((name) => `name ${name}`)],
        })),
      }),
    search: ({ partsOfNames, ...query }) =>
      tenant.search({
        ...query,
        terms: [...query.terms, ...partsOfNames.map((part) => `name ${part}`)],
        partsOfNames: [],
      }),
  }),
  'finds names and terms alike': indexing((command) => ({
    ...command,
    pieces: command.pieces.map((piece) => ({ ...piece, names: [...piece.names, ...piece.terms] })),
  })),
  'finds names across lines': indexing((command) => ({
    ...command,
    pieces: command.pieces.map((piece) => ({ ...piece, names: [piece.names.join('')] })),
  })),
  'starts a fork without an index': (tenant) => ({
    search: async (query) => {
      const at = (await loadConversation(tenant, query.id))?.forkedFrom?.at ?? 0
      const found = await tenant.search(query)
      const own = (key: number) => key >= at * 4_096
      return found && { ...found, matches: found.matches.map((match) => filtered(match, own)) }
    },
  }),
  'searches a source up to its end': (tenant) => ({
    search: async (query) => {
      const { forkedFrom = null } = (await loadConversation(tenant, query.id)) ?? {}
      return tenant.search({ ...query, id: forkedFrom?.conversationId ?? query.id })
    },
  }),
  'searches a purged conversation with the same id': (tenant) => {
    const before = new Map<string, Found>()
    return {
      search: async (query) => {
        const found = await tenant.search(query)
        const known = before.get(query.id)
        if (found !== null && found.pieces > 0) before.set(query.id, found)
        return found?.pieces === 0 && known !== undefined ? known : found
      },
    }
  },
}
