import { expect, it } from 'vitest'
import type { LoadQuery, TenantStore } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { createTurns } from '../system.ts'
import { fairStore } from './fair-store.ts'

const workMs = 2

/** Answers at once, after some work. */
function busyStore(answered: string[]): TenantStore {
  return {
    ...memory().tenant('t' as never),
    load: async ({ id }: LoadQuery) => {
      const end = performance.now() + workMs
      while (performance.now() < end);
      answered.push(id)
      return null
    },
  }
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let working = true
  const count = () => {
    turns += 1
    if (working) setImmediate(count)
  }
  setImmediate(count)
  await work()
  working = false
  return turns
}

it('lets the event loop turn while many conversations use a store that answers at once', async () => {
  const callers = 20
  const calls = 10
  const inTurn = async (store: TenantStore) => {
    const many = Array.from({ length: callers }, async (_, caller) => {
      for (let call = 0; call < calls; call += 1) await store.load({ id: `c-${caller}` as never })
    })
    await Promise.all(many)
  }
  expect(await turnsDuring(() => inTurn(busyStore([])))).toBeLessThan(2)
  expect(await turnsDuring(() => inTurn(fairStore(busyStore([]), createTurns())))).toBeGreaterThan(
    callers,
  )
})

it('keeps the order of calls', async () => {
  const answered: string[] = []
  const store = fairStore(busyStore(answered), createTurns())
  const ids = Array.from({ length: 30 }, (_, index) => `c-${index}`)
  await Promise.all(ids.map((id) => store.load({ id: id as never })))
  expect(answered).toEqual(ids)
})
