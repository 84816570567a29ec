import { expect, it } from 'vitest'
import { build } from '../testing/build.ts'
import { createThroughline } from '../throughline.ts'

const model = { id: 'small', contextWindowTokens: 2_048, tokenizer: 'o200k_base' } as const

it('finds facts of the newest compaction, though the stored ledger is older', async () => {
  const chat = createThroughline({ models: [model] }).conversation('c')
  const work = async (path: string) => {
    await chat.append([
      ...build()
        .user('Look at it.')
        .calls('read', { path })
        .result('const value = 1\n'.repeat(200))
        .says('It is fine.')
        .user('And now?'),
    ])
    await chat.append(
      Array.from({ length: 12 }, () => ({ role: 'user', content: 'So. '.repeat(60) })),
    )
    await chat.compactNextRequest()
    await chat.context({ model: model.id })
  }
  await work('src/first-latch.ts')
  await work('src/second-latch.ts')
  const { pieces } = await chat.recall('second-latch')
  const entry = pieces.find(({ kind }) => kind === 'entry')
  expect(entry?.text).toContain('src/second-latch.ts')
})
