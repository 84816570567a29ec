/** The work that a request leaves: summaries, digests, and what is to be found later. */

import type { ContextResult } from '../flow/project/records.ts'
import { giantsIn } from '../flow/stub/stub.ts'
import type { SummarizeJob } from '../ports/queue.ts'
import type { Snapshot } from './load-snapshot.ts'
import type { Runtime } from './runtime.ts'

/** What a model could summarize is summarized after the request. */
export function enqueueJobs(
  { id, request, meter, policy, state }: Snapshot,
  { hasMoreToSummarize, context, sent, outcome: { view } }: ContextResult,
  { tenant, queue, replies, settings }: Runtime,
): void {
  const hasModels = settings.styles.some(({ models }) => models.length > 0)
  if (state === null || !hasModels) return
  const { model, system, tools, replyTokens } = request
  const named = { tenant, conversation: id, model } as const
  // A digest of what an epoch could not show is written for the next one.
  if (view !== null && view !== state.view)
    for (const seq of giantsIn(view, meter)) queue.add({ kind: 'digest', ...named, seq })
  if (policy.run.mode === 'blocking') return
  const job: SummarizeJob = { kind: 'summarize', ...named, system, tools, replyTokens }
  if (hasMoreToSummarize) queue.add(job)
  const { triggerTokens } = context.budget
  const { compactedAt } = sent.triggers
  replies.sent({ job, meter, policy, tokens: sent.tokens, triggerTokens, compactedAt })
}

/** What goes below the line is searched from then on. */
export function enqueueIndexing(
  { store, id, policy, state }: Snapshot,
  { outcome: { view } }: ContextResult,
  { indexing }: Runtime,
): void {
  if (state === null || view === null || view === state.view || policy.recall === null) return
  indexing.add(store, id, view.line)
}
