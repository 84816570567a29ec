import { expect, it } from 'vitest'
import { createThroughline } from '../throughline.ts'
import { createLogCache } from './find-conversation.ts'

it('reads an edited log again, even if its chain hash is the same', async () => {
  const chat = createThroughline().conversation('c')
  const reply = { role: 'assistant', content: 'Yes, b' } as const
  await chat.append([
    { role: 'user', content: 'Is it?' },
    { ...reply, status: 'incomplete' },
  ])
  const logs = createLogCache()
  const isCutOff = async () => (await logs.whole(chat)).atoms.map((atom) => atom.isCutOff)
  expect(await isCutOff()).toEqual([false, true])
  const before = await chat.info()
  await chat.history.edit(1, reply)
  expect((await chat.info())?.chain).toBe(before?.chain)
  expect(await isCutOff()).toEqual([false, false])
})
