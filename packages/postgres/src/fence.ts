/**
 * The lease under which a job runs. Every transaction that writes in a job checks it, and keeps others
 * from taking it over until the transaction ends: so a worker that lost its lease changes nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ThroughlineError } from 'throughline'
import type { Transaction } from './database.ts'

export interface Lease {
  /** The name of the table of leases. */
  readonly table: string
  readonly job: string
  readonly token: string
}

const current = new AsyncLocalStorage<Lease>()

export function runUnder<Value>(lease: Lease, work: () => Promise<Value>): Promise<Value> {
  return current.run(lease, work)
}

export async function checkLease(sql: Transaction): Promise<void> {
  const lease = current.getStore()
  if (lease === undefined) return
  const found = await sql.get(
    `SELECT 1 FROM ${lease.table} WHERE job = $1 AND token = $2 AND expires_at > now() FOR SHARE`,
    [lease.job, lease.token],
  )
  if (found === null)
    throw new ThroughlineError('STORE_BUSY', 'this worker lost its job to another one')
}
