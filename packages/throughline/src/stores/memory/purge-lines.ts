/** What stays of purges, of one tenant in memory. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { type PurgeLine, purgeSubject } from '../../domain/purge-line.ts'
import type { PurgesQuery } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'

export class MemoryPurgeLines {
  readonly #tenant: TenantId
  readonly #lines: PurgeLine[] = []

  constructor(tenant: TenantId) {
    this.#tenant = tenant
  }

  add(id: ConversationId, line: Omit<PurgeLine, 'number' | 'subject'>): void {
    const subject = purgeSubject(this.#tenant, id, sha256)
    this.#lines.push({ number: this.#lines.length + 1, subject, ...line })
  }

  /** Whether there was a conversation of that id that is purged. */
  wasPurged(id: ConversationId): boolean {
    const subject = purgeSubject(this.#tenant, id, sha256)
    return this.#lines.some((line) => line.subject === subject && line.what === 'conversation')
  }

  read({ id, limit }: PurgesQuery): readonly PurgeLine[] {
    const subject = id === null ? null : purgeSubject(this.#tenant, id, sha256)
    return this.#lines
      .filter((line) => subject === null || line.subject === subject)
      .toReversed()
      .slice(0, limit)
      .map((line) => ({ ...line }))
  }
}
