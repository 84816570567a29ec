/** The record of a run, as observed from outside: the only input of the checks. */
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
import type { Finding as AnyFinding } from '../kernel/finding.ts'

export interface Observed {
  readonly appended: readonly MessageInput[]
  /** The log, read back at the end. */
  readonly log: readonly Message[]
  /** Each request for a context; the background work after it is a separate step. */
  readonly steps: readonly Step[]
  readonly summaries: readonly SummaryRecord[]
  readonly inForce: ConversationSummary | null
  readonly receipts: readonly Receipt[]
  readonly events: readonly EngineEvent[]
  /** The requests that each server received. */
  readonly served: readonly (readonly ServedRequest[])[]
  readonly callsMost: number
  /** The retry delay that a busy server asks for. */
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
  /** Live events during this step. */
  readonly live: readonly LiveEvent[]
  readonly tookMs: number
}

/** The rules that a run must keep. */
export type Finding = AnyFinding<FaultRule>

export type FaultRule =
  /** No message is lost or changed. */
  | 'log'
  /** No text of a failure and no made-up value in anything returned. */
  | 'words'
  /** Each summary comes from a valid answer, or is repaired from one. */
  | 'source'
  /** At most two tries per model, and no more calls than the policy allows. */
  | 'tries'
  /** Everything that starts ends once. */
  | 'ends'
  /** Contexts fit, and show or list every message. */
  | 'context'
  /** While the breaker is open, no model is called. */
  | 'breaker'
  /** After the faults are over, summaries are written again. */
  | 'recovery'
  /** A strict provider accepts our requests. */
  | 'strict'
  /** The run itself: it throws, or compacts too little. */
  | 'run'

export function finding(rule: FaultRule, detail: string): Finding {
  return { rule, detail }
}
