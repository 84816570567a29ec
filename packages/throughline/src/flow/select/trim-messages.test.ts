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
