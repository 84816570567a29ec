import type { Calibration, CountedWith } from './calibration.ts'
import type { Seq } from './ids.ts'
import type { AskState } from './model-calls.ts'
import type { RequestRecord } from './receipt.ts'
import type { SummaryRecord } from './summary.ts'
import type { Insert, View } from './view.ts'

/** What `fit` has to know from call to call, for each model; plain JSON that the caller keeps. */
export interface FitState {
  readonly version: 1
  /** The most recently used models, newest last. */
  readonly models: readonly FitModelState[]
}

export interface FitModelState {
  readonly model: string
  readonly view: View | null
  /** What was recalled in its epoch; left out where nothing was. */
  readonly inserts?: readonly Insert[] | undefined
  readonly last: RequestRecord
  readonly calibration: Calibration | null
  /** Messages that the view was made from, by their hashes: an edited past is noticed. */
  readonly witnesses: readonly Witness[]
  /** Counts edits of the past. */
  readonly history: number
  /** The last summary by a model, and the state of asking; null or left out where there is none. */
  readonly summary?: SummaryRecord | null | undefined
  readonly asking?: AskState | null | undefined
}

export interface Witness {
  readonly seq: Seq
  readonly hash: string
}

/** Null where another tokenizer counts now: its counts are not comparable. */
export function calibrationIn(
  state: FitModelState | null,
  { tokenizer }: Pick<CountedWith, 'tokenizer'>,
): Calibration | null {
  const calibration = state?.calibration ?? null
  return calibration?.tokenizerId === tokenizer.id ? calibration : null
}
