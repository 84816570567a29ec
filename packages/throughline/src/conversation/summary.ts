import { defaults } from '../defaults-data.ts'
import type { ConversationChanges } from '../derived/changes.ts'
import { loadSummaries, loadSummaryBefore } from '../derived/rows.ts'
import { type ConversationState, loadState } from '../derived/state.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { wholeNumber } from '../domain/span.ts'
import type { ConversationSummary, KeptSummary, SummaryRecord } from '../domain/summary.ts'
import type { View } from '../domain/view.ts'
import { measureProtected } from '../flow/assemble/fixed-texts.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { historyLimits } from '../flow/history/history-limits.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { planBudget, policyFor } from '../flow/measure/plan-budget.ts'
import { redactor } from '../flow/redact/redact-message.ts'
import { summaryContent, summaryOf } from '../flow/summarize/summary-record.ts'
import { editSummary } from '../flow/undo/edit-summary.ts'
import type { StoredConversation } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { commitComputedChanges, messageAt, type NotFound } from './change-conversation.ts'
import { type Internals, meterNamed } from './runtime.ts'

export interface SummaryInput {
  readonly model: string
}

export interface SummariesInput {
  readonly limit?: number | undefined
  /** Skips so many of the newest. */
  readonly skip?: number | undefined
}

export async function summariesOf(
  { store, id }: StoredConversation,
  input: SummariesInput,
): Promise<readonly KeptSummary[]> {
  const asked = checkOptions(input, ['limit', 'skip'], 'summaries')
  const limit = wholeNumber(asked.limit ?? defaults.pageRows)
  return (await loadSummaries(store, { id, limit, skip: wholeNumber(asked.skip ?? 0) })) ?? []
}

export async function summaryById(
  { store, id }: StoredConversation,
  summaryId: string,
): Promise<SummaryRecord | null> {
  for (let skip = 0; ; skip += summariesAtOnce) {
    const records = (await loadSummaries(store, { id, limit: summariesAtOnce, skip })) ?? []
    const found = records.find((record) => record.id === summaryId)
    if (found !== undefined || records.length < summariesAtOnce) return found ?? null
  }
}

const summariesAtOnce = 50

export async function summaryFor(
  { store, id, runtime }: Internals,
  input: SummaryInput,
): Promise<ConversationSummary | null> {
  const { model } = checkOptions(input, ['model'], 'summary')
  const { card } = await meterNamed(model, 'summary', runtime)
  const state = await loadState(store, { id, model: card.id })
  return summaryOf(state?.view ?? null)
}

/** A person's correction of the summary in the contexts of a model. */
export interface EditSummaryInput {
  readonly model: string
  /** The whole new text of the summary. */
  readonly text: string
}

export type EditSummaryFailure =
  | NotFound
  /** The contexts of the model show everything: there is nothing to correct. */
  | { readonly kind: 'nothing-summarized' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly tokens: number; readonly mostTokens: number }

export async function editSummaryOf(
  chat: Internals,
  input: EditSummaryInput,
): Promise<Result<SummaryRecord, EditSummaryFailure>> {
  const { store, id, runtime } = chat
  const { model, text: written } = checkOptions(input, ['model', 'text'], 'editSummary')
  if (typeof written !== 'string') throw invalidOption('editSummary: text must be text')
  const text = redactor().redact(written.toWellFormed().trim())
  if (text === '') return fail({ kind: 'empty' })
  const meter = await meterNamed(model, 'editSummary', runtime)
  const tokens = meter.text(text)
  const at = runtime.now()
  const { id: name } = meter.card
  const look = async (): Promise<Result<{ changes: SummaryEdit }, EditSummaryFailure>> => {
    const state = await loadState(store, { id, model: name })
    if (state === null) return fail({ kind: 'not-found' })
    const { view } = state
    if (view === null || view.line === 0) return fail({ kind: 'nothing-summarized' })
    const mostTokens = await roomFor(chat, state, view, meter)
    if (tokens > mostTokens) return fail({ kind: 'too-large', tokens, mostTokens })
    const edited = editSummary({
      ...{ view, text, meter, sha256, now: at, head: state.conversation.head },
      parent: await shownRecord(chat, view),
      chain: (await messageAt(chat, view.line - 1))?.hashes.chain ?? '',
      epoch: Math.max(view.epoch, state.last?.epoch ?? 0) + 1,
    })
    const change = { model: name, view: edited.view }
    return ok({ changes: { view: change, edited: { model: name, record: edited.record } } })
  }
  const changed = await commitComputedChanges(chat, look, at)
  return changed.ok ? ok(changed.value.changes.edited.record) : changed
}

type SummaryEdit = Required<Pick<ConversationChanges, 'view' | 'edited'>>

/**
 * The policy's share for a summary and users' text, or the current size if larger, as far as the
 * last request had room. System prompt and tools are not known here: an excess is cut in the next
 * epoch.
 */
async function roomFor(
  chat: Internals,
  { conversation: { pins }, calibration, last }: ConversationState,
  view: View,
  meter: Meter,
): Promise<number> {
  const policy = policyFor(chat.runtime.settings.policy, [meter.card.id])
  const pinned = await Promise.all(pins.map((seq) => messageAt(chat, seq)))
  const sizes = measureProtected(
    { system: [], tools: [] },
    pinned.filter((message) => message !== undefined),
    meter,
  )
  const plan = planBudget(meter, policy, sizes, calibration)
  const { summaryTokens, userTextTokens } = historyLimits({ policy }, { plan })
  const shownTokens = view.history === null ? 0 : meter.text(summaryContent(view.history))
  const share = Math.max(Math.floor(summaryTokens + userTextTokens), shownTokens)
  if (last === null || last.epoch !== view.epoch) return share
  return Math.min(share, shownTokens + Math.max(0, plan.countedTokens - last.tokens))
}

async function shownRecord(chat: Internals, { history }: View): Promise<SummaryRecord | null> {
  const written = history?.written ?? null
  if (written === null) return null
  // A fork may show a summary of its source.
  const found = await loadSummaryBefore(chat.store, { id: chat.id, place: written.to })
  return found?.id === written.id ? found : summaryById(chat, written.id)
}
