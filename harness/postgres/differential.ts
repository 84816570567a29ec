/** The same random commands on three stores. The memory store is the reference of the other two. */
import { postgres } from '@throughline/postgres'
import type { Store } from 'throughline/stores'
import { sqlite } from 'throughline/stores/sqlite'
import { erasedAsInMemory } from '../../packages/postgres/test/erased-as-in-memory.ts'
import { compareWithMemory } from '../../packages/throughline/src/testing/store-contract/compare.ts'
import {
  randomCommands,
  randomSearches,
} from '../../packages/throughline/src/testing/store-contract/random-commands.ts'
import { type Finding, type Print, thrownDetail } from '../kernel/finding.ts'
import { rowsOf, withPostgres } from './server.ts'

export function runDifferential(
  { sequences, seed }: { readonly sequences: number; readonly seed: number },
  print: Print,
) {
  return withPostgres({}, async ({ url }) => {
    const findings: Finding[] = []
    let commands = 0
    for (let at = 0; at < sequences; at += 1) {
      // A tenth of them is about the search index.
      const draw = at % 10 === 9 ? randomSearches : randomCommands
      const script = draw(seed + at)
      const schema = `d${at}`
      const stores: Readonly<Record<string, () => Store>> = {
        SQLite: () => sqlite(':memory:'),
        PostgreSQL: () => erasedAsInMemory(postgres({ url, schema, maxConnections: 3 })),
      }
      for (const [name, open] of Object.entries(stores))
        try {
          await compareWithMemory(
            countCalls(open(), () => (commands += 1)),
            script,
          )
        } catch (cause) {
          const rerun = `differential --sequences 1 --seed ${seed + at}`
          findings.push({ rule: 'different', detail: `${name}: ${thrownDetail(cause)}`, rerun })
        }
      await rowsOf(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      if (at % 50 === 49) print(`${at + 1} of ${sequences}`)
    }
    return { findings, sequences, commands }
  })
}

function countCalls(store: Store, count: () => void): Store {
  return {
    close: () => store.close(),
    tenant: (id) => {
      const tenant = store.tenant(id)
      const names = Object.keys(tenant) as readonly Exclude<keyof typeof tenant, 'vectors'>[]
      // Safe cast: each method of the port, with its own command.
      return Object.fromEntries(
        names.map((name) => [
          name,
          (command: object) => {
            count()
            return tenant[name](command as never)
          },
        ]),
      ) as unknown as typeof tenant
    },
  }
}
