import { DatabaseSync } from 'node:sqlite'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { expect, it } from 'vitest'
import { testFolder } from './sqlite-file.ts'

it('keeps messages apart in a file that has had millions of conversations', async () => {
  const folder = testFolder()
  try {
    const file = folder.file('many.db')
    const first = createThroughline({ store: sqlite(file) })
    await first.conversation('a').append({ role: 'user', content: 'one' })
    await first.close()
    const database = new DatabaseSync(file)
    // Above this number, a `place` has more bits than a floating-point number.
    database.exec("UPDATE sqlite_sequence SET seq = 3000000 WHERE name = 'conversations'")
    database.close()
    const tl = createThroughline({ store: sqlite(file) })
    for (const id of ['b', 'c']) {
      const chat = tl.conversation(id)
      await chat.append(['x', 'y', 'z'].map((content) => ({ role: 'user' as const, content })))
      await chat.append({ role: 'user', content: `last of ${id}` })
      const read = await Array.fromAsync(chat.messages())
      const words = read.map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))
      expect(words).toEqual(['x', 'y', 'z', `last of ${id}`])
      expect(await chat.original(2)).not.toEqual(await chat.original(1))
    }
    await tl.close()
  } finally {
    folder.remove()
  }
})
