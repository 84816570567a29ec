import { storeContract } from 'throughline/testing'
import { describe, it } from 'vitest'
import { allCases } from '../../throughline/src/testing/store-cases/all-cases.test-support.ts'
import { runCase } from '../../throughline/src/testing/store-cases/case.test-support.ts'
import { postgres } from '../src/index.ts'
import { erasedAsInMemory } from './erased-as-in-memory.ts'
import { newSchema, server } from './shared-server.ts'

describe.skipIf(server === null)('the PostgreSQL store', () => {
  const open = () =>
    erasedAsInMemory(
      postgres({ url: server?.url ?? '', schema: newSchema(), maxConnections: 4 }),
    )
  for (const { name, run } of storeContract({ open })) it.concurrent(name, run)
  for (const [name, check] of Object.entries(allCases)) it(name, () => runCase(open, check))
})

