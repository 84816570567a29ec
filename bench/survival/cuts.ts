/**
 * Where a history is cut. At real compactions, Claude's own summary can be compared; but the model then
 * had only that summary and asks for what it knew. At the other cuts it had everything: they are in a
 * part that was never compacted.
 */

import type { History, HistoryMessage } from './history.ts'
import { type Study, study } from './study.ts'

export type CutKind = 'real' | 'counterfactual' | 'middle'

export interface Cut {
  readonly kind: CutKind
  readonly history: History
  readonly before: readonly HistoryMessage[]
  readonly after: readonly HistoryMessage[]
  /** All messages before the cut, as one text. */
  readonly text: string
  /** The other tool's replacement. */
  readonly summary: string | null
}

export interface StudiedCut extends Cut {
  readonly study: Study
}

const messagesCounted = 60
const counterfactualShares = [0.4, 0.55, 0.7]
export const middleCharacters = 3_500

/** Cuts with enough messages on both sides. */
export function realCuts(history: History): readonly Cut[] {
  const { messages, compactions } = history
  return compactions.flatMap(({ at, after, summary }, index) => {
    const from = compactions[index - 1]?.at ?? 0
    const to = compactions[index + 1]?.at ?? messages.length
    const cut = cutOf(history, 'real', { from, at, after, to, summary })
    const answers = cut.after.filter(({ isAssistant }) => isAssistant).length
    return cut.before.length >= 20 && answers >= 10 ? [cut] : []
  })
}

/** Counterfactual cuts in Claude Code's records; one in the middle of any other history. */
export function madeCuts(history: History): readonly Cut[] {
  return history.isOfRecords ? counterfactualCuts(history) : middleCut(history)
}

function counterfactualCuts(history: History): readonly Cut[] {
  const end = history.compactions[0]?.at ?? history.messages.length
  return counterfactualShares.flatMap((share) => {
    const at = Math.floor(end * share)
    const to = Math.min(end, at + messagesCounted)
    const cut = cutOf(history, 'counterfactual', { from: 0, at, after: at, to, summary: null })
    return cut.before.length >= 30 && cut.after.length >= 30 ? [cut] : []
  })
}

/** Without more text before the cut than the replacement may have, there is nothing to select. */
function middleCut(history: History): readonly Cut[] {
  const at = Math.floor(history.messages.length / 2)
  const to = at + messagesCounted
  const cut = cutOf(history, 'middle', { from: 0, at, after: at, to, summary: null })
  return cut.text.length > middleCharacters ? [cut] : []
}

function cutOf(
  history: History,
  kind: CutKind,
  places: {
    readonly from: number
    readonly at: number
    readonly after: number
    readonly to: number
    readonly summary: string | null
  },
): Cut {
  const { from, at, after, to, summary } = places
  const before = history.messages.slice(from, at)
  return {
    kind,
    history,
    before,
    after: history.messages.slice(after, to),
    text: before.map(({ text }) => text).join('\n'),
    summary,
  }
}

const leastNeeded: Readonly<Record<CutKind, number>> = { real: 3, counterfactual: 5, middle: 3 }

/** Null if too few names are needed for a meaningful share. */
export function studied(cut: Cut): StudiedCut | null {
  const found = study(cut.before, cut.after, cut.history.workingFolder)
  return found.needed.size < leastNeeded[cut.kind] ? null : { ...cut, study: found }
}
