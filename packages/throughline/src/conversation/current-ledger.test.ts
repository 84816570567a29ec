import { expect, it } from 'vitest'
import { build } from '../testing/build.ts'
import { createThroughline } from '../throughline.ts'

const model = { id: 'small', contextWindowTokens: 2_048, tokenizer: 'o200k_base' } as const

it('has facts of every message, before and after compactions', async () => {
  const chat = createThroughline({ models: [model] }).conversation('c')
  expect(await chat.ledger()).toBeNull()
  const paths = async () => {
    const ledger = await chat.ledger()
    return ledger?.entries.filter(({ kind }) => kind === 'file').map(({ label }) => label)
  }
  const work = (path: string) =>
    chat.append([
      ...build()
        .user('Look at it.')
        .calls('read', { path })
        .result('const value = 1\n'.repeat(200))
        .says('It is fine.'),
    ])
  await work('src/first-latch.ts')
  expect(await paths()).toEqual(['src/first-latch.ts'])
  await chat.append({ role: 'user', content: 'And the other?' })
  await chat.compactNextRequest()
  await chat.context({ model: model.id })
  const { head } = await work('src/second-latch.ts')
  expect(await paths()).toEqual(['src/second-latch.ts', 'src/first-latch.ts'])
  expect((await chat.ledger())?.to).toBe(head)
})
