/** The queue: jobs run once, also where workers die, sleep or fail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Job } from 'throughline'
import { createThroughline } from 'throughline'
import { afterAll, describe, expect, it } from 'vitest'
import { migratePostgres, postgres, postgresQueue } from '../src/index.ts'
import { newSchema, server, sql } from './shared-server.ts'

const schemas: string[] = []
const url = server?.url
const user = (content: string) => ({ role: 'user', content }) as const

async function migrated(): Promise<string> {
  const schema = newSchema()
  schemas.push(schema)
  await migratePostgres({ url, schema })
  return schema
}

const digest = (conversation: string, seq = 0): Job => ({
  ...{ kind: 'digest', tenant: 'acme', conversation, model: 'm', seq },
})

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.skipIf(server === null)('the queue in PostgreSQL', () => {
  afterAll(async () => {
    for (const schema of schemas)
      await sql(`DROP SCHEMA ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_jobs CASCADE`)
  })

  it('runs jobs that another process added, each once, and counts them', async () => {
    const schema = await migrated()
    const adding = postgresQueue({ url, schema, works: false })
    const jobs = Array.from({ length: 30 }, (_, at) => digest(`c${at}`))
    for (const job of jobs) adding.add(job)
    // A job with the same key waits already.
    for (const job of jobs) adding.add(job)
    await adding.settled()
    expect(await adding.figures()).toMatchObject({ waiting: 30, running: 0, dead: 0 })
    const ran: string[] = []
    const working = postgresQueue({ url, schema })
    working.start(async ({ conversation }) => void ran.push(conversation))
    await until(async () => (await adding.figures()).waiting === 0)
    await working.settled()
    expect(ran.toSorted()).toEqual(jobs.map(({ conversation }) => conversation).toSorted())
    const [names] = await sql(
      `SELECT count(*)::int AS count FROM ${schema}_jobs._private_job_queues`,
    )
    expect(names?.['count']).toBeLessThanOrEqual(30)
    await Promise.all([adding.close(), working.close()])
  })

  it('keeps a job that fails to the end, with its error, and runs it when asked', async () => {
    const schema = await migrated()
    const queue = postgresQueue({ url, schema, maxAttempts: 1 })
    let fails = true
    const ran: string[] = []
    queue.start(async ({ conversation }) => {
      if (fails) throw new Error('the model is gone')
      ran.push(conversation)
    })
    queue.add(digest('c'))
    await until(async () => (await queue.figures()).dead === 1)
    const [dead] = await queue.dead(9)
    expect(dead).toMatchObject({ attempts: 1, error: 'the model is gone' })
    fails = false
    expect(await queue.retryDead([dead?.id ?? ''])).toBe(1)
    await until(() => ran.length > 0)
    await queue.settled()
    expect(await queue.figures()).toEqual({ waiting: 0, running: 0, dead: 0, oldestMs: 0 })
    await queue.close()
  })

  it('gives the job of a worker that stopped giving signs of life to another, and lets the first change nothing', async () => {
    const schema = await migrated()
    const store = postgres({ url, schema })
    const tl = createThroughline({ store })
    await tl.conversation('c').append(user('x'))
    const write = (text: string) => tl.conversation('c').append(user(text))
    const leaseMs = 300
    const words = ['--conditions=throughline-source', lateWorker, url ?? '', schema, `${leaseMs}`]
    const late = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
    const printed = createInterface({ input: late.stdout })[Symbol.asyncIterator]()
    const adding = postgresQueue({ url, schema, works: false })
    adding.add(digest('c'))
    expect((await printed.next()).value).toBe('started')
    late.kill('SIGSTOP')
    const other = postgresQueue({ url, schema, leaseMs })
    other.start(() => write('in time').then(() => {}))
    await until(async () => (await tl.conversation('c').info())?.head === 2)
    late.stdin.write('go on\n')
    late.kill('SIGCONT')
    expect((await printed.next()).value).toBe('STORE_BUSY')
    expect((await tl.conversation('c').info())?.head).toBe(2)
    late.kill('SIGKILL')
    await Promise.all([adding.close(), other.close(), store.close()])
  })

  it('runs the job of a worker that was killed', async () => {
    const schema = await migrated()
    const words = ['--conditions=throughline-source', lateWorker, url ?? '', schema, '300']
    const killed = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
    const queue = postgresQueue({ url, schema, leaseMs: 300 })
    queue.add(digest('c'))
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    const ran = Promise.withResolvers<Job>()
    queue.start(async (job) => ran.resolve(job))
    expect(await ran.promise).toEqual(digest('c'))
    await queue.settled()
    await queue.close()
  })
})

const lateWorker = fileURLToPath(new URL('./late-worker.ts', import.meta.url))
