/**
 * Runs transactions on a pool of connections. Every transaction sets its tenant for row-level security
 * and its limits for itself, so that nothing depends on the session and a pooler such as pgbouncer may
 * give each transaction another one. Statements are sent without waiting for each other's answer.
 */
import pg from 'pg'
import { ThroughlineError } from 'throughline'
import { encodeText } from './cells.ts'
import { isConnectionLost, isRetryable, storeError } from './errors.ts'
import { checkLease } from './fence.ts'

export type Row = Readonly<Record<string, unknown>>
export type Value = null | number | string | boolean | Uint8Array | readonly (number | string)[]

export interface Limits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** How long a call tries again where PostgreSQL cannot be reached. */
  readonly reconnectMs: number
}

/**
 * `snapshot`: all statements read one state. `write-async`: a crash of PostgreSQL may lose the
 * transaction, and only it.
 */
export type Mode = 'read' | 'snapshot' | 'write' | 'write-async'

const begins: Readonly<Record<Mode, string>> = {
  read: 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
  'write-async': 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
}

/** Retries of a transaction that lost a race. */
const maxRaces = 20

export class Database {
  readonly #pool: pg.Pool
  readonly #limits: Limits
  /** Whether a connection leads to its session: a pooler would give each transaction another. */
  readonly #direct = new WeakMap<pg.PoolClient, boolean>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #running = 0
  #closing: Promise<void> | null = null

  constructor(config: pg.PoolConfig, limits: Limits) {
    this.#limits = limits
    this.#pool = new pg.Pool({ ...config, pipeline: true, types: { getTypeParser } })
    // Lost connections are noticed by the next call; without a listener they would end the process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** The transaction is tried again where it lost a race, or lost its connection before its commit. */
  async transaction<Result>(
    tenant: string,
    mode: Mode,
    action: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const giveUpAt = performance.now() + this.#limits.reconnectMs
    for (let races = 0, tries = 0; ; tries += 1) {
      if (this.#closing !== null) throw new ThroughlineError('STORE_CLOSED', 'the store was closed')
      this.#running += 1
      try {
        return await this.#attempt(tenant, mode, action)
      } catch (cause) {
        if (isRetryable(cause) && races < maxRaces) races += 1
        else if (!isLostBeforeCommit(cause) || performance.now() >= giveUpAt)
          throw storeError(cause)
        await pause(Math.random() * Math.min(1_000, 10 * 2 ** tries))
      } finally {
        this.#running -= 1
      }
    }
  }

  /** One after the other where they have the same key: others would only wait for the row's lock. */
  async inTurn<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(action)
    const ended = turn.catch(() => {})
    this.#turns.set(key, ended)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === ended) this.#turns.delete(key)
    }
  }

  async #attempt<Result>(
    tenant: string,
    mode: Mode,
    action: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect()
    const isDirect = this.#direct.get(client) ?? false
    const transaction = new Transaction(client, isDirect)
    let isCommitting = false
    try {
      transaction.send(begins[mode])
      transaction.send(setLocals, this.#locals(tenant, mode))
      if (mode === 'write' || mode === 'write-async') await checkLease(transaction)
      const result = await action(transaction)
      isCommitting = mode === 'write' || mode === 'write-async'
      if (!isCommitting) await transaction.flushed()
      // Sent with the last writes: where one of them fails, PostgreSQL rolls back instead.
      transaction.send('COMMIT')
      // A read has what it wants. A pooler may give the next transaction another session, so it is awaited there.
      if (isCommitting || !isDirect) await transaction.flushed()
      client.release()
      return result
    } catch (cause) {
      const isLost = isConnectionLost(cause)
      if (!isLost) await transaction.rollBack()
      client.release(isLost)
      throw isLost && !isCommitting ? new LostBeforeCommit(cause) : cause
    }
  }

  #locals(tenant: string, mode: Mode): readonly Value[] {
    const { statementTimeoutMs, lockTimeoutMs } = this.#limits
    const commit = mode === 'write-async' ? 'off' : 'on'
    return [
      encodeText(tenant),
      `${statementTimeoutMs}`,
      `${lockTimeoutMs}`,
      `${statementTimeoutMs}`,
      commit,
    ]
  }

  async #connect(): Promise<pg.PoolClient> {
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (cause) {
      if ((cause as Error).message === noneFree)
        throw new ThroughlineError('STORE_BUSY', 'all connections of this process were in use', {
          cause,
        })
      throw new LostBeforeCommit(cause)
    }
    if (this.#direct.has(client)) return client
    try {
      // A pooler answers with a number of its own, and its sessions have no prepared statements.
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      const { processID } = client as unknown as { readonly processID: unknown }
      this.#direct.set(client, rows[0]?.pid === processID)
      return client
    } catch (cause) {
      client.release(true)
      throw new LostBeforeCommit(cause)
    }
  }

  /** Waits for the transactions that run. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    return this.#closing
  }

  get running(): number {
    return this.#running
  }
}

const setLocals = `SELECT set_config('throughline.tenant', $1, true),
  set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, true),
  set_config('idle_in_transaction_session_timeout', $4, true),
  set_config('synchronous_commit', $5, true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`

/** The statements of one transaction. */
export class Transaction {
  readonly #client: pg.PoolClient
  readonly #isDirect: boolean
  #pending: Promise<unknown>[] = []

  constructor(client: pg.PoolClient, isDirect: boolean) {
    this.#client = client
    this.#isDirect = isDirect
  }

  async all(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const answer = this.#query(text, values)
    await this.flushed()
    return (await answer).rows
  }

  async get(text: string, values: readonly Value[] = []): Promise<Row | null> {
    return (await this.all(text, values))[0] ?? null
  }

  /** Does not wait for the answer: an error is thrown by the next statement that does. */
  send(text: string, values: readonly Value[] = []): void {
    void this.#query(text, values)
  }

  /** Throws the first error of the statements that were sent. */
  async flushed(): Promise<void> {
    while (this.#pending.length > 0) {
      const settled = await Promise.allSettled(this.#pending.splice(0))
      const failed = settled.find((each) => each.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
  }

  async rollBack(): Promise<void> {
    await Promise.allSettled([...this.#pending.splice(0), this.#client.query('ROLLBACK')])
  }

  #query(text: string, values: readonly Value[]): Promise<pg.QueryResult> {
    const name = this.#isDirect && values.length > 0 ? nameOf(text) : undefined
    const query = { text, values: values as unknown[], ...(name !== undefined && { name }) }
    const answer = this.#client.query(query)
    this.#pending.push(answer)
    answer.catch(() => {})
    return answer
  }
}

/** A short name for each text of a statement. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `t${names.size}`
  names.set(text, name)
  return name
}

class LostBeforeCommit extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL could not be reached', { cause })
  }
}

function isLostBeforeCommit(cause: unknown): boolean {
  return cause instanceof LostBeforeCommit && isConnectionLost(cause.cause)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the pool says where it could not even try to connect. */
const noneFree = 'timeout exceeded when trying to connect'

const int8 = 20
const int8Array = 1016

/** Whole numbers as numbers: all that we store are safe ones. */
export const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) => {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
  if (oid === int8) return Number
  if (oid === int8Array) return numbersOf
  return pg.types.getTypeParser(oid)
}

function numbersOf(text: string): readonly number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}
