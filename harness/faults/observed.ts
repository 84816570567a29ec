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
import type { Finding as AnyFinding } from '../kernel/finding.ts'

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

/** What a run must keep, rule by rule. */
export type Finding = AnyFinding<FaultRule>

export type FaultRule =
  /** No message is lost or changed. */
  | 'log'
  /** No words of a failure, and no made-up value, in anything that is handed out. */
  | 'words'
  /** Each summary was said by a model that was sound, or is mended from what it said. */
  | 'said'
  /** Two tries for a model, and no more calls than the policy allows. */
  | 'tries'
  /** What starts ends, once. */
  | 'ends'
  /** Contexts fit, and show or list every message. */
  | 'context'
  /** With the breaker open nobody is asked. */
  | 'breaker'
  /** When the faults are over, summaries are written again. */
  | 'recovery'
  /** Our requests are such as a strict provider takes. */
  | 'strict'
  /** The run itself: it throws, or does not come to what it is for. */
  | 'run'

export function finding(rule: FaultRule, detail: string): Finding {
  return { rule, detail }
}
