import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isThroughlineError } from '../errors.ts'
import { damaged, damages } from './hostile-text.test-support.ts'
import { itemsOf } from './items.test-support.ts'
import { richSamples } from './rich-samples.test-support.ts'
import { jsonFormats } from './samples.test-support.ts'
import { storeItems } from './store-items.test-support.ts'

const runsPerFormat = 300

const placedDamages = fc.array(
  fc.record({ place: fc.nat(), damage: fc.constantFrom(...damages) }),
  {
    minLength: 1,
    maxLength: 3,
  },
)

/** One text, or several of them in a file. */
const repeats = fc.constantFrom(
  (text: string) => text,
  (text: string) => `${text}\n${text}`,
  (text: string) => `${text}${text}`,
)

const cuts = fc.option(fc.nat(), { freq: 4 })

/** A reader may throw only `TRANSCRIPT_UNREADABLE`. */
async function readableItems(
  text: string,
  format: (typeof jsonFormats)[number] | undefined,
): ReturnType<typeof itemsOf> {
  try {
    return await itemsOf(text, { format })
  } catch (error) {
    if (isThroughlineError(error) && error.code === 'TRANSCRIPT_UNREADABLE') return []
    throw error
  }
}

describe('a hostile text', () => {
  it.each(jsonFormats)('of %s yields only items that the engine accepts', async (format) => {
    const named = fc.constantFrom(format, undefined)
    await fc.assert(
      fc.asyncProperty(
        placedDamages,
        repeats,
        cuts,
        named,
        async (placedDamages, repeat, cut, name) => {
          const whole = repeat(damaged(richSamples[format], placedDamages))
          const text = cut === null ? whole : whole.slice(0, cut % whole.length)
          await storeItems(await readableItems(text, name))
        },
      ),
      { numRuns: runsPerFormat },
    )
  })

  it.each(jsonFormats)('of %s is read completely without the damage', async (format) => {
    const items = await itemsOf(damaged(richSamples[format], []))
    expect(items).toEqual(await itemsOf(richSamples[format]))
    expect(items.filter((item) => item.kind === 'problem')).toEqual([])
    const messages = items.filter((item) => item.kind === 'message').length
    const heads = await storeItems(items)
    expect([...heads.values()].reduce((sum, head) => sum + head, 0)).toBe(messages)
  })
})
