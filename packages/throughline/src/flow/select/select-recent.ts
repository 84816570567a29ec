/** Selection for `fill: 'recent'`: shows only the tail, halved until it fits. */
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { replaceBlock, shortenToLimit, tiled } from './fit-limit.ts'
import {
  type SelectionGoal,
  type SelectOptions,
  type StartedSelection,
  sameSize,
} from './select-options.ts'
import { Selection } from './selection.ts'
import { halvedTailStart, initialTailStart, openingOfCutTurn } from './tail.ts'

export function selectRecent(loaded: Candidates, options: SelectOptions): SelectedMessages {
  return selectRecentBeside(loaded, options).finish()
}

export function selectRecentBeside(loaded: Candidates, options: SelectOptions): StartedSelection {
  const selection = new Selection(loaded, options.fixed, options.meter, {
    tracked: options.ranked.tracked,
    quotes: options.quotes,
  })
  const { keepRecent, limits, digestedFrom = null, stubTokens } = options
  if (digestedFrom !== null) selection.showDigests(digestedFrom, stubTokens)
  const initial = initialTailStart(selection, keepRecent, limits.availableTokens)
  let tailStart = startOfTurn(selection, initial, options)
  while (isTooLarge(selection, tailStart, options)) {
    const half = halvedTailStart(selection.units, tailStart)
    if (half === null) break
    tailStart = half
  }
  while (selection.firstUnit < tailStart) selection.leaveOutOldest()
  const goal: SelectionGoal = {
    ...options,
    tailStart,
    goalTokens: limits.availableTokens,
    goalLimitTokens: limits.limitTokens,
  }
  shortenToLimit(selection, goal)
  return {
    selected: selection.selected,
    quoted: selection.quoted,
    finish: (block = sameSize) => {
      replaceBlock(selection, block)
      return tiled(loaded, selection, options.fixed, block)
    },
  }
}

/** Extends the tail to the start of its turn, because an answer without its question is unclear. */
function startOfTurn(selection: Selection, tailStart: number, options: SelectOptions): number {
  const opening = openingOfCutTurn(selection.units, tailStart)
  return opening === null || isTooLarge(selection, opening, options) ? tailStart : opening
}

function isTooLarge(selection: Selection, tailStart: number, { fixed, limits }: SelectOptions) {
  const size = selection.sizeFrom(tailStart, fixed)
  const maxTokens = limits.triggerTokens ?? limits.availableTokens
  return size.tokens >= maxTokens || limits.tokensAgainstLimit(size) > limits.limitTokens
}
