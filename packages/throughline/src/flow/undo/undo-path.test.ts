import { describe, expect, it } from 'vitest'
import type { EpochCause } from '../../domain/decision.ts'
import type { ViewVersion } from '../../domain/view.ts'
import { compactionIndexes, undoSteps, undoTarget } from './undo-path.ts'

type Row = readonly [version: number, cause: EpochCause | null, of?: number]

/** Versions of one model, oldest row first. */
function kept(rows: readonly Row[], isWhole = true) {
  const versions = rows.map(
    ([version, cause, of = null]): ViewVersion => ({
      ...{ version, cause, of, epoch: cause === null ? null : version, line: version },
      ...{ model: 'm', tokens: 0, summaryId: null, at: 0, current: false },
    }),
  )
  return { versions: versions.toReversed(), isWhole }
}

function backFrom(rows: readonly Row[], compactions: number, isWhole = true) {
  const known = kept(rows, isWhole)
  const found = undoTarget(undoSteps(known, known.versions[0] ?? null), compactions)
  if ('fewer' in found) return `fewer: ${found.fewer}`
  return found.step === 'everything' ? found.step : found.step.version
}

describe('the undo path', () => {
  it('leads to the view before each compaction, and to everything before the first', () => {
    const rows: readonly Row[] = [
      [1, 'first'],
      [2, 'trigger'],
      [3, 'overflow'],
    ]
    expect([1, 2, 3, 4].map((count) => backFrom(rows, count))).toEqual([
      ...[2, 1],
      ...['everything', 'fewer: 3'],
    ])
    expect(backFrom([], 1)).toBe('fewer: 0')
  })

  it('skips views that were rebuilt or edited', () => {
    const rows: readonly Row[] = [
      [1, 'trigger'],
      [2, 'manual'],
      [3, 'pins-changed'],
      [4, 'summary-edited'],
    ]
    expect([1, 2, 3].map((count) => backFrom(rows, count))).toEqual([1, 'everything', 'fewer: 2'])
  })

  it('continues from the original of a restored view', () => {
    const rows: readonly Row[] = [
      [1, 'trigger'],
      [2, 'trigger'],
      [3, 'trigger'],
      [4, 'restored', 2],
      [5, 'restored', 1],
      [6, 'restored', 2],
    ]
    expect(backFrom(rows, 1)).toBe(1)
    expect(backFrom([...rows, [7, 'manual']], 1)).toBe(2)
    expect(backFrom([...rows, [7, 'restored']], 1)).toBe('fewer: 0')
    expect(backFrom([...rows, [7, 'restored'], [8, 'manual']], 1)).toBe('everything')
  })

  it('includes a period in which every message was shown', () => {
    const rows: readonly Row[] = [
      [1, 'trigger'],
      [2, null],
      [3, 'trigger'],
    ]
    expect([1, 2].map((count) => backFrom(rows, count))).toEqual([2, 'everything'])
  })

  it('ends where older views were deleted', () => {
    const rows: readonly Row[] = [
      [7, 'trigger'],
      [8, 'trigger'],
    ]
    expect([1, 2].map((count) => backFrom(rows, count, false))).toEqual([7, 'fewer: 1'])
    expect(backFrom([[9, 'restored', 3]], 1, false)).toBe('fewer: 0')
  })

  it('counts the first view, whatever its cause', () => {
    const known = kept([[4, 'forgotten']])
    expect(compactionIndexes(undoSteps(known, known.versions[0] ?? null))).toEqual([0])
  })
})
