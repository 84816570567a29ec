/** Edits, removes or purges messages, with everything derived from them, in one transaction. */
import type { Message, Seq } from 'throughline'
import { ThroughlineError } from 'throughline'
import {
  type AsyncRewrittenLog,
  answersOf,
  callsOf,
  type DerivedRow,
  derivedKinds,
  isRemoved,
  kindNames,
  MessageChange,
  type RewriteCommand,
  type RewriteOutcome,
  renewTitle,
  rewriteLogAsync,
  sha256,
} from 'throughline/stores'
import { encodeList, encodeText, encodeTextOrNull, hexBytes, jsonCell } from './cells.ts'
import { readRows } from './derived.ts'
import { unshareFrom } from './forks.ts'
import { reindex } from './pieces.ts'
import { notErased, writePurgeRecord } from './purge.ts'
import { ownMessages, readSpan } from './read.ts'
import { replaceRow, replayChains } from './replay.ts'
import { replayCalls } from './replay-calls.ts'
import {
  type ConversationRow,
  type Log,
  lockFamily,
  readConversation,
  rowSegmentsOf,
  segmentsOf,
  type TenantTransaction,
  transactionOf,
  updateConversation,
  writeEvents,
} from './rows.ts'
import { deleteRow, updateRow } from './write-derived.ts'

type MessageState = Awaited<ReturnType<AsyncRewrittenLog['messageState']>>

export async function rewrite(
  transaction: TenantTransaction,
  command: RewriteCommand,
): Promise<RewriteOutcome> {
  const row = await lockFamily(transaction, command.id)
  if (row === null) return { kind: 'not-found' }
  const outcome = await rewriteLogAsync(await rewrittenLog(row), command, sha256)
  if (outcome.kind !== 'rewritten') return outcome
  const conversations = outcome.changed.map(({ id }) => id)
  const erasure = command.how === 'purge' ? notErased : allErased
  if (command.how === 'purge') {
    if (conversations.length === 0) return { kind: 'already-purged', ...erasure }
    const { seq, at } = command
    for (const id of conversations)
      await writePurgeRecord(transaction, id, { what: 'message', seq, messages: 1, at })
  }
  const { conversation } = await readConversation(row)
  return { kind: 'rewritten', conversation, conversations, ...erasure }
}

const allErased = { erased: true, remains: Object.freeze([]) } as const

/** Reads the row at each call, because an earlier step may have changed it. */
async function rewrittenLog(log: Log): Promise<AsyncRewrittenLog> {
  const { sql, tenant, tables, pk } = log
  const row = () => readConversation(log)
  const { id, head } = (await row()).conversation
  /** States that were read and not changed since: a span may have thousands. */
  const states = new Map<Seq, MessageState>()
  return {
    id,
    head,
    source: async () => {
      const { fork } = await row()
      if (fork === null) return null
      return { log: await rewrittenLog({ ...transactionOf(log), pk: fork.pk }), at: fork.at }
    },
    forks: async () => {
      const found = await sql.all(
        `SELECT pk FROM ${tables.conversations} WHERE tenant = $1 AND fork_pk = $2 ORDER BY pk`,
        [encodeText(tenant), pk],
      )
      const forks: AsyncRewrittenLog[] = []
      for (const fork of found)
        forks.push(await rewrittenLog({ ...transactionOf(log), pk: Number(fork['pk']) }))
      return forks
    },
    messageState: async (seq) => {
      if (!states.has(seq)) await readStates(await row(), seq, states)
      const state = states.get(seq)
      if (state === undefined)
        throw new ThroughlineError('STORE_CORRUPT', `message ${seq} is missing`)
      return state
    },
    unshareFrom: async (seq) => unshareFrom(await row(), seq),
    replace: (seq, change) => {
      states.delete(seq)
      return replaceRow(log, seq, change)
    },
    replay: async (changed, calls) => {
      const answering = calls === null ? [] : await replayCalls(await row(), changed, calls)
      const chain = await replayChains(await row(), changed)
      updateConversation(log, { chain: hexBytes(chain) })
      return answering
    },
    dropDerived: async (places, keys) => {
      await dropDerived(await row(), places, keys)
      await updateTitle(await row(), places)
    },
    reindex: (places, pieces) => reindex(log, places, pieces),
    finishRewrite: async (event, at, unpinned) => {
      const found = await row()
      const { version, rewrites, pins } = found.conversation
      updateConversation(log, {
        version: version + 1,
        rewrites: rewrites + 1,
        pins: encodeList(pins.filter((seq) => !unpinned.includes(seq))),
      })
      writeEvents(found, [event], at)
    },
  }
}

