import type { Receipt, View, ViewVersion } from 'throughline'
import { describe, expect, it } from 'vitest'
import { statusesOf, undoneAt, undoneVersions } from '../src/data/compaction-status.ts'
import { droppedBy, shownAgain } from '../src/data/dropped.ts'
import { forecastOf, sizeAfterUndo } from '../src/data/next-request.ts'

type Row = readonly [version: number, cause: ViewVersion['cause'], of?: number]

/** Oldest first; the last one is current. */
function versionsOf(...rows: readonly Row[]): readonly ViewVersion[] {
  return rows
    .map(([version, cause, of = null]) => ({
      ...{ version, cause, of, epoch: cause === null ? null : version, line: version },
      ...{ model: 'm', tokens: 0, summaryId: null, at: 0, current: version === rows.at(-1)?.[0] },
    }))
    .toReversed()
}

/** Oldest first, as compactions of the log from one line to the next. */
function receiptsOf(
  ...all: readonly (readonly [version: number, line: number, ...keeps: number[]])[]
) {
  return all
    .map(([version, line, ...keeps], at) => {
      const covered = { from: all[at - 1]?.[1] ?? 0, to: line }
      return { version, line, keeps, covered, model: 'm' } as unknown as Receipt
    })
    .toReversed()
}

describe('the status of compactions', () => {
  const receipts = receiptsOf([1, 10], [2, 20], [3, 30])
  const compacted: readonly Row[] = [
    [1, 'trigger'],
    [2, 'trigger'],
    [3, 'trigger'],
  ]
  const statuses = (...more: readonly Row[]) => [
    ...statusesOf(receipts, versionsOf(...compacted, ...more)).values(),
  ]

  it('names the one in use, those that it continues, and those that were undone', () => {
    expect(statuses()).toEqual(['in-use', 'continued', 'continued'])
    expect(statuses([4, 'restored', 2])).toEqual(['undone', 'in-use', 'continued'])
    expect(statuses([4, 'restored', 2], [5, 'restored', 1])).toEqual(['undone', 'undone', 'in-use'])
    expect(statuses([4, 'restored', 2], [5, 'restored', 3])).toEqual(statuses())
    expect(statuses([4, 'restored'])).toEqual(['undone', 'undone', 'undone'])
  })

  it('says which compactions an undo takes back: one in use, or all after an older one', () => {
    const of = (at: number, ...more: readonly Row[]) => {
      const known = statusesOf(receipts, versionsOf(...compacted, ...more))
      const chosen = receipts.find(({ version }) => version === at) as Receipt
      return undoneAt(chosen, receipts, known).map(({ version }) => version)
    }
    expect(of(3)).toEqual([3])
    expect(of(1)).toEqual([3, 2])
    // One that was undone already is not undone again.
    expect(of(1, [4, 'restored', 2])).toEqual([2])
  })

  it('keeps the mark after another compaction, and through an edit of the summary', () => {
    const versions = versionsOf(...compacted, [4, 'restored', 2], [5, 'manual'])
    expect([...undoneVersions(versions)]).toEqual([3])
    expect(statuses([4, 'summary-edited'])).toEqual(['in-use', 'continued', 'continued'])
  })

  it('marks nothing whose history is not known, and nothing in use after an edit of messages', () => {
    expect([...undoneVersions(versionsOf([3, 'trigger'], [4, 'restored', 1]))]).toEqual([])
    expect(statuses([4, null])).toEqual(['continued', 'continued', 'continued'])
    expect([...statusesOf(receipts, []).values()]).toEqual(['changed', 'changed', 'changed'])
  })
})

describe('dropped messages', () => {
  it('are those of the span that were not kept, and older ones that are no longer kept', () => {
    const all = receiptsOf([1, 10, 4, 5], [2, 20, 5, 12])
    expect(all.map((each) => droppedBy(each, all))).toEqual([
      { count: 10, noLongerKept: [4] },
      { count: 8, noLongerKept: [] },
    ])
  })

  it('are shown again by an undo, whole or shortened', () => {
    const view = (line: number, keeps: readonly number[], stubs: readonly number[]) =>
      ({ line, keeps, stubs: stubs.map((seq) => ({ seq })), history: null }) as unknown as View
    const [now, then] = [view(20, [5, 12], [22]), view(10, [4, 5], [13])]
    expect(shownAgain(now, then, 30)).toEqual({
      ...{ whole: 9, shortened: 1, dropped: 0, lengthened: 1 },
    })
    expect(shownAgain(now, null, 30)).toMatchObject({ whole: 18, shortened: 0, lengthened: 1 })
    expect(shownAgain(then, now, 30)).toMatchObject({ dropped: 10 })
  })
})

describe('the next request after an undo', () => {
  it('has again what the compactions saved, and is compacted again if it does not fit', () => {
    const saved = { tokensBefore: 11_499, tokensAfter: 5_982 }
    expect(sizeAfterUndo(6_214, [saved])).toBe(11_731)
    expect(sizeAfterUndo(6_214, [saved, { tokensBefore: null, tokensAfter: 5 }])).toBeNull()
    expect(forecastOf(11_840, 11_680)).toEqual({
      text: 'The next request would be about 101 % of the 11.7k tokens that are available, so it will be compacted again.',
      lasts: false,
    })
    expect(forecastOf(11_000, 11_680).text).toContain('so it may be compacted again')
    expect(forecastOf(5_840, 11_680)).toMatchObject({ lasts: true })
  })
})
