/** Appends to many conversations, five at once, after a line on its input. */
import { once } from 'node:events'
import { postgres } from '@throughline/postgres'
import { createThroughline } from 'throughline'

const [url, name, appends] = process.argv.slice(2)
const tl = createThroughline({ store: postgres({ url, maxConnections: 5 }) })
const content = 'A message of about two hundred characters, as people write them. '.repeat(3)
await Promise.all(
  Array.from({ length: 5 }, (_, at) =>
    tl.conversation(`${name}-${at}`).append({ role: 'user', content }),
  ),
)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
let next = 0
await Promise.all(
  Array.from({ length: 5 }, async () => {
    while (next < Number(appends)) {
      next += 1
      await tl.conversation(`${name}-${next % 40}`).append({ role: 'user', content })
    }
  }),
)
await tl.close()
process.exit(0)
