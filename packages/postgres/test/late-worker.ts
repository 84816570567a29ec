/** A worker that waits inside its job until a line arrives: a test stops and wakes this process. */
import { once } from 'node:events'
import { createThroughline } from 'throughline'
import { postgres, postgresQueue } from '../src/index.ts'

const [url, schema, leaseMs] = process.argv.slice(2)
const store = postgres({ url, schema })
const queue = postgresQueue({ url, schema, leaseMs: Number(leaseMs) })
const chat = createThroughline({ store }).conversation('c')

queue.start(async () => {
  process.stdout.write('started\n')
  await once(process.stdin, 'data')
  const outcome = await chat.append({ role: 'user', content: 'late' }).then(
    () => 'written',
    ({ code }: { readonly code: string }) => code,
  )
  process.stdout.write(`${outcome}\n`)
})
