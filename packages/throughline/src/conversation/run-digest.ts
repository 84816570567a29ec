/**
 * The job that has a message told that is too large to be shown. It may be old, run twice, or
 * by another process: where there is a digest, nobody is asked. It changes no view; the next
 * epoch finds it.
 */
import { defaults } from '../defaults.ts'
import { newAskState } from '../domain/asking.ts'
import { conversationId } from '../domain/ids.ts'
import { isRemoved } from '../domain/removed-message.ts'
import { isResting } from '../flow/decide/await-summary.ts'
import { policyFor } from '../flow/measure/policy-for.ts'
import { costOfAll, spentLately, spentOn } from '../flow/summarize/spent-lately.ts'
import { type ToldMessageDigest, tellMessage } from '../flow/summarize/tell-message.ts'
import type { Digested } from '../ports/commit-commands.ts'
import type { DigestJob } from '../ports/queue.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { commitAnyway } from './commit-anyway.ts'
import type { Front } from './front.ts'
import { writerFor } from './summary-writer.ts'

export async function runDigest(
  store: TenantStore,
  job: DigestJob,
  signal: AbortSignal,
  front: Front,
): Promise<void> {
  const id = conversationId(job.conversation)
  const span = { from: job.seq, to: job.seq + 1 }
  const meter = await front.meter(job.model)
  const state = await store.state({ id, model: meter.card.id })
  if (state === null || (await store.digests({ id, span }))?.length !== 0) return
  const [message] = (await store.read({ id, span })) ?? []
  // It tells one message and no line: whoever has a summary written needs not wait for it.
  const take = async () => 'taken' as const
  const writer = writerFor(id, { asking: state.asking, signal, take }, front)
  if (message === undefined || isRemoved(message)) return
  if (writer === null || isResting(writer)) return
  const { limits } = policyFor(front.settings.policy, [job.model, meter.card.id])
  // A compaction may have few calls; a message has to be told once, whatever it takes.
  const calls = limits.calls === 0 ? 0 : Math.max(limits.calls, defaults.digestCalls.value)
  const { tree } = front.settings
  const told = await tellMessage({ message, tree, writer, limits: { ...limits, calls } })
  if (told !== null) await keep(store, { job, told }, state, front)
}

async function keep(
  store: TenantStore,
  { job, told }: { readonly job: DigestJob; readonly told: ToldMessageDigest },
  first: ConversationState,
  { now }: Front,
): Promise<void> {
  const { id } = first.conversation
  const span = { from: job.seq, to: job.seq + 1 }
  await commitAnyway({
    store,
    first,
    now,
    model: job.model,
    changesOf: async (state, at) => {
      const known = await store.digests({ id, span })
      const isSame = state.conversation.rewrites === first.conversation.rewrites
      // Where somebody else was faster, theirs stays; of an old message, nothing does.
      const record = isSame && known?.length === 0 ? told.record : null
      return { digested: { ...digestedWith(told, state, at), seq: job.seq, record } }
    },
  })
}

/** Counted beside what others have asked meanwhile. */
function digestedWith(
  { attempts, breaker }: ToldMessageDigest,
  state: ConversationState,
  now: number,
): Pick<Digested, 'calls' | 'costUsd' | 'asking'> {
  const before = state.asking ?? newAskState
  return {
    calls: attempts.length,
    costUsd: costOfAll(attempts),
    asking: {
      ...before,
      breaker,
      spent: [...spentLately(before.spent, now), ...spentOn(attempts)],
    },
  }
}
