import { storeContract } from 'throughline/testing'
import { describe, it } from 'vitest'
import { allCases } from '../../throughline/src/testing/store-cases/all-cases.test-support.ts'
import { runCase } from '../../throughline/src/testing/store-cases/case.test-support.ts'
import { chosenCases } from '../../throughline/src/testing/store-cases/chosen-cases.test-support.ts'
import { erasedAsInMemory } from './erased-as-in-memory.ts'
import { emptyStore, server } from './shared-server.ts'

describe.skipIf(server === null)('the PostgreSQL store', () => {
  const open = () => erasedAsInMemory(emptyStore())
  for (const { name, run } of chosenCases(storeContract({ open }))) it(name, run)
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(open, check))
})
