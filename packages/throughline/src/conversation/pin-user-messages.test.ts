import { describe, expect, it } from 'vitest'
import type { Amount } from '../domain/policy.ts'
import { fit } from '../fit/fit.ts'
import { memory } from '../stores/memory.ts'
import { createThroughline } from '../throughline.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const model = 'small'

function begin(pinUserMessages: Amount | null) {
  const store = memory()
  const tl = createThroughline({
    store,
    models,
    policy: { name: 'own', advanced: { pinUserMessages } },
  })
  return { tl, chat: tl.conversation('c') }
}

const userMessage = (content: string) => ({ role: 'user', content }) as const
const answered = (content: string) => ({ role: 'assistant', content }) as const
const words = (count: number) => 'word '.repeat(count)

describe('pins that a policy sets', () => {
  it('are set on user messages only', async () => {
    const { chat } = begin({ ratio: 0.5 })
    await chat.append([
      userMessage('Never delete anything.'),
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'a', name: 'read', input: {} }],
      },
      { role: 'user', content: [{ type: 'tool-result', callId: 'a', output: 'lines' }] },
      answered('Fine.'),
      userMessage('And ask me first.'),
    ])
    await chat.context({ model })
    expect((await chat.info())?.pins).toEqual([0, 4])
  })

  it('are set on the oldest first, as long as there is room for them', async () => {
    const { chat } = begin({ tokens: 200 })
    await chat.append([userMessage(words(80)), userMessage(words(80)), userMessage('short')])
    await chat.context({ model })
    expect((await chat.info())?.pins).toEqual([0, 2])
  })

  it('leave half of the room, whatever the policy allows', async () => {
    const { chat } = begin({ tokens: 100_000 })
    await chat.append(Array.from({ length: 20 }, () => userMessage(words(200))))
    const { budget, available } = await chat.context({ model })
    expect(budget.protected.pins).toBeGreaterThan(available / 4)
    expect(budget.protected.pins).toBeLessThanOrEqual(available / 2)
  })

  it('end no epoch, and are shown before the line', async () => {
    const { chat } = begin({ tokens: 100 })
    await chat.append(userMessage('Never delete [end] anything.'))
    for (let index = 0; index < 30; index += 1) {
      await chat.append([answered(words(150)), userMessage(`Step ${index}, please.`)])
      const { brokenBy } = await chat.context({ model })
      expect([null, 'trigger', 'overflow']).toContain(brokenBy)
    }
    const { messages, omitted } = await chat.context({ model })
    const [first] = messages.filter(({ slot }) => slot === 'pins')
    expect(JSON.stringify(first)).toContain('Never delete [end] anything.')
    expect(omitted.length).toBeGreaterThan(0)
  })

  it('are not set again after a pin was removed', async () => {
    const { tl, chat } = begin({ ratio: 0.2 })
    await chat.append(userMessage('Use tabs.'))
    await chat.context({ model })
    expect(await chat.unpin(0)).toEqual({ ok: true, value: [] })
    await chat.append([answered('Yes.'), userMessage('Use spaces.')])
    await chat.context({ model })
    expect((await chat.info())?.pins).toEqual([2])
    const forked = await chat.history.fork(3, 'forked')
    if (!forked.ok) throw new Error('expected a fork')
    await tl.conversation('forked').context({ model })
    expect((await forked.value.info())?.pins).toEqual([2])
  })

  it('cause no commit where there is no new user message', async () => {
    const { chat } = begin({ ratio: 0.2 })
    await chat.append(userMessage('Use tabs.'))
    await chat.context({ model })
    const version = (await chat.info())?.version
    await chat.append(answered('Yes.'))
    await chat.context({ model })
    expect((await chat.info())?.version).toBe(version)
  })

  it('are added to pins that were set by hand, which count too', async () => {
    const { chat } = begin({ tokens: 220 })
    await chat.append([answered(words(100)), userMessage(words(80)), userMessage('short')])
    await chat.pin(0)
    await chat.context({ model })
    expect((await chat.info())?.pins).toEqual([0, 2])
  })

  it('are not set where the policy sets none', async () => {
    const { chat } = begin(null)
    await chat.append(userMessage('Use tabs.'))
    await chat.context({ model })
    expect(await chat.info()).toMatchObject({ pins: [], version: 0 })
  })

  it('are refused without a store', async () => {
    const policy = { name: 'own', advanced: { pinUserMessages: { ratio: 0.1 } } } as const
    await expect(
      fit({ messages: [userMessage('Hello')], model, models, policy }),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('pinUserMessages') as string,
    })
  })
})
