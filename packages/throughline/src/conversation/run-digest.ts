/**
 * The job that has a message told that is too large to be shown. It may be old, run twice, or
 * by another process: where there is a digest, nobody is asked. It changes no view; the next
 * epoch finds it.
 */

import { defaults } from '../defaults.ts'
import { newAskState } from '../domain/asking.ts'
import { conversationId } from '../domain/ids.ts'
import { isResting } from '../flow/await-summary.ts'
import { policyFor } from '../flow/policy-for.ts'
import { spentLately } from '../flow/spent-lately.ts'
import { type ToldMessageDigest, tellMessage } from '../flow/tell-message.ts'
import type { DigestJob } from '../ports/queue.ts'
import type { ConversationState, Digested, TenantStore } from '../ports/store.ts'
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
  if (message === undefined || writer === null || isResting(writer)) return
  const { limits } = policyFor(front.settings.policy, [job.model, meter.card.id])
  // A compaction may have few calls; a message has to be told once, whatever it takes.
  const calls = limits.calls === 0 ? 0 : Math.max(limits.calls, defaults.digestCalls.value)
  const { tree } = front.settings
  const told = await tellMessage({ message, tree, writer, limits: { ...limits, calls } })
  if (told !== null) await keep(store, { job, told }, state, front)
}

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 20

async function keep(
  store: TenantStore,
  { job, told }: { readonly job: DigestJob; readonly told: ToldMessageDigest },
  first: ConversationState,
  front: Front,
): Promise<void> {
  const { id } = first.conversation
  let state = first
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const at = front.now()
    const known = await store.digests({ id, span: { from: job.seq, to: job.seq + 1 } })
    // Somebody else was faster, and theirs stays.
    const record = known?.length === 0 ? told.record : null
    const digested = { ...digestedWith(told, state, at), seq: job.seq, record }
    const { version } = state.conversation
    const outcome = await store.commit({ id, expectedVersion: version, changes: { digested }, at })
    if (outcome.kind !== 'version-moved') return
    const now = await store.state({ id, model: job.model })
    // Purged and begun anew, it is another one.
    if (now === null || now.serial !== first.serial) return
    state = now
  }
}

/** Counted beside what others have asked meanwhile. */
function digestedWith(
  { attempts, breaker }: ToldMessageDigest,
  state: ConversationState,
  now: number,
): Pick<Digested, 'calls' | 'costUsd' | 'asking'> {
  const costs = attempts.map(({ costUsd }) => costUsd)
  const before = state.asking ?? newAskState
  const spent = attempts.map(({ startedAt, chargedUsd }) => ({ at: startedAt, usd: chargedUsd }))
  return {
    calls: attempts.length,
    costUsd: costs.every((cost) => cost !== null)
      ? costs.reduce((sum, cost) => sum + cost, 0)
      : null,
    asking: { ...before, breaker, spent: [...spentLately(before.spent, now), ...spent] },
  }
}
