/** What a conversation itself says about its compaction. Plain JSON. */

/** `shadow` decides and tells, and changes nothing that would fit. */
export type CompactionMode = 'on' | 'off' | 'shadow'

export interface CompactionControl {
  /** Null where the engine's setting holds. */
  readonly mode: CompactionMode | null
  /** One that was asked for and is not made yet. */
  readonly asked: AskedCompaction | null
  /** The models whose compactions were undone, each once. */
  readonly suspended: readonly Suspended[]
}

/** No trigger compacts for this model until it is asked for, or a request would not fit. */
export interface Suspended {
  readonly model: string
  /** The version of the view that stood before: whoever restores it has undone nothing. */
  readonly version: number
}

export type AskedCompaction =
  | {
      readonly reason: 'manual'
      /** A summary by a model is made from the messages again, and not from the one before. */
      readonly afresh?: boolean | undefined
      /** What the model that writes it is to dwell on, in the words of whoever asked. */
      readonly instructions?: string | undefined
    }
  /** A provider has refused a request of this model as too long. */
  | { readonly reason: 'provider-overflow'; readonly model: string; readonly of: string }

/**
 * What a conversation says about compactions before anybody has asked for anything: its row begins with it.
 *
 * @example
 * const row = { pins: [], compaction: noControl, chain: chainStart }
 */
export const noControl: CompactionControl = { mode: null, asked: null, suspended: [] }
