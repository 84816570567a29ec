/** All that was seen of a run, from outside: what the checks look at, and nothing else. */
import type {
  Context,
  ConversationSummary,
  EngineEvent,
  LiveEvent,
  Message,
  MessageInput,
  Receipt,
  SummaryRecord,
} from 'throughline'
import type { ServedRequest } from '../fault-server.ts'

export interface Observed {
  readonly appended: readonly MessageInput[]
  /** The log, read back at the end. */
  readonly log: readonly Message[]
  /** Each request for a context, and what models did behind it, apart. */
  readonly steps: readonly Step[]
  readonly summaries: readonly SummaryRecord[]
  readonly inForce: ConversationSummary | null
  readonly receipts: readonly Receipt[]
  readonly events: readonly EngineEvent[]
  /** What each server was asked. */
  readonly served: readonly (readonly ServedRequest[])[]
  readonly callsMost: number
  /** What a busy server asks for. */
  readonly retryAfterMs: number
}

export interface Step {
  readonly number: number
  /** `ended`: the faults are over. */
  readonly phase: 'faulty' | 'ended'
  readonly at: number
  /** Messages in the log. */
  readonly head: number
  readonly context: Context
  /** What was told live while it was made. */
  readonly live: readonly LiveEvent[]
  readonly tookMs: number
}
