import { type ConversationId, createThroughline, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())
const limit = 64 * 1024 * 1024

it('accepts a message of 64 MiB and refuses a larger one, without writing anything', async () => {
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

it('does not read a giant message that a query excludes', async () => {
  const store = sqlite(folder.file('left-out.db'), { durability: 'normal' })
  const tl = createThroughline({ store })
  const giant = { role: 'user' as const, content: 'x'.repeat(limit - 1_000) }
  await tl.conversation('c').append([{ role: 'user', content: 'a' }, giant])
  await tl.conversation('c').append({ role: 'user', content: 'b' })
  const query = { id: 'c' as ConversationId, span: { from: 0, to: 3 } }
  const timed = async (except: readonly number[]) => {
    const start = performance.now()
    const messages = await store.tenant('default' as TenantId).read({ ...query, except })
    return { places: messages?.map(({ seq }) => seq), timeMs: performance.now() - start }
  }
  const whole = await timed([])
  expect(whole.places).toEqual([0, 1, 2])
  // The fastest of several tries, because other processes run meanwhile. The ratio is some hundred
  // to one; a store that reads the pages of the giant message has two to one.
  let fastestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const without = await timed([1])
    expect(without.places).toEqual([0, 2])
    fastestMs = Math.min(fastestMs, without.timeMs)
  }
  expect(fastestMs * 10).toBeLessThan(whole.timeMs)
  await tl.close()
})
