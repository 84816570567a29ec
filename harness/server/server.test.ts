import { expect, it } from 'vitest'
import { overHttp } from '../../packages/server/test/over-http.ts'
import { foundBug } from '../kernel/planted.ts'
import { runAddresses } from './addresses.ts'
import { plantedFuzz, runFuzz } from './fuzz.ts'
import { plantedTenants, runIsolation } from './isolation.ts'
import { runMatrix } from './matrix.ts'

it('refuses every wrong request to every operation, and leaks nothing', async () => {
  const { findings, figures } = await runMatrix()
  expect(findings).toEqual([])
  expect(figures.requests).toBeGreaterThan(2000)
})

it.each(['memory', 'sqlite'] as const)('keeps tenants apart, in %s', async (store) => {
  const { findings, figures } = await runIsolation({ store })
  expect(findings).toEqual([])
  expect(figures.requests).toBeGreaterThan(60)
})

it.each([...plantedTenants, ...plantedFuzz])('finds $bug', async (bug) => {
  expect(await foundBug(bug)).not.toBeNull()
})

it('refuses the same over connections', async () => {
  expect((await runMatrix({ over: overHttp, every: 8 })).findings).toEqual([])
})

it('opens no address that it is sent', async () => {
  expect((await runAddresses({ every: 7 })).findings).toEqual([])
})

it('answers random requests as documented, and never with 500', async () => {
  const { findings, figures } = await runFuzz({ requests: 500, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.operations).toBeGreaterThan(35)
})
