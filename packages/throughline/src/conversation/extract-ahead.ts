/**
 * Extracts the facts of new messages in the background, so that a compaction only folds them. The rows
 * do not move the version: they depend on nothing but their messages.
 */
import { rowOf } from '../derived/commit.ts'
import { extractRows } from '../flow/history/extract-facts.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { Pause } from './background.ts'

export async function extractAhead({ store, id }: StoredConversation, pause: Pause): Promise<void> {
  const last = { kind: 'facts', order: 'last', limit: 1, bare: true } as const
  const loaded = await store.load({ id, rows: [last] })
  if (loaded === null) return
  const { head, rewrites } = loaded.conversation
  const onlyIf = { serial: loaded.serial, rewrites }
  const log = {
    read: async (span: { from: number; to: number }) => (await store.read({ id, span })) ?? [],
  }
  for (let from = (loaded.rows[0]?.[0]?.position ?? -1) + 1; from < head; from += sliceMessages) {
    const rows = await extractRows(log, { from, to: Math.min(head, from + sliceMessages) })
    const put = rows.map(({ seq, ...body }) =>
      rowOf('facts', body, { position: seq, label: body.trust }),
    )
    const outcome = await store.record({ id, put, onlyIf })
    if (outcome.kind !== 'recorded') return
    await pause()
  }
}

/** Some milliseconds of work between two pauses. */
const sliceMessages = 16
