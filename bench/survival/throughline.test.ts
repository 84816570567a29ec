import { describe, expect, it } from 'vitest'
import { claudeSession, madeFile } from '../survival.test-support.ts'
import { readHistories } from './history.ts'
import { replacedBy } from './throughline.ts'

const text = claudeSession({ seed: 'replaced', steps: 60, compactedBefore: null })
const system = 'You are a careful assistant.'

async function messagesOf() {
  const [history] = await readHistories(madeFile('made.jsonl', text).items())
  return history?.messages.map(({ input }) => input) ?? []
}

describe("Throughline's replacement of messages", () => {
  it('is nearly as large as requested, and not larger', async () => {
    const messages = await messagesOf()
    const replaced = await replacedBy({ system, messages, times: 1 }, 6_000)
    expect(replaced?.text.length).toBeLessThanOrEqual(6_000)
    expect(replaced?.text.length).toBeGreaterThan(5_500)
    expect(replaced?.context.decision.reason).toBe('manual')
  })

  it('is everything if that fits', async () => {
    const messages = await messagesOf()
    const replaced = await replacedBy({ system, messages, times: 1 }, 200_000)
    expect(replaced?.context.omitted).toEqual([])
  })

  it('is compacted as often as requested, on a growing log', async () => {
    const messages = await messagesOf()
    const replaced = await replacedBy({ system, messages, times: 5 }, 3_000)
    const status = await replaced?.chat.status()
    expect(status?.requests).toHaveLength(5)
    expect(status?.requests.every(({ decision }) => decision.reason === 'manual')).toBe(true)
    expect((await replaced?.chat.info())?.head).toBe(messages.length)
    expect(replaced?.context.epoch).toBeGreaterThan(3)
    expect(replaced?.text.length).toBeLessThanOrEqual(3_000)
  })

  it('is null if no context can be so small', async () => {
    const messages = await messagesOf()
    expect(await replacedBy({ system, messages, times: 1 }, 10)).toBe(null)
  })

  it('is found beyond the windows that the system prompt alone fills', async () => {
    const messages = await messagesOf()
    const long = 'Be careful. '.repeat(2_000)
    const replaced = await replacedBy({ system: long, messages, times: 1 }, 3_000)
    expect(replaced?.text.length).toBeGreaterThan(2_000)
  })
})
