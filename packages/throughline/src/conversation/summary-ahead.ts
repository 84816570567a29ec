/**
 * If a reply is likely to make the next request compact, the summary is requested at once, while
 * the user reads, and not with the next request. This is only a cheap check; the job decides.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Policy } from '../domain/policy.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { hasCountTriggerFired } from '../flow/measure/triggers.ts'
import type { Queue, SummarizeJob } from '../ports/queue.ts'
import { RecentMap } from './message-cache.ts'
import { conversationKey } from './summary-locks.ts'

export interface SummaryAhead {
  /** Called after a request was sent. */
  sent(request: SentRequest): void
  appended(tenant: string, id: ConversationId, messages: () => readonly Message[]): void
}

interface SentRequest {
  readonly job: SummarizeJob
  readonly meter: Meter
  readonly policy: Policy
  readonly tokens: number
  readonly triggerTokens: number
  /** The end of the log at the last compaction. */
  readonly compactedAt: number
}

export function createSummaryAhead(queue: Pick<Queue, 'add'>): SummaryAhead {
  const requests = new RecentMap<string, SentRequest>()
  return {
    sent: (request) =>
      requests.set(conversationKey(request.job.tenant, request.job.conversation), request),
    appended: (tenant, id, read) => {
      const key = conversationKey(tenant, id)
      const sent = requests.get(key)
      if (sent === undefined) return
      const messages = read()
      const tokens = sent.tokens + sent.meter.messages(messages)
      requests.set(key, { ...sent, tokens })
      const last = messages.at(-1)
      if (last === undefined || last.role !== 'assistant') return
      const { policy, compactedAt, triggerTokens } = sent
      const isEnough =
        tokens >= triggerTokens ||
        hasCountTriggerFired(policy.triggers, { head: last.seq + 1, compactedAt })
      if (isEnough) queue.add(sent.job)
    },
  }
}
