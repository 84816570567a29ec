/**
 * A queue of background jobs in PostgreSQL, on graphile-worker. Any process may add jobs; those that work
 * run them. A job runs under a lease that its worker renews; after a crash the lease ends, and another
 * worker takes the job over.
 */
import { randomUUID } from 'node:crypto'
import { Logger, makeWorkerUtils, type Runner, run, type WorkerUtils } from 'graphile-worker'
import pg from 'pg'
import { type Job, jobKey, type Queue } from 'throughline'
import { sha256 } from 'throughline/stores'
import { runUnder } from './fence.ts'
import { tableNames } from './migrate.ts'

/** The options of `postgresQueue`. */
export interface PostgresQueueOptions {
  readonly url?: string | undefined
  /** The schema of the store; the queue has its own, with `_jobs` after the name. */
  readonly schema?: string | undefined
  /** Whether this process runs jobs; true unless set. */
  readonly works?: boolean | undefined
  /** How many jobs this process runs at once; 4 unless set. */
  readonly atOnce?: number | undefined
  /** After this long without a sign of life, a worker is taken for dead; 20,000 unless set. */
  readonly leaseMs?: number | undefined
  /** How often a job is tried before it is given up; 6 unless set. */
  readonly maxAttempts?: number | undefined
  /** How long `close` lets jobs run before it aborts them; 10,000 unless set. */
  readonly drainMs?: number | undefined
}

/** The jobs of a queue. */
export interface QueueFigures {
  readonly waiting: number
  readonly running: number
  /** Given up after the last attempt; `retryDead` tries them again. */
  readonly dead: number
  /** How long the oldest one waits. */
  readonly oldestMs: number
}

/** A job that was given up. */
export interface DeadJob {
  readonly id: string
  readonly attempts: number
  readonly error: string | null
  readonly at: number
}

/** The queue, with what its operators need. */
export interface PostgresQueue extends Queue {
  figures(): Promise<QueueFigures>
  dead(limit: number): Promise<readonly DeadJob[]>
  /** Tries these jobs again, all if none is named; returns how many. */
  retryDead(ids?: readonly string[]): Promise<number>
}

type RunJob = Parameters<Queue['start']>[0]

/** The only kind of task: the job says what is to be done. */
const task = 'throughline'

/** Enough that conversations rarely share one; the names stay in a table. */
const queueNames = 1_024

/**
 * Opens a queue in the database of a store.
 *
 * @example
 * const url = 'postgres://app@localhost/chats'
 * const engine = createThroughline({ store: postgres({ url }), queue: postgresQueue({ url }) })
 */
export function postgresQueue(options: PostgresQueueOptions = {}): PostgresQueue {
  return new WorkerQueue(options)
}

