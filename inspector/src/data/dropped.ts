/** Which messages a compaction dropped from requests, and what an undo shows again. */
import { stateOf } from './message-state.ts'
import type { Receipt, View } from './types.ts'

export interface Dropped {
  /** Messages of its span that it did not keep. */
  readonly count: number
  /** Older messages that were kept until then; ascending. */
  readonly noLongerKept: readonly number[]
}

/** `receipts`: newest first, with those before this one. */
export function droppedBy(receipt: Receipt, receipts: readonly Receipt[]): Dropped {
  const { covered, keeps, line, version, model } = receipt
  const kept = new Set(keeps)
  const inSpan = keeps.filter((seq) => seq >= covered.from && seq < covered.to).length
  const isEmpty = covered.to === covered.from
  const start = isEmpty ? line : covered.from
  const before = receipts.find(
    (each) => each.model === model && each.version < version && each.line === start,
  )
  const noLongerKept = (before?.keeps ?? []).filter((seq) => seq < start && !kept.has(seq))
  return { count: covered.to - covered.from - inSpan + noLongerKept.length, noLongerKept }
}

export interface ShownAgain {
  readonly whole: number
  readonly shortened: number
  /** Shown now, but not after the undo. */
  readonly dropped: number
  /** Shortened now, and whole after the undo. */
  readonly lengthened: number
}

/** Compares what a model sees of each message now with another view; null shows every message. */
export function shownAgain(now: View | null, then: View | null, head: number): ShownAgain {
  const counts = { whole: 0, shortened: 0, dropped: 0, lengthened: 0 }
  for (let seq = 0; seq < head; seq += 1) {
    const [from, to] = [sightOf(now, seq), sightOf(then, seq)]
    if (from === to) continue
    if (to === 'dropped') counts.dropped += 1
    else if (from === 'dropped') counts[to] += 1
    else if (to === 'whole') counts.lengthened += 1
  }
  return counts
}

function sightOf(view: View | null, seq: number): 'whole' | 'shortened' | 'dropped' {
  const state = stateOf(view, seq)
  if (state === 'stub') return 'shortened'
  return state === 'whole' || state === 'kept' ? 'whole' : 'dropped'
}
