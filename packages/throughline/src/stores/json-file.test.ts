import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import type { Store, TenantStore } from '../ports/store.ts'
import { allCases, storedCases } from '../testing/store-cases/all-cases.test-support.ts'
import { runCase } from '../testing/store-cases/case.test-support.ts'
import { chosenCases } from '../testing/store-cases/chosen-cases.test-support.ts'
import { storeContract } from '../testing/store-contract.ts'
import { jsonFile } from './json-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.json`)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the JSON file store', () => {
  const open = () => jsonFile(newFile())
  for (const { name, run } of storeContract({ open })) it(name, run)
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(open, check))
})

/** Closes the file and opens it again before each command, so that all state comes from the file. */
function reopened(path: string): Store {
  let store = jsonFile(path)
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  return {
    tenant: (id) => {
      const runAlone = async (name: Method, command: never) => {
        if (!closed) {
          await store.close()
          store = jsonFile(path)
        }
        return store.tenant(id)[name](command)
      }
      const run = (name: Method, command: never) => {
        const outcome = last.then(() => runAlone(name, command))
        last = outcome.catch(() => {})
        return outcome
      }
      const methods = Object.keys(store.tenant(id)) as readonly Method[]
      // Safe cast: each method of the port, with its own arguments.
      return Object.fromEntries(
        methods.map((name) => [name, (command: never) => run(name, command)]),
      ) as unknown as TenantStore
    },
    close: () => {
      closed = true
      return store.close()
    },
  }
}

describe('the JSON file store, opened again before each command', () => {
  const why = 'the index is not in the file: it is made again from the messages'
  const open = () => reopened(newFile())
  const searches = storeContract({ open }).filter(({ name }) => /search|term|tenant/.test(name))
  const skip = Object.fromEntries(searches.map(({ name }) => [name, why]))
  for (const { name, run } of chosenCases(storeContract({ open, skip }))) it(name, run)
  for (const [name, check] of Object.entries(storedCases)) it(name, () => runCase(open, check))
})

/** Its calls; the file keeps no vectors. */
type Method = Exclude<keyof TenantStore, 'vectors'>