/** Of a page of messages from a place on. */
async function readStates(
  row: ConversationRow,
  from: Seq,
  states: Map<Seq, MessageState>,
): Promise<void> {
  const span = { from, to: from + statesAtOnce }
  const formers = new Map<Seq, readonly string[] | null>()
  for (const segment of await segmentsOf(row)) {
    const shared = {
      from: Math.max(span.from, segment.span.from),
      to: Math.min(span.to, segment.span.to),
    }
    for (const found of await ownMessages(segment, shared, { columns: 'seq, former' }))
      formers.set(Number(found['seq']), jsonCell<readonly string[]>(found['former']))
  }
  for (const message of await readSpan(row, span)) {
    const { seq, role, parts, hashes } = message
    states.set(seq, {
      ...{ role, removed: isRemoved(message), contentHash: hashes.content },
      ...{ former: formers.get(seq) ?? [], calls: callsOf(parts), answers: answersOf(parts) },
    })
  }
}

const statesAtOnce = 100

async function messageAt(row: ConversationRow, seq: Seq): Promise<Message | null> {
  return (await readSpan(row, { from: seq, to: seq + 1 }))[0] ?? null
}

async function updateTitle(row: ConversationRow, places: readonly Seq[]): Promise<void> {
  const { titleFrom: source, title: oldTitle } = row.conversation
  if (source === null || !places.includes(source)) return
  // A title comes from one of the first messages; they are read once, when one of them changed.
  const first = new Map<Seq, Message>()
  for (const message of await readSpan(row, { from: 0, to: titlePlaces }))
    first.set(message.seq, message)
  const same = first.get(source) ?? (await messageAt(row, source))
  const bodyAt = (seq: Seq) => (seq === source ? same : (first.get(seq) ?? null))
  const { title, titleFrom } = renewTitle(row.conversation, places, bodyAt)
  if (title !== oldTitle || titleFrom !== source)
    updateConversation(row, { title: encodeTextOrNull(title), title_seq: titleFrom })
}

const titlePlaces = 200

/** `places` are ascending. */
async function dropDerived(
  row: ConversationRow,
  places: readonly Seq[],
  keys: Parameters<AsyncRewrittenLog['dropDerived']>[1],
): Promise<void> {
  const { sql, tenant, tables, pk } = row
  const change = new MessageChange(places, keys)
  const segments = await rowSegmentsOf(row)
  const ownFrom = segments[0]?.positions.from ?? 1
  const deleteKind = `DELETE FROM ${tables.derived}
    WHERE tenant = $1 AND conversation = $2 AND kind = $3`
  for (const kind of kindNames) {
    const { remains, forks } = derivedKinds[kind]
    if (remains === 'none') sql.send(deleteKind, [encodeText(tenant), pk, kind])
    if (remains === 'other-places')
      sql.send(`${deleteKind} AND position = ANY($4::bigint[])`, [
        encodeText(tenant),
        pk,
        kind,
        places,
      ])
    if (typeof remains !== 'function') continue
    for await (const oldRow of rowsToCheck(kind, segments, change)) {
      const remaining = remains(oldRow, change)
      // Inherited rows are read too, but only the source changes them.
      const isOwn = forks !== 'snapshot' || oldRow.position >= ownFrom
      if (remaining === oldRow || !isOwn) continue
      if (remaining === null) deleteRow(row, oldRow)
      else updateRow(row, remaining)
    }
  }
}

/** In order of position, in pages where the kind has one row per position and many of them. */
async function* rowsToCheck(
  kind: DerivedRow['kind'],
  segments: Awaited<ReturnType<typeof rowSegmentsOf>>,
  change: MessageChange,
): AsyncGenerator<DerivedRow> {
  const { forks, positions, remainsBare: bare = false } = derivedKinds[kind]
  const readSegments = forks === 'snapshot' ? segments : segments.slice(0, 1)
  if (forks === 'snapshot' && !(await haveRowsAfter(kind, segments, change.first))) return
  if (positions !== 'next') {
    yield* await readRows({ kind, bare }, readSegments)
    return
  }
  for (let from = 0; ; ) {
    const span = { from, to: Number.MAX_SAFE_INTEGER }
    const page = await readRows({ kind, span, limit: pageRows, bare }, readSegments)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return
    from = last.position + 1
  }
}

const pageRows = 256

/** Most rewrites change messages without a remembered turn, and then no row is read. */
async function haveRowsAfter(
  kind: DerivedRow['kind'],
  segments: Awaited<ReturnType<typeof rowSegmentsOf>>,
  seq: Seq,
): Promise<boolean> {
  for (const { owner, positions } of segments) {
    const { sql, tenant, tables, pk } = owner
    const found = await sql.get(
      `SELECT 1 FROM ${tables.derived} WHERE tenant = $1 AND conversation = $2 AND kind = $3
         AND bound > $4 AND position >= $5 AND position < $6 LIMIT 1`,
      [encodeText(tenant), pk, kind, seq, positions.from, positions.to],
    )
    if (found !== null) return true
  }
  return false
}
