import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())
const limit = 64 * 1024 * 1024

it('takes a message just under 64 MiB and refuses one above, with nothing written', async () => {
  const tl = createThroughline({ store: sqlite(folder.file('large.db'), { durability: 'normal' }) })
  const chat = tl.conversation('c')
  const frame = JSON.stringify({ role: 'user', parts: [{ type: 'text', text: '' }] }).length
  await expect(
    chat.append([
      { role: 'user', content: 'small' },
      { role: 'user', content: 'x'.repeat(limit - frame + 1) },
    ]),
  ).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
  expect(await chat.info()).toBeNull()
  const { head } = await chat.append({ role: 'user', content: 'x'.repeat(limit - frame) })
  expect(head).toBe(1)
  expect((await chat.original(0))?.byteLength).toBe(limit)
  await expect(chat.append({ role: 'user', content: 'é'.repeat(limit / 2) })).rejects.toMatchObject(
    {
      code: 'MESSAGE_TOO_LARGE',
    },
  )
  await tl.close()
})
