/** Runs cases on the memory store and on SQLite, to test code that calls a store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { runCase, type StoreCases } from './store-cases/case.test-support.ts'

export function onBothStores(what: string, cases: StoreCases): void {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
  let files = 0
  afterAll(() => rmSync(folder, { recursive: true }))
  const stores = {
    memory,
    SQLite: () => sqlite(join(folder, `${files++}.db`), { durability: 'normal' }),
  }
  for (const [name, open] of Object.entries(stores))
    describe(`${what}: ${name}`, () => {
      for (const [title, check] of Object.entries(cases)) it(title, () => runCase(open, check))
    })
}
