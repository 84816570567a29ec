/** A worker for `worker-kills.ts`: writes one message per job, or sleeps in its first job until it is killed. */
import { setTimeout as wait } from 'node:timers/promises'
import { postgres, postgresQueue } from '@throughline/postgres'
import { createThroughline } from 'throughline'

const [url, lease, does] = process.argv.slice(2)
const tl = createThroughline({ store: postgres({ url }) })
const queue = postgresQueue({ url, leaseMs: Number(lease), atOnce: 1 })

// It can reach its tables, and its first word is always the same.
await queue.figures()
process.stdout.write('ready\n')

queue.start(async (job) => {
  process.stdout.write('started\n')
  if (does === 'sleeps') await wait(600_000)
  const content = `of the job for ${job.conversation}`
  await tl.conversation(job.conversation).append({ role: 'user', content })
  process.stdout.write('done\n')
})

// After the job is done, the queue must learn it before this process ends.
process.once('SIGTERM', () => void queue.close().then(() => process.exit(0)))
