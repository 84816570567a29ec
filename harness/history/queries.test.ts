import type { Store } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { describe, expect, it } from 'vitest'
import { runQueries } from './run-queries.ts'

it('answers any string, within its bounds, the same from both stores', async () => {
  const { findings, figures } = await runQueries({ seed: 3, queries: 200 })
  expect(findings).toEqual([])
  // The questions were worth something.
  expect(figures.answered).toBeGreaterThan(60)
  expect(figures.anchors).toBeGreaterThan(30)
})

type Bug = (tenant: TenantStore) => Partial<TenantStore>

function withBug(bug: Bug): (store: Store) => Store {
  return (store) => ({
    tenant: (id) => ({ ...store.tenant(id), ...bug(store.tenant(id)) }),
    close: () => store.close(),
  })
}

describe('the harness finds', () => {
  it.each<readonly [string, string, Bug]>([
    [
      'a store that knows only one alphabet',
      'throws',
      (tenant) => ({
        search: async (query) => {
          if (query.terms.some((term) => /[^ -~]/.test(term))) throw new Error('syntax error')
          return tenant.search(query)
        },
      }),
    ],
    [
      'a store that counts a term once too often',
      'stores',
      (tenant) => ({
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
    ],
    [
      'a store that does not find a message alone',
      'anchor',
      (tenant) => ({
        read: async (query) =>
          'span' in query && query.span.to - query.span.from === 1 ? null : tenant.read(query),
      }),
    ],
  ])('%s', async (_, rule, bug) => {
    const planted = withBug(bug)
    const { findings } = await runQueries({ seed: 3, queries: 60, planted, untilFound: rule })
    expect(findings.map((finding) => finding.rule)).toContain(rule)
  })
})
