/**
 * Hindsight: what of the compacted was needed again, as far as the messages behind the
 * compaction tell. It completes a receipt, once. Plain JSON, without secrets.
 */
import type { Seq } from './ids.ts'
import type { Span } from './span.ts'

export interface Hindsight {
  readonly at: number
  /** Messages behind the compaction that were looked at. */
  readonly looked: Span
  /** Files that were known below the line and were read again, the most often read first. */
  readonly reopened: readonly ReopenedFile[]
  /** How many files that were. */
  readonly reopenedFiles: number
  readonly recalled: readonly RecalledSpan[]
  /** How often something was recalled or expanded. */
  readonly recalls: number
  readonly names: NeededNames
}

export interface ReopenedFile {
  /** As it stands in what was compacted. */
  readonly path: string
  readonly times: number
  /** Of the results, oldest first. */
  readonly places: readonly Seq[]
}

export interface RecalledSpan {
  readonly tool: 'recall' | 'expand'
  /** The model by a call in the log, or the program by `chat.expand`. */
  readonly by: 'model' | 'program'
  /** What was asked for. */
  readonly about: string
  /** Of the call; null where there is none. */
  readonly seq: Seq | null
  readonly times: number
}

/**
 * Names of what was compacted (files, symbols, addresses, hashes, ids, versions, numbers,
 * amounts, dates) that the assistant used before a user or a tool had shown them again.
 */
export interface NeededNames {
  readonly needed: number
  /** How many of them stood in what the compaction left in the context. */
  readonly shown: number
  /** The others, in the order of their use, as far as the list goes. */
  readonly missing: readonly string[]
}
