/** A commit of derived state: guarded by the version, told by events, all in one transaction. */
import type { TenantId } from '../../domain/ids.ts'
import type { CommitCommand, CommitOutcome } from '../../ports/commit-commands.ts'
import { changeEvents } from '../change-events.ts'
import type { SqliteConnection } from './connection.ts'
import { controlCell, pinsCell } from './derived-rows.ts'
import { writeDigest } from './digests.ts'
import { writeEvent } from './events.ts'
import { writeFacts } from './facts.ts'
import { conversationByPk, findConversation } from './find.ts'
import { writeReceipt } from './receipts.ts'
import { hashConversation } from './row-hash.ts'
import { markSummaries, writeSummary } from './summaries.ts'
import { writeTurn } from './turns.ts'
import { writeVersion } from './versions.ts'
import { writeView } from './views.ts'

export function commit(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, expectedVersion, changes, at }: CommitCommand,
): CommitOutcome {
  const row = findConversation(connection, tenant, id)
  if (row === null) return { kind: 'not-found' }
  const { pk, eventCount, conversation } = row
  const { version, title, meta, pins, pinnedTo, compaction } = conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  const { view, facts, receipt, summarized, digested, ...others } = changes
  const { restored, edited, remembered, asking: spent, titleFrom, ...fields } = others
  const next = { title, meta, pins, pinnedTo, compaction, ...fields }
  const asking = spent ?? digested?.asking ?? summarized?.asking ?? remembered?.asking
  const events = changeEvents(changes, version + 1)
  connection.run(
    `UPDATE conversations SET title = ?, title_seq = CASE WHEN ? THEN ? ELSE title_seq END, meta = ?, pins = ?, pinned_to = ?, compaction = ?, version = ?,
       events = ?, asking = coalesce(?, asking) WHERE pk = ?`,
    next.title,
    fields.title === undefined ? 0 : 1,
    titleFrom ?? null,
    next.meta && JSON.stringify(next.meta),
    pinsCell(next.pins),
    next.pinnedTo,
    controlCell(next.compaction),
    version + 1,
    eventCount + events.length,
    asking ? JSON.stringify(asking) : null,
    pk,
  )
  hashConversation(connection, pk)
  if (view !== undefined) {
    writeView(connection, { pk, version: version + 1 }, view)
    writeVersion(connection, { pk, version: version + 1, at }, view, restored?.of ?? null)
  }
  if (restored !== undefined) markSummaries(connection, pk, restored)
  if (edited !== undefined) writeSummary(connection, { pk, version: version + 1 }, edited.record)
  if (facts !== undefined) writeFacts(connection, row, facts)
  if (summarized?.record) writeSummary(connection, { pk, version: version + 1 }, summarized.record)
  if (digested?.record) writeDigest(connection, pk, digested.record)
  if (remembered !== undefined) writeTurn(connection, row, remembered)
  if (receipt !== undefined) writeReceipt(connection, { pk, version: version + 1 }, receipt)
  for (const [index, body] of events.entries())
    writeEvent(connection, pk, { number: eventCount + index + 1, at, body })
  return { kind: 'committed', conversation: conversationByPk(connection, pk).conversation }
}
