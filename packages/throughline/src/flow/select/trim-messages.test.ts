import { expect, it } from 'vitest'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { meter, words } from './candidates.test-support.ts'
import { trimMessages } from './trim-messages.ts'

const policy = readPolicy('balanced')
const trimmed = (messages: ReturnType<typeof build>, targetTokens: number) =>
  trimMessages([...messages], { targetTokens, summarizedTo: 0, meter, policy, sha256 })

it('returns the given messages if they have exactly the budget', () => {
  const messages = build().user('a').says(words(90)).user('b')
  const { originalTokens } = trimmed(messages, 0)
  const same = trimmed(messages, originalTokens)
  expect(same).toMatchObject({ dropped: [], stubbed: [], savedTokens: 0, withinBudget: true })
  expect(same.messages).toEqual([...messages])
  const less = trimmed(messages, originalTokens - 1)
  expect(less.savedTokens).toBe(originalTokens - less.finalTokens)
  expect(less.savedTokens).toBeGreaterThan(0)
  expect(less.withinBudget).toBe(true)
})

it('returns system messages and task whole, and says whether they fit', () => {
  const messages = build().system(words(50)).user('a').says(words(90)).user('b')
  const { finalTokens, dropped, stubbed } = trimmed(messages, 0)
  expect({ dropped, stubbed }).toEqual({ dropped: [1, 2], stubbed: [] })
  expect(trimmed(messages, finalTokens)).toMatchObject({ dropped: [1, 2], withinBudget: true })
  const less = trimmed(messages, finalTokens - 1)
  expect(less).toMatchObject({ dropped: [1, 2], finalTokens, withinBudget: false })
})

it('trims a list that has no task, too', () => {
  const messages = build().says(words(90)).says(words(40)).says(words(30))
  const { messages: kept, stubbed, withinBudget } = trimmed(messages, 100)
  expect(kept.slice(1)).toEqual([...messages].slice(1))
  expect({ stubbed, withinBudget }).toEqual({ stubbed: [0], withinBudget: true })
})

it('returns the same list in every release', () => {
  let messages = build().system(words(20)).user('Look at it').calls('read').result(words(300))
  for (const tokens of [60, 120, 30])
    messages = messages.says(words(tokens)).user(words(tokens / 2))
  messages = messages.callsAtOnce('a', 'b').result(words(150)).result(words(40))
  const list = (targetTokens: number) => {
    const { messages: kept, dropped, stubbed, ...figures } = trimmed(messages, targetTokens)
    const sizes = kept.map(({ role, content }) => `${role} ${JSON.stringify(content).length}`)
    const { finalTokens, withinBudget } = figures
    return `${targetTokens}: ${sizes.join(', ')}; without ${dropped.join(' ')}; stubs ${stubbed.join(' ')}; ${finalTokens} ${withinBudget}`
  }
  expect([900, 700, 450, 330, 200, 120, 60].map(list)).toMatchInlineSnapshot(`
    [
      "900: system 82, user 12, assistant 65, tool 1034, assistant 242, user 122, assistant 482, user 242, assistant 122, user 62, assistant 123, tool 670, tool 230; without ; stubs 3; 884 true",
      "700: system 82, user 12, assistant 65, tool 236, assistant 242, user 122, assistant 482, user 242, assistant 122, user 62, assistant 123, tool 670, tool 230; without ; stubs 3; 685 true",
      "450: system 82, user 122, assistant 45, user 242, assistant 122, user 62, assistant 123, tool 670, tool 230; without 1 2 3 4; stubs 6; 433 true",
      "330: system 82, user 164, assistant 45, user 62, assistant 123, tool 631, tool 230; without 1 2 3 4 5 6; stubs 7 8 11; 323 true",
      "200: system 82, user 62, assistant 123, tool 315, tool 230; without 1 2 3 4 5 6 7 8; stubs 11; 197 true",
      "120: system 82, user 45, assistant 123, tool 135, tool 135; without 1 2 3 4 5 6 7 8; stubs 9 11 12; 112 true",
      "60: system 82, user 45, user 98; without 1 2 3 4 5 6 7 8 11 12; stubs 9 10; 46 true",
    ]
  `)
})
