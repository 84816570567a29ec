/** What a run must keep, rule by rule. */
import type { Finding as AnyFinding } from '../kernel/finding.ts'

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
