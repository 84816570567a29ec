/** Imports conversations and their summaries from the tables of two published designs. */

import { accessOf, type ConversationAccess } from '../conversation/access.ts'
import { commitWithRetry } from '../conversation/change-conversation.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { loadSummaryBefore } from '../derived/rows.ts'
import { loadState } from '../derived/state.ts'
import type { Decision } from '../domain/decision.ts'
import type { Seq } from '../domain/ids.ts'
import { fieldsIn, parsedJson } from '../domain/json.ts'
import type { MessageInput, PartInput } from '../domain/message.ts'
import { newAskState } from '../domain/model-calls.ts'
import { nextLink, noAccount, type SummaryRecord } from '../domain/summary.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { withSummaryId } from '../flow/summarize/summary-record.ts'
import { sha256 } from '../system.ts'
import { resolveMeterAndPolicy } from './counting.ts'

/** A row of a database, such as `node:sqlite` returns it. */
type Row = Readonly<Record<string, unknown>>

/** The rows of one conversation. */
export interface ImportedRows {
  /** `id`, `role`, `content`, `created_at`; in the order of the conversation. */
  readonly messages: readonly Row[]
  /** Rows of `conversation_summaries`, the oldest first: `summary_text`, `end_message_id`. */
  readonly summaries?: readonly Row[] | undefined
  /** A row of `conversation`: `summary`, `last_summarized_msg_id`. */
  readonly conversation?: Row | undefined
}

interface ImportReport {
  /** How many messages the conversation has now. */
  readonly messages: number
  /** How many summaries were added; those that the conversation has already are not. */
  readonly summaries: number
}

/**
 * Imports the rows of a conversation; a second import changes nothing. The next compaction extends
 * the imported summary instead of summarizing the same messages again.
 *
 * @example
 * const rows = { messages: [{ id: 1, role: 'user', content: 'Hello.' }] }
 * const { messages } = await importRows(tl.conversation('old-7'), rows, { model: 'gpt-4o' })
 */
export async function importRows(
  chat: ConversationHandle,
  { messages, summaries = [], conversation }: ImportedRows,
  { model }: { readonly model: string },
): Promise<ImportReport> {
  const { meter } = await resolveMeterAndPolicy({ model }, 'importRows')
  const { entries } = await chat.append(messages.map(messageOf))
  const access = await accessOf(chat, 'importRows')
  const running = {
    summary_text: conversation?.['summary'],
    end_message_id: conversation?.['last_summarized_msg_id'],
  }
  let added = 0
  for (const row of [...summaries, running]) {
    const { summary_text: text, end_message_id: endId }: Row = row
    const to = messages.findIndex(({ id }) => String(id) === String(endId)) + 1
    // With other messages before its end, it would cover what it does not describe.
    const coversRows = to > 0 && entries[to - 1]?.seq === to - 1
    if (typeof text !== 'string' || text.trim() === '' || !coversRows) continue
    if (await importSummary(access, { text, to, createdAt: timeOf(row) }, meter)) added += 1
  }
  return { messages: (await chat.info())?.head ?? 0, summaries: added }
}

/** False if the conversation has a summary of these messages already. */
async function importSummary(
  { store, id, now }: ConversationAccess,
  { text, to, createdAt }: Pick<SummaryRecord, 'text'> & { to: Seq; createdAt: number | null },
  meter: Meter,
): Promise<boolean> {
  const { id: model } = meter.card
  const state = await loadState(store, { id, model })
  if (state === null) return false
  const { head } = state.conversation
  const parent = await loadSummaryBefore(store, { id, place: head })
  if (parent !== null && parent.covers.to >= to) return false
  const [last] = (await store.read({ id, span: { from: to - 1, to } })) ?? []
  const tokens = meter.text(text)
  const record: SummaryRecord = withSummaryId(
    {
      ...{ text, keyPoints: [], facets: null, tokens },
      tokensUsed: (parent?.tokensUsed ?? 0) + tokens,
      covers: { from: 0, to },
      added: { from: parent?.covers.to ?? 0, to },
      ...{ head, chain: last?.hashes.chain ?? '' },
      ...nextLink(parent, 1),
      version: (parent?.version ?? 0) + 1,
      madeBy: { summarizer: style, version: 1, model: '', promptHash: '' },
      degraded: false,
      // Its sources are unknown, so it never gets the system role.
      trust: 'tool' as const,
      account: noAccount,
      createdAt: createdAt ?? now(),
    },
    sha256,
  )
  const { depth, generation, added: asked } = record
  const covered = { asked, coveredTo: to, depth, generation, summaryId: record.id, style }
  const summarization = { ...noAccount, ...covered, why: null }
  await commitWithRetry(store, state, { model, now }, async ({ asking }) => ({
    summarized: {
      ...{ record, summarization, decision, model, tokensAfter: null },
      asking: asking ?? newAskState,
    },
  }))
  return true
}

const style = 'imported'
const decision: Decision = {
  ...{ kind: 'compact', reason: 'manual', shadow: false, armed: true },
  figures: { tokens: null, availableTokens: 0, ratio: null, messagesSince: 0, turnsSince: 0 },
}

function messageOf(row: Row, index: number): MessageInput {
  const { id, role, content, attachments } = row
  const where = `importRows: messages[${index}]`
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw invalidOption(`${where}.role must be user, assistant or system`)
  if (typeof content !== 'string') throw invalidOption(`${where}.content must be text`)
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint')
    throw invalidOption(`${where}.id must be a text or a number`)
  const files = attachmentsIn(attachments, where).map(
    (file): PartInput => ({
      type: 'attachment-ref',
      attachmentId: String(file['id']),
      title: typeof file['title'] === 'string' ? file['title'] : undefined,
    }),
  )
  return {
    role,
    content: files.length === 0 ? content : [{ type: 'text', text: content }, ...files],
    key: `imported-${id}`,
    createdAt: timeOf(row) ?? undefined,
  }
}

/** A list of `id` and `title`; databases without lists keep it as JSON. */
function attachmentsIn(value: unknown, where: string): readonly Row[] {
  if (value === undefined || value === null || value === '') return []
  const list = typeof value === 'string' ? parsedJson(value) : value
  if (!Array.isArray(list) || !list.every((file) => fieldsIn(file)['id'] !== undefined))
    throw invalidOption(`${where}.attachments must be a list of id and title, or its JSON`)
  return list.map(fieldsIn)
}

/** Milliseconds or seconds, or a text in the form of SQLite or ISO 8601; null for none. */
function timeOf({ created_at: value }: Row): number | null {
  // Databases write UTC without a zone, which `Date.parse` would read as local time.
  const isWithoutZone = typeof value === 'string' && withoutZone.test(value)
  const text = isWithoutZone ? `${value.replace(' ', 'T')}Z` : value
  const time = typeof text === 'string' ? Date.parse(text) : Number(text ?? Number.NaN)
  const timeMs = typeof text !== 'string' && time < secondsBefore ? time * 1_000 : time
  return Number.isFinite(timeMs) && timeMs > 0 ? Math.trunc(timeMs) : null
}

const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
// As seconds the year 5138, as milliseconds 1973: no conversation is from either.
const secondsBefore = 100_000_000_000
