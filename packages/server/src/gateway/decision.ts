/** What the gateway decided for a request, as a value: logged, counted, and sent in a header. */
import type { FoundBy } from './find-conversation.ts'
import type { RequestClass } from './record-request.ts'

export interface GatewayDecision {
  readonly api: string
  readonly conversation: string | null
  readonly class: RequestClass | 'off' | 'unread' | 'count' | 'other'
  readonly by: FoundBy | null
  /** `passed`: the client's own bytes. `shadow`: they too, where a compaction was decided. */
  readonly action: 'passed' | 'compacted' | 'shadow' | 'refused'
  readonly epoch: number | null
  /** Of the compacted request, by our count. */
  readonly tokens: number | null
  readonly retried: 'overflow' | 'thinking' | 'repeats' | null
  /** The code of a failure of the memory, in spite of which the request was sent. */
  readonly failedOpen: string | null
}

/** `class=continue; by=client-id; action=passed`. */
export function decisionText(decision: GatewayDecision): string {
  return shownFields
    .filter((name) => decision[name] !== null)
    .map((name) => `${name}=${decision[name]}`)
    .join('; ')
}

const shownFields = ['class', 'by', 'action', 'epoch', 'tokens', 'retried', 'failedOpen'] as const
