/** Planted bugs of stores that purge and search, and the list of all bugs of this harness. */
import type { DerivedKind } from '../../packages/throughline/src/domain/derived-row.ts'
import { type PlantedBug, type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { plantedEdits } from './planted-edits.ts'
import { plantedPins } from './planted-pins.ts'
import { type Forgotten, purgeCanaries } from './purge-canaries.ts'
import { runQueries } from './run-queries.ts'
import { plantedUndo } from './undo-planted.ts'

/** Rewriting derived rows; commits drop rows by key only. */
const rewritten =
  /^(DELETE FROM derived|UPDATE derived SET bound = \?, body = \?) WHERE conversation = \? AND kind = \S+($| AND position)/

const rowsOfKind = (value: DerivedKind): Forgotten => ({ statement: rewritten, value })

const forgottenStatements: Readonly<Record<string, Forgotten>> = {
  facts: rowsOfKind('facts'),
  ledgers: rowsOfKind('ledger'),
  summaries: rowsOfKind('summary'),
  views: rowsOfKind('view'),
  'former views': rowsOfKind('version'),
  digests: rowsOfKind('digest'),
  turns: rowsOfKind('turn'),
  steps: rowsOfKind('step'),
  'the words of receipts': rowsOfKind('receipt'),
  files: { statement: /DELETE FROM files/ },
  keys: { statement: /\bkey = \?, key_hash = \?/, instead: 'key = coalesce(?, key), key_hash = ?' },
  'to rewrite the file': { statement: /VACUUM|secure_delete/ },
  'to empty the write-ahead log': { statement: /wal_checkpoint/ },
}

/** Statements that a faulty store omits: without each of them, purged text remains. */
export const plantedPurges: readonly PlantedBug[] = Object.entries(forgottenStatements).map(
  ([what, forgotten]) => ({
    bug: `a store that forgets ${what}`,
    rule: 'left',
    find: async () => (await purgeCanaries({ seed: 1, canaries: 4, forgotten })).findings,
  }),
)

interface PlantedQuery {
  readonly bug: string
  readonly rule: string
  readonly store: StoreBug
}

const queryBugs: readonly PlantedQuery[] = [
  {
    bug: 'a store that supports only ASCII terms',
    rule: 'throws',
    store: (tenant) => ({
      search: async (query) => {
        if (query.terms.some((term) => /[^ -~]/.test(term))) throw new Error('syntax error')
        return tenant.search(query)
      },
    }),
  },
  {
    bug: 'a store that counts a term twice',
    rule: 'stores',
    store: (tenant) => ({
      search: async (query) => {
        const found = await tenant.search(query)
        return (
          found && {
            ...found,
            matches: found.matches.map((match, at) => ({
              ...match,
              count: match.count + at * 9,
            })),
          }
        )
      },
    }),
  },
  {
    bug: 'a store that never finds a single message',
    rule: 'anchor',
    store: (tenant) => ({
      read: async (query) =>
        'span' in query && query.span.to - query.span.from === 1 ? null : tenant.read(query),
    }),
  },
]

export const plantedQueries: readonly PlantedBug[] = queryBugs.map(({ bug, rule, store }) => ({
  bug,
  rule,
  find: async () => {
    const runs = { seed: 3, queries: 60, planted: storeWithBug(store), untilFound: rule }
    return (await runQueries(runs)).findings
  },
}))

export const planted: readonly PlantedBug[] = [
  ...plantedEdits,
  ...plantedPins,
  ...plantedPurges,
  ...plantedQueries,
  ...plantedUndo,
]
