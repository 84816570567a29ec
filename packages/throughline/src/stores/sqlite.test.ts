import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { allCases } from '../testing/store-cases/all-cases.test-support.ts'
import { runCase } from '../testing/store-cases/case.test-support.ts'
import { chosenCases } from '../testing/store-cases/chosen-cases.test-support.ts'
import { storeContract } from '../testing/store-contract.ts'
import { type SqliteDriver, sqlite } from './sqlite.ts'

// The library has no types; the contract proves that it has the shape of a driver.
const Database = createRequire(import.meta.url)('better-sqlite3') as new (
  file: string,
) => SqliteDriver

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.db`)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the SQLite store on node:sqlite', () => {
  const open = () => sqlite(newFile(), { durability: 'normal' })
  for (const { name, run } of storeContract({ open })) it(name, run)
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(open, check))
})

describe('the SQLite store on better-sqlite3', () => {
  const open = () => sqlite(new Database(newFile()), { durability: 'normal' })
  for (const { name, run } of chosenCases(storeContract({ open }))) it(name, run)
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(open, check))
})

describe('the SQLite store with a writer thread', () => {
  const open = () => sqlite(newFile(), { durability: 'normal', thread: true })
  for (const { name, run } of chosenCases(storeContract({ open }))) it(name, run)
})
