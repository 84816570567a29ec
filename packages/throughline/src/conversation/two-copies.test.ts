import { describe, expect, it, vi } from 'vitest'
import { isThroughlineError } from '../errors.ts'
import { createThroughline } from '../throughline.ts'
import { turnMemory } from '../turns/turn-memory.ts'

/** A second copy with its own modules, as bundlers or two versions of a dependency cause it. */
async function secondCopy() {
  vi.resetModules()
  const { createThroughline: create } = await import('../throughline.ts')
  const { turnMemory: memoryOf } = await import('../turns/turn-memory.ts')
  return { createThroughline: create, turnMemory: memoryOf }
}

describe('two copies of the core in one process', () => {
  it("accept each other's conversations", async () => {
    const copy = await secondCopy()
    expect(copy.createThroughline).not.toBe(createThroughline)
    const ours = createThroughline().conversation('c')
    const theirs = copy.createThroughline().conversation('c')
    await ours.append({ role: 'user', content: 'Look at the boiler.' })
    await theirs.append({ role: 'user', content: 'Look at the boiler.' })
    expect(await copy.turnMemory(ours)).toEqual(await turnMemory(ours))
    expect(await turnMemory(theirs)).toEqual(await copy.turnMemory(theirs))
  })

  it("recognize each other's errors, and refuse other objects", async () => {
    const copy = await secondCopy()
    for (const wrong of [null, {}, 'c']) {
      const error = await copy.turnMemory(wrong as never).catch((thrown: unknown) => thrown)
      expect(isThroughlineError(error) && error.code).toBe('CONFIG_INVALID')
    }
  })

  it('hide the internals of a handle', () => {
    const chat = createThroughline().conversation('c')
    expect(Object.keys(chat)).not.toContain('throughline.internals')
    expect(Object.getOwnPropertySymbols({ ...chat })).toEqual([])
  })
})
