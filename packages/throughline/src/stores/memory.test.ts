import { describe, it } from 'vitest'
import { allCases } from '../testing/store-cases/all-cases.test-support.ts'
import { runCase } from '../testing/store-cases/case.test-support.ts'
import { storeContract } from '../testing/store-contract.ts'
import { memory } from './memory.ts'

describe('the memory store', () => {
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(memory, check))
  for (const { name, run } of storeContract({ open: memory })) it(name, run)
})
