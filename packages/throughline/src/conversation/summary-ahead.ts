/**
 * What a reply brings may be enough to compact: then the summary is asked for at once, while
 * somebody reads the reply, and not with the next request. Only a cheap look; the job decides.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Policy } from '../domain/policy.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { hasCountFired } from '../flow/measure/triggers.ts'
import type { Queue, SummarizeJob } from '../ports/queue.ts'
import { RecentMap } from './recent-map.ts'

export interface SummaryAhead {
  /** A request has left, with so many tokens. */
  sent(request: SentRequest): void
  /** These were appended. */
  appended(tenant: string, id: ConversationId, messages: () => readonly Message[]): void
}

interface SentRequest {
  readonly job: SummarizeJob
  readonly meter: Meter
  readonly policy: Policy
  readonly tokens: number
  readonly triggerTokens: number
  /** The end of the log when it was compacted last. */
  readonly compactedAt: number
}

/** Of one engine. */
export function createSummaryAhead(queue: Pick<Queue, 'add'>): SummaryAhead {
  const requests = new RecentMap<string, SentRequest>()
  return {
    sent: (request) => requests.set(keyOf(request.job.tenant, request.job.conversation), request),
    appended: (tenant, id, read) => {
      const key = keyOf(tenant, id)
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
        hasCountFired(policy.triggers, { head: last.seq + 1, compactedAt })
      if (isEnough) queue.add(sent.job)
    },
  }
}

function keyOf(tenant: string, conversation: string): string {
  return JSON.stringify([tenant, conversation])
}
