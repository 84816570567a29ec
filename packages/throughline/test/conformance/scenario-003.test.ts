/** The design with rows of plain text, as its author would try it. */
import { describe, expect, it } from 'vitest'
import {
  failing,
  message,
  placesIn,
  range,
  scenario,
  summaryText,
  variants,
  written,
} from './scenarios.ts'

const policy = 'rolling-rows'
const texts = range(0, 100).map((at) => message(at, `part-${at}.ts is the subject. It holds.`))

describe.each(variants)('$windowTokens tokens, usage reported: $reportsUsage', (variant) => {
  it('S3-013 S3-014 S3-015 S3-016 S3-017 S3-080 S3-082 S3-083: the 20th message has a row written, then every 20th', async () => {
    const up = await scenario(policy, variant)
    const contexts = await up.say(texts.slice(0, 15))
    for (const context of contexts) expect(summaryText(context)).toBe('')
    await up.say(texts.slice(15, 19))
    expect(await written(up)).toEqual([])
    await up.say(texts.slice(19, 20))
    expect(await written(up)).toEqual([[20, 10]])
    await up.say(texts.slice(20, 39))
    expect(await written(up)).toEqual([[20, 10]])
    await up.say(texts.slice(39, 50))
    expect(await written(up)).toEqual([
      [20, 10],
      [40, 30],
    ])
    expect(up.writer.asked).toHaveLength(2)
  })

  it('S3-002 S3-010 S3-027 S3-028 S3-042 X3-3: each message is in the row or shown, the last ten always', async () => {
    const up = await scenario(policy, variant)
    const contexts = await up.say(texts)
    for (const [at, context] of contexts.entries()) {
      const [first = 0] = placesIn(context)
      expect(placesIn(context)).toEqual(range(first, at + 1))
      expect(at + 1 - first).toBeGreaterThanOrEqual(Math.min(at + 1, 10))
      expect(summaryText(context).includes('## Earlier in this conversation')).toBe(first > 0)
    }
    const rows = await written(up)
    expect(rows).toEqual([20, 40, 60, 80, 100].map((head) => [head, head - 10]))
    const [newest] = await up.chat.summaries()
    expect(newest?.text.split(/\s+/).length).toBeLessThan(500)
    expect(newest?.tokens).toBeLessThanOrEqual(500)
    for (const { maxOutputTokens } of up.writer.asked) expect(maxOutputTokens).toBe(500)
  })

  it('S3-022 S3-034: a row that fails leaves everything shown', async () => {
    const up = await scenario(policy, variant, failing)
    const contexts = await up.say(texts.slice(0, 30))
    for (const [at, context] of contexts.entries())
      expect(placesIn(context)).toEqual(range(0, at + 1))
    expect(await written(up)).toEqual([])
  })

  it('S3-015: 50 stored messages have a row of 40 after their first request', async () => {
    const up = await scenario(policy, variant)
    await up.chat.append(texts.slice(0, 50))
    expect(placesIn(await up.ask())).toEqual(range(0, 50))
    await up.tl.settled()
    expect(await written(up)).toEqual([[50, 40]])
    expect(placesIn(await up.ask())).toEqual(range(40, 50))
  })
})
