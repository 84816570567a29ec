/** What one process of the comparison does, and what it returns. */
import type { ModelFault } from '../harness/fault-server.ts'
import type { Played } from './replay/play.ts'
import type { Scores } from './replay/scoring.ts'

export type Plan =
  | {
      readonly part: 'work'
      readonly seed: string
      readonly turns: number
      readonly questions: number
      readonly fault: ModelFault | null
    }
  | { readonly part: 'data'; readonly file: string; readonly source: string }
  | { readonly part: 'rules'; readonly source: string; readonly seed: string }
  | { readonly part: 'times'; readonly messages: number; readonly turns: number }
  | { readonly part: 'cold'; readonly messages: number }

export interface ChildPlan {
  readonly method: string
  readonly plan: Plan
  readonly folder: string
  /** Where the child writes its outcome: peers print to the standard output. */
  readonly outcome: string
}

export type Outcome =
  | { readonly kind: 'scores'; readonly played: Played; readonly scores: Omit<Scores, 'last'> }
  | {
      readonly kind: 'rules'
      readonly played: Played
      readonly shown: Readonly<Record<string, readonly [number, number]>>
    }
  | { readonly kind: 'times'; readonly times: Times }
  | { readonly kind: 'cold'; readonly firstRequestMs: number }

export interface Times {
  readonly loadMs: number
  /** The first turn after the load, which compacts what was loaded. */
  readonly firstMs: number
  readonly turnsMs: readonly number[]
  readonly peakBytes: number
  readonly diskBytes: number
}

/** An outcome, or why there is none. */
export interface Run {
  readonly method: string
  readonly plan: Plan
  readonly outcome: Outcome | null
  readonly stopped: 'too slow' | 'failed' | null
  readonly reason: string
}

export const windows = { work: 16_384, rules: 8_192, times: 32_768 } as const
