/** The record of one run, for the audit: requests, answers, commits and events. */

import type { AskState, Context, LiveEvent, Message, SummaryRecord, View } from 'throughline'
import type { CommitOutcome } from 'throughline/stores'
import type { ChangeCommand } from '../../packages/throughline/src/derived/changes.ts'

export interface Observed {
  readonly log: readonly Message[]
  /** Newest first, as the public API returns them. */
  readonly summaries: readonly SummaryRecord[]
  readonly asking: AskState | null
  /** The stored calls at the end, for each model that has some. */
  readonly views: readonly View[]
  readonly appends: readonly AcknowledgedAppend[]
  readonly contexts: readonly MadeContext[]
  readonly commits: readonly TriedCommit[]
  readonly calls: readonly ModelCall[]
  readonly engines: readonly ObservedEngine[]
  /** Unexpected errors, and operations that never ended. */
  readonly errors: readonly string[]
  readonly steps: number
}

/** The numbers of its messages, in order; the list is in order of acknowledgement. */
export interface AcknowledgedAppend {
  readonly actor: number
  readonly numbers: readonly number[]
}

export interface MadeContext {
  readonly engine: number
  readonly model: string
  /** Messages that were acknowledged before the request. */
  readonly acknowledged: number
  readonly context: Context
}

export interface TriedCommit {
  readonly engine: number
  readonly command: ChangeCommand
  readonly outcome: CommitOutcome
  /** Models for which this engine was building a context. */
  readonly asking: readonly string[]
  /** Model calls that were started until then. */
  readonly callsSoFar: number
}

export interface ModelCall {
  readonly engine: number
  /** The numbers of the messages in the request. */
  readonly numbers: ReadonlySet<number>
}

export interface ObservedEngine {
  readonly number: number
  readonly fate: 'lives' | 'closed' | 'crashed'
  readonly live: readonly LiveEvent[]
}

/** Each message contains its number, so that it can be recognized anywhere. */
export function numberedText(number: number, words: number): string {
  const plan = Array.from({ length: words }, (_, index) => plain[(number + index) % plain.length])
  return `Take note-${number} as said. ${plan.join(' ')}.`
}

const plain = 'the plan goes on with what was agreed before and nobody has changed any of it'.split(
  ' ',
)

export function numbersIn(text: string): readonly number[] {
  return Array.from(text.matchAll(/\bnote-(\d+)\b/g), ([, number]) => Number(number))
}

export function numberOf({ parts }: Pick<Message, 'parts'>): number | null {
  const [first] = parts.flatMap((part) => (part.type === 'text' ? numbersIn(part.text) : []))
  return first ?? null
}