class WorkerQueue implements PostgresQueue {
  readonly #options: typeof defaults
  readonly #pool: pg.Pool
  readonly #aborting = new AbortController()
  readonly #adding = new Set<Promise<unknown>>()
  readonly #running = new Set<Promise<unknown>>()
  #utils: Promise<WorkerUtils> | null = null
  #runner: Promise<Runner> | null = null
  #reaping: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ url, ...given }: PostgresQueueOptions) {
    const set = Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined))
    this.#options = { ...defaults, ...set }
    const { atOnce } = this.#options
    const config = url === undefined ? {} : { connectionString: url }
    this.#pool = new pg.Pool({
      ...config,
      max: atOnce + 4,
      application_name: 'throughline-queue',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  start(runJob: RunJob): void {
    if (this.#options.works) void this.#work(runJob)
  }

  /** Tries again until it can connect; a caller's requests do not wait for this. */
  async #work(runJob: RunJob): Promise<void> {
    const { atOnce, leaseMs } = this.#options
    for (let waitMs = 100; !this.#isClosed; waitMs = Math.min(5_000, waitMs * 2))
      try {
        await this.#utilities()
        this.#runner = run({
          pgPool: this.#pool,
          schema: this.#jobsSchema,
          concurrency: atOnce,
          pollInterval: Math.min(1_000, leaseMs / 2),
          noHandleSignals: true,
          logger: silent,
          taskList: {
            [task]: (payload, { job }) => this.#runJob(runJob, payload as Job, job.id),
          },
        })
        const runner = await this.#runner
        this.#reaping ??= setInterval(() => void this.#reap().catch(() => {}), leaseMs / 2)
        // It ends where it can no longer reach PostgreSQL; then it is started again.
        await runner.promise.catch(() => {})
        if (this.#reaping !== null) clearInterval(this.#reaping)
        this.#reaping = null
      } catch {
        this.#utils = null
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
  }

  async #runJob(runJob: RunJob, job: Job, id: string): Promise<void> {
    const { leaseMs } = this.#options
    const lease = { table: this.#leases, job: id, token: randomUUID() }
    const ended = new AbortController()
    await this.#pool.query(
      `INSERT INTO ${this.#leases} (job, token, expires_at)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond')
       ON CONFLICT (job) DO UPDATE SET token = $2, expires_at = excluded.expires_at`,
      [id, lease.token, leaseMs],
    )
    const renewing = setInterval(() => void this.#renew(lease, ended), leaseMs / 3)
    const signal = AbortSignal.any([this.#aborting.signal, ended.signal])
    const work = runUnder(lease, () => runJob(job, signal))
    this.#running.add(work)
    // The lease stays until it ends: meanwhile the library says that the job is done.
    try {
      await work
    } finally {
      this.#running.delete(work)
      clearInterval(renewing)
    }
  }

  /** A worker that slept past its lease stops: another one has the job. */
  async #renew(lease: { readonly job: string; readonly token: string }, ended: AbortController) {
    const { leaseMs } = this.#options
    try {
      const { rowCount } = await this.#pool.query(
        `UPDATE ${this.#leases} SET expires_at = now() + $3 * interval '1 millisecond'
         WHERE job = $1 AND token = $2 AND expires_at > now()`,
        [lease.job, lease.token, leaseMs],
      )
      if (rowCount === 0) ended.abort(new Error('the lease of the job has ended'))
    } catch {
      // The next beat tries again; without one the lease ends, and the store refuses to write.
    }
  }

  /** Gives the jobs of dead workers to others. */
  async #reap(): Promise<void> {
    const { leaseMs } = this.#options
    const client = await this.#pool.connect()
    let workers: readonly string[]
    try {
      await client.query('BEGIN')
      // Waits for a transaction that writes under this lease.
      await client.query(`DELETE FROM ${this.#leases} WHERE expires_at <= now()`)
      const { rows } = await client.query<{ readonly worker: string }>(
        `SELECT DISTINCT jobs.locked_by AS worker FROM ${this.#jobs} jobs
         LEFT JOIN ${this.#leases} leases ON leases.job = jobs.id::text
         WHERE jobs.locked_at < now() - $1 * interval '1 millisecond' AND leases.job IS NULL`,
        [leaseMs],
      )
      await client.query('COMMIT')
      client.release()
      workers = rows.map((row) => row.worker)
    } catch (cause) {
      client.release(true)
      throw cause
    }
    if (workers.length > 0) await (await this.#utilities()).forceUnlockWorkers([...workers])
  }

  add(job: Job): void {
    if (this.#isClosed) return
    const added = this.#add(job)
    this.#adding.add(added)
    const done = () => this.#adding.delete(added)
    // A later request adds a job that was lost.
    added.then(done, done)
  }

  async #add(job: Job): Promise<void> {
    const utils = await this.#utilities()
    const place = sha256(JSON.stringify([job.tenant, job.conversation]))
    await utils.addJob(task, job, {
      jobKey: sha256(jobKey(job)),
      queueName: `c${Number.parseInt(place.slice(0, 8), 16) % queueNames}`,
      maxAttempts: this.#options.maxAttempts,
    })
  }

  async #utilities(): Promise<WorkerUtils> {
    this.#utils ??= this.#openUtilities()
    try {
      return await this.#utils
    } catch (cause) {
      this.#utils = null
      throw cause
    }
  }

  async #openUtilities(): Promise<WorkerUtils> {
    const utils = await makeWorkerUtils({
      pgPool: this.#pool,
      schema: this.#jobsSchema,
      logger: silent,
    })
    await utils.migrate()
    return utils
  }

  get #jobsSchema(): string {
    return `${this.#options.schema}_jobs`
  }

  get #jobs(): string {
    return `"${this.#jobsSchema}".jobs`
  }

  get #leases(): string {
    return tableNames(this.#options.schema).leases
  }

  async settled(): Promise<void> {
    while (this.#adding.size > 0) await Promise.allSettled([...this.#adding])
    if (!this.#options.works || this.#isClosed) return
    for (;;) {
      const { rows } = await this.#pool.query(
        `SELECT 1 FROM ${this.#jobs} WHERE run_at <= now() AND attempts < max_attempts
           OR locked_at IS NOT NULL LIMIT 1`,
      )
      if (rows.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async figures(): Promise<QueueFigures> {
    await this.#utilities()
    const { rows } = await this.#pool.query(
      `SELECT count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts)::int AS waiting,
         count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
         count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts)::int AS dead,
         coalesce(extract(epoch FROM now() - min(created_at)
           FILTER (WHERE locked_at IS NULL AND attempts < max_attempts)) * 1000, 0)::float8 AS oldest
       FROM ${this.#jobs}`,
    )
    const [found] = rows
    return {
      waiting: found.waiting,
      running: found.running,
      dead: found.dead,
      oldestMs: Math.max(0, Math.round(found.oldest)),
    }
  }

  async dead(limit: number): Promise<readonly DeadJob[]> {
    await this.#utilities()
    const { rows } = await this.#pool.query(
      `SELECT id, attempts, last_error, created_at FROM ${this.#jobs}
       WHERE locked_at IS NULL AND attempts >= max_attempts ORDER BY id LIMIT $1`,
      [limit],
    )
    return rows.map((row) => ({
      id: String(row.id),
      attempts: row.attempts,
      error: row.last_error,
      at: new Date(row.created_at).getTime(),
    }))
  }

  async retryDead(ids?: readonly string[]): Promise<number> {
    const dead = await this.dead(10_000)
    const asked = ids === undefined ? dead : dead.filter(({ id }) => ids.includes(id))
    if (asked.length === 0) return 0
    // The library keeps the number of attempts, so that there must be room for more.
    const attempts = Math.max(...asked.map((each) => each.attempts))
    const utils = await this.#utilities()
    const again = { maxAttempts: attempts + this.#options.maxAttempts, runAt: new Date(0) }
    const found = await utils.rescheduleJobs(
      asked.map(({ id }) => id),
      again,
    )
    return found.length
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#reaping !== null) clearInterval(this.#reaping)
    const timer = setTimeout(
      () => this.#aborting.abort(new Error('the queue is closed')),
      this.#options.drainMs,
    )
    await Promise.allSettled([...this.#adding])
    await (await this.#runner?.catch(() => null))?.stop().catch(() => {})
    await Promise.allSettled([...this.#running])
    clearTimeout(timer)
    await (await this.#utils?.catch(() => null))?.release()
    await this.#pool.end()
  }
}

const defaults = {
  schema: 'throughline' as string,
  works: true as boolean,
  atOnce: 4,
  leaseMs: 20_000,
  maxAttempts: 6,
  drainMs: 10_000,
}

/** Its messages have the content of jobs. */
const silent = new Logger(() => () => {})
