/** A promise that a run has not kept: which, and what was seen. */
export interface Finding {
  readonly check: CheckName
  readonly detail: string
}

export type CheckName =
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

export function finding(check: CheckName, detail: string): Finding {
  return { check, detail }
}
