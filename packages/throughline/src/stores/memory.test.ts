import { describe, it } from 'vitest'
import { storeContract } from '../testing/store-contract.ts'
import { memory } from './memory.ts'

describe('the memory store', () => {
  for (const { name, run } of storeContract({ open: () => memory() })) it(name, run)
})
