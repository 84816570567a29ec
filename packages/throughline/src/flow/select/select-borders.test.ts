/** Selections at the exact border of a rule, where one comparison decides. */
import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../policies/read-policy.ts'
import { memory } from '../../stores/memory.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { createThroughline } from '../../throughline.ts'
import { candidatesOf, meter, options, words } from './candidates.test-support.ts'
import { select } from './select.ts'
import { trimMessages } from './trim-messages.ts'

describe('a selection at a border', () => {
  it('keeps a trimmed list that has exactly the budget', () => {
    const policy = readPolicy('balanced')
    let messages = build().system(words(20)).user('Look at it').calls('read').result(words(300))
    for (const tokens of [60, 120, 30]) messages = messages.says(words(tokens)).user(words(tokens))
    const trimmed = (targetTokens: number) =>
      trimMessages([...messages], { targetTokens, summarizedTo: 0, meter, policy, sha256 })
    const budgets = Array.from({ length: 300 }, (_, index) => index + 120)
    const exact = budgets.filter((budget) => trimmed(budget).finalTokens === budget)
    expect(exact.length).toBeGreaterThan(0)
  })

  it.each([200, 300, 400, 600])('shows the newest call whole, with %i tokens', async (size) => {
    const messages = build()
      .user('Write it')
      .says(words(300))
      .user(words(300))
      .says(words(100))
      .user('Now')
      .calls('write', { content: words(size) })
      .result('ok')
    const given = candidatesOf(messages)
    const { stubs } = select(given, options(given, 1_000, 600))
    expect(stubs.map(({ seq }) => seq)).not.toContain(5)
  })

  it('keeps the reasoning of the message that begins the current turn', () => {
    const thought = { type: 'reasoning', text: 'I look first', signature: 'sealed' } as const
    const given = candidatesOf([
      { role: 'assistant', content: [thought, { type: 'text', text: words(2_000) }] },
      ...build().calls('read').result('ok'),
    ])
    const { stubs } = select(given, options(given, 400, 300))
    expect(stubs[0]?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text'])
  })

  it('counts a pinned first message once', async () => {
    const models = [{ id: 'm', contextWindowTokens: 4_000 }]
    const tl = createThroughline({ store: memory(), models })
    const chat = tl.conversation('c')
    await chat.append({ role: 'user', content: words(900) })
    await chat.pin(0)
    for (let turn = 0; turn < 30; turn += 1)
      await chat.append([...build().user(words(60)).says(words(60))])
    const { tokens, budget } = await chat.context({ model: 'm' })
    expect(tokens / budget.targetTokens).toBeGreaterThan(0.9)
    await tl.close()
  })
})
