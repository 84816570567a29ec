/**
 * When each key was used first and last, how often, and what was refused. Counted in memory and written about
 * once a minute, so that no request waits for it; a kill loses at most a minute of counts. The audit has a row for
 * the first use of a key, and one for each day on which it was refused for a reason; those are written at once.
 */
import type { DatabaseSync } from 'node:sqlite'

/** `unknown`: no key has this secret. */
export type UseOutcome =
  | 'accepted'
  | 'expired'
  | 'rate-exceeded'
  | 'revoked'
  | 'role-too-low'
  | 'unknown'

export interface KeyUse {
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly requests: number
  readonly refused: number
  readonly lastRefusedAt: number | null
}

/** A key and its tenant; both are null for a secret that no key has. */
export interface UsedKey {
  readonly id: string
  readonly tenant: string
}

export interface KeyUses {
  note(key: UsedKey | null, outcome: UseOutcome): void
  /** Writes what was counted since the last time. */
  flush(): void
  of(id: string): KeyUse
  close(): void
}

export const keyUsesSchema = `
  CREATE TABLE IF NOT EXISTS key_uses (
    key TEXT NOT NULL, outcome TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    count INTEGER NOT NULL, audited_at INTEGER NOT NULL, PRIMARY KEY (key, outcome)
  ) STRICT, WITHOUT ROWID;
`

interface Counted {
  readonly key: UsedKey
  readonly outcome: UseOutcome
  readonly firstAt: number
  readonly lastAt: number
  readonly count: number
}

const flushMs = 60_000
const dayMs = 86_400_000

/** The operators of the server see what no key was for. */
const unknownKey: UsedKey = { id: 'unknown', tenant: 'default' }

const statuses: Readonly<Record<UseOutcome, number>> = {
  accepted: 200,
  expired: 401,
  'rate-exceeded': 429,
  revoked: 401,
  'role-too-low': 403,
  unknown: 401,
}

export function createKeyUses(
  database: DatabaseSync,
  now: () => number,
  audit: (row: {
    readonly tenant: string
    readonly key: string
    readonly operation: string
    readonly subject: string
    readonly status: number
  }) => void,
): KeyUses {
  const known = database.prepare('SELECT audited_at FROM key_uses WHERE key = ? AND outcome = ?')
  const write = database.prepare(
    `INSERT INTO key_uses VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key, outcome) DO UPDATE SET
       last_at = excluded.last_at, count = count + excluded.count, audited_at = excluded.audited_at`,
  )
  const select = database.prepare('SELECT * FROM key_uses WHERE key = ?')
  // At most one entry for each key and outcome.
  const counted = new Map<string, Counted>()
  const auditedAt = new Map<string, number>()
  /** Whether the audit needs a row: a first use, or the first refusal of a day. */
  const isNews = ({ key, outcome, lastAt }: Counted) => {
    const place = placeOf(key, outcome)
    const row = auditedAt.has(place) ? undefined : known.get(key.id, outcome)
    if (row !== undefined) auditedAt.set(place, Number(row['audited_at']))
    const at = auditedAt.get(place)
    return at === undefined || (outcome !== 'accepted' && lastAt - at >= dayMs)
  }
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (counted.size === 0) return
    database.exec('BEGIN IMMEDIATE')
    try {
      const written = [...counted.values()].map((each) => ({ ...each, isNews: isNews(each) }))
      for (const { key, outcome, firstAt, lastAt, count, isNews: isAudited } of written) {
        const { id, tenant } = key
        const isUse = outcome === 'accepted'
        const operation = isUse ? 'useKey' : 'refuseKey'
        const subject = isUse ? id : outcome
        if (isAudited) audit({ tenant, key: id, operation, subject, status: statuses[outcome] })
        const at = isAudited ? lastAt : (auditedAt.get(placeOf(key, outcome)) ?? lastAt)
        write.run(id, outcome, firstAt, lastAt, count, at)
      }
      database.exec('COMMIT')
      for (const { key, outcome, lastAt, isNews: isAudited } of written)
        if (isAudited) auditedAt.set(placeOf(key, outcome), lastAt)
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
    counted.clear()
  }
  /** A full disk must not end the process: the counts stay, and the next request tries again later. */
  const flushLater = () => {
    try {
      flush()
    } catch {
      timer = null
    }
  }
  return {
    note: (given, outcome) => {
      const key = given ?? unknownKey
      const at = now()
      const place = placeOf(key, outcome)
      const before = counted.get(place)
      const { id, tenant } = key
      const use: Counted = {
        ...{ key: { id, tenant }, outcome, lastAt: at },
        firstAt: before?.firstAt ?? at,
        count: (before?.count ?? 0) + 1,
      }
      counted.set(place, use)
      if (before === undefined && isNews(use)) flushLater()
      else timer ??= setTimeout(flushLater, flushMs).unref()
    },
    flush,
    of: (id) => {
      const rows = select.all(id)
      const accepted = rows.find(({ outcome }) => outcome === 'accepted')
      const refused = rows.filter(({ outcome }) => outcome !== 'accepted')
      const timeOf = (value: unknown) => (value === undefined ? null : Number(value))
      return {
        firstAt: timeOf(accepted?.['first_at']),
        lastAt: timeOf(accepted?.['last_at']),
        requests: Number(accepted?.['count'] ?? 0),
        refused: refused.reduce((sum, { count }) => sum + Number(count), 0),
        lastRefusedAt:
          refused.length === 0 ? null : Math.max(...refused.map((row) => Number(row['last_at']))),
      }
    },
    close: flushLater,
  }
}

function placeOf({ id }: UsedKey, outcome: UseOutcome): string {
  return `${outcome} ${id}`
}
