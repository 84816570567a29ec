import { describe, expect, it, vi } from 'vitest'
import { isThroughlineError } from '../errors.ts'
import { createThroughline } from '../throughline.ts'
import { turnMemory } from '../turns/turn-memory.ts'

/** As a bundler or two versions of a dependency bring it: the same source, with its own modules. */
async function secondCopy() {
  vi.resetModules()
  const { createThroughline: create } = await import('../throughline.ts')
  const { turnMemory: memoryOf } = await import('../turns/turn-memory.ts')
  return { createThroughline: create, turnMemory: memoryOf }
}

describe('two copies of the core in one process', () => {
  it('work on the conversations of each other', async () => {
    const copy = await secondCopy()
    expect(copy.createThroughline).not.toBe(createThroughline)
    const ours = createThroughline().conversation('c')
    const theirs = copy.createThroughline().conversation('c')
    await ours.append({ role: 'user', content: 'Look at the boiler.' })
    await theirs.append({ role: 'user', content: 'Look at the boiler.' })
    expect(await copy.turnMemory(ours)).toEqual(await turnMemory(ours))
    expect(await turnMemory(theirs)).toEqual(await copy.turnMemory(theirs))
  })

  it('know the errors of each other, and refuse what is no conversation', async () => {
    const copy = await secondCopy()
    for (const wrong of [null, {}, 'c']) {
      const error = await copy.turnMemory(wrong as never).catch((thrown: unknown) => thrown)
      expect(isThroughlineError(error) && error.code).toBe('CONFIG_INVALID')
    }
  })

  it('a handle shows nothing of what it is made from', () => {
    const chat = createThroughline().conversation('c')
    expect(Object.keys(chat)).not.toContain('throughline.internals')
    expect(Object.getOwnPropertySymbols({ ...chat })).toEqual([])
  })
})
