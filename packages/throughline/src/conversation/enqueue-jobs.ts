/** What a request leaves to be done behind it: summaries, digests, and what is to be found later. */
import type { ContextResult } from '../engine.ts'
import { giantsIn } from '../flow/stub/stub-made.ts'
import type { SummarizeJob } from '../ports/queue.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { ContextCall } from './load-inputs.ts'
import type { Runtime } from './runtime.ts'

/** What a model could tell is told behind the request. */
export function enqueueJobs(
  asking: ContextCall,
  state: ConversationState | null,
  { hasMoreToTell, context, sent, view }: ContextResult,
  { tenant, queue, replies, settings }: Runtime,
): void {
  const { id, request, meter, policy } = asking
  const hasModels = settings.styles.some(({ models }) => models.length > 0)
  if (state === null || !hasModels) return
  const { model, system, tools, replyTokens } = request
  // What an epoch could not show is told behind it, for the next one.
  if (view !== null && view !== state.view)
    for (const seq of giantsIn(view, meter))
      queue.add({ kind: 'digest', tenant, conversation: id, model, seq })
  if (policy.run.mode === 'blocking') return
  const job: SummarizeJob = {
    kind: 'summarize',
    tenant,
    conversation: id,
    model,
    system,
    tools,
    replyTokens,
  }
  if (hasMoreToTell) queue.add(job)
  const { triggerTokens } = context.budget
  const { compactedAt } = sent.triggers
  replies.sent({ job, meter, policy, tokens: sent.tokens, triggerTokens, compactedAt })
}

/** What goes below the line is searched from then on. */
export function enqueueIndexing(
  { store, id, policy }: ContextCall,
  state: ConversationState | null,
  { view }: ContextResult,
  { indexing }: Pick<Runtime, 'indexing'>,
): void {
  if (state === null || view === null || view === state.view || policy.recall === null) return
  indexing.add(store, id, view.line)
}
