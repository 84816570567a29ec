/** One request, as the log of the last hundred keeps it. Plain JSON. */

import type { Decision } from './decision.ts'
import type { BreakCause } from './epoch-cause.ts'
import type { TriggerState } from './trigger.ts'

export interface RequestRecord {
  readonly fingerprint: string
  readonly model: string
  readonly at: number
  readonly epoch: number
  readonly brokenBy: BreakCause | null
  /** Counted for the whole request, before calibration. */
  readonly tokens: number
  /** After calibration. */
  readonly expectedTokens: number
  readonly availableTokens: number
  /** What it would have had with nothing stubbed or left out, as far as that was read. */
  readonly originalTokens: number
  readonly stubbed: number
  readonly leftOut: number
  readonly decision: Pick<Decision, 'kind' | 'reason' | 'shadow'>
  readonly triggers: TriggerState
  /** What a later request is held against to see whether it begins with this one. */
  readonly prefix: RequestPrefix
}

export interface RequestPrefix {
  readonly messages: number
  /** Of the request before, where this one begins with it. */
  readonly previous: number
  readonly chain: string
  /** How often the conversation had been rewritten: of another history, it is no beginning. */
  readonly rewrites: number
  /** The hash of the policy; earlier versions kept none. */
  readonly policy?: string
  readonly system: string
  readonly tools: string
  readonly profile: string
  readonly retrieved: string
  /** What a turn memory tells before the messages; left out where none does. */
  readonly memory?: string
  /** What may still change at its end: a call without a result, or a message not yet in the log. */
  readonly open: 'call' | 'next' | null
}
