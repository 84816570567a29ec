/**
 * The job that writes a summary ahead. It decides anew whether there is anything to do: the
 * job may be old, run twice, or by another process. What it brings is committed whichever
 * version moved meanwhile, unless messages were edited, removed or purged; of two that tell the
 * same, the first stays.
 */
import { conversationId } from '../domain/ids.ts'
import { type PreparedSummary, prepareSummary } from '../flow/epoch/prepare-summary.ts'
import { policyFor } from '../flow/measure/policy-for.ts'
import type { Summarized } from '../ports/commit-commands.ts'
import type { SummarizeJob } from '../ports/queue.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { askedMore, askStateWith, nothingAsked } from './asked-so-far.ts'
import { commitAnyway } from './commit-anyway.ts'
import { extensionContent } from './extension-content.ts'
import type { Front } from './front.ts'
import type { LedgerOfState } from './known-ledgers.ts'
import { unlessOvertaken } from './overtaken.ts'
import { projectingFrom } from './projecting-from.ts'
import { writerFor } from './summary-writer.ts'
import { unlessRewritten } from './unless-rewritten.ts'

export async function runSummarize(
  store: TenantStore,
  job: SummarizeJob,
  signal: AbortSignal,
  front: Front,
): Promise<void> {
  const id = conversationId(job.conversation)
  const flight = front.flights.hold(front.tenant, id, signal)
  try {
    const meter = await front.meter(job.model)
    const state = await store.state({ id, model: meter.card.id })
    if (state === null) return
    const ledger = front.ledgers.of(store, id, state)
    const { system, tools, replyTokens, model } = job
    const request = {
      model,
      system,
      tools,
      replyTokens,
      next: undefined,
      retrieved: [],
      profile: '',
      memory: null,
      signal: null,
    }
    const policy = policyFor(front.settings.policy, [model, meter.card.id])
    const asking = { store, id, request, meter, policy, now: front.now() }
    const extension = await extensionContent(asking, front.extension)
    const prepared = await prepareSummary({
      ...projectingFrom({ ...asking, extension }, state, ledger, front),
      recaller: null,
      writer: writerFor(id, { asking: state.asking, signal, take: flight.take }, front),
      // Whoever waits for it has its own written.
      wanted: null,
    })
    if (isBarren(prepared)) front.barren.note(front.tenant, id, state.conversation.head)
    if (prepared !== 'nothing' && prepared !== 'not-now')
      await keep(store, { ...prepared, ledger, model: meter.card.id }, state, front)
  } finally {
    flight.end()
  }
}

/** A compaction waits for it, and would wait for ever. */
function isBarren(prepared: Awaited<ReturnType<typeof prepareSummary>>): boolean {
  if (prepared === 'nothing' || prepared === 'not-now') return prepared === 'nothing'
  const { decision, summarization } = prepared.written
  return decision.kind === 'compact' && summarization.why === 'nothing-to-tell'
}

interface Kept extends PreparedSummary {
  readonly model: string
  readonly ledger: LedgerOfState
}

async function keep(
  store: TenantStore,
  kept: Kept,
  first: ConversationState,
  { now }: Front,
): Promise<void> {
  const { facts, ledger, model } = kept
  // Facts are folded onto the ledger of the version that they were read with.
  const notedIn = (state: ConversationState) =>
    state === first && facts !== null && facts.rows.length > 0 ? facts : null
  const committed = await commitAnyway({
    store,
    first,
    model,
    now,
    changesOf: async (state, at) => {
      const noted = notedIn(state)
      return {
        summarized: await summarizedNow(store, kept, { first, state }, at),
        ...(noted !== null && { facts: ledger.change(noted) }),
      }
    },
  })
  if (committed === first) ledger.committed(notedIn(first))
}

async function summarizedNow(
  store: TenantStore,
  { written, model }: Kept,
  { first, state }: { readonly first: ConversationState; readonly state: ConversationState },
  at: number,
): Promise<Summarized> {
  const { conversation, asking: before } = state
  const rewrites = { before: first.conversation.rewrites, now: conversation.rewrites }
  const kept = unlessRewritten(written, rewrites)
  const { record, summarization, decision } = await unlessOvertaken(store, conversation.id, kept)
  const asking =
    askStateWith(before, askedMore(nothingAsked, written, rewrites.now), at) ?? written.state
  return { record, summarization, model, decision, tokensAfter: null, asking }
}
