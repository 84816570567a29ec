import { expect, it } from 'vitest'
import { setUp, talkUntilAsked } from './set-up.ts'

it('S1-114: expand returns the messages that a summary added, given the summary or its id', async () => {
  const up = await setUp({ policy: 'ratio-chain' })
  const { next } = await talkUntilAsked(up)
  await talkUntilAsked(up, { from: next })
  const [newer, older] = await up.chat.summaries()
  if (newer === undefined || older === undefined) throw new Error('there are two summaries')
  expect(newer.added.from).toBe(older.covers.to)
  for (const { id, added } of [newer, older]) {
    const limit = added.to - added.from
    const page = await up.chat.expand(id, { limit })
    expect(page?.next).toBeNull()
    expect(page?.pieces.map(({ seq }) => seq)).toEqual(
      Array.from({ length: limit }, (_, at) => added.from + at),
    )
  }
  expect(await up.chat.expand(newer)).toEqual(await up.chat.expand(newer.id))
})
