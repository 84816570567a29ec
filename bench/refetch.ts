/**
 * What must be fetched again after a real compaction: of the known files that the next calls open,
 * how many does the context name with an anchor, and how many of those calls would have found their
 * lines in it or with one `expand`?
 */

import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { anchoredPieces, oneExpandAway } from './survival/anchors.ts'
import { tailOf } from './survival/baselines.ts'
import { callsIn, type FileCall, resultOf } from './survival/calls.ts'
import { type Cut, realCuts } from './survival/cuts.ts'
import { cutsIn, survivalFiles } from './survival/files.ts'
import { heldLines, neededLines } from './survival/lines.ts'
import { replacedBy } from './survival/throughline.ts'
import type { TranscriptFile } from './transcript-files.ts'

const callsCounted = 30
/** Null: as large as the summary in the transcript. */
const sizes = [null, 15_000, 45_000]

export async function measureRefetch(options: BenchOptions): Promise<readonly BenchRow[]> {
  return refetchRows(survivalFiles(options, 'refetch'))
}

export async function refetchRows(files: readonly TranscriptFile[]): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const tallies = sizes.map((size) => ({ size, tally: emptyTally() }))
    const counts = { calls: 0, reopened: 0, cuts: 0 }
    for await (const cut of cutsIn(found, realCuts)) {
      const { calls, reopened } = reopenedAfter(cut)
      counts.calls += calls
      counts.reopened += reopened.length
      counts.cuts += 1
      for (const { size, tally } of tallies)
        await addCut(cut, reopened, { size: size ?? cut.summary?.length ?? 0, tally })
    }
    if (counts.calls > 0)
      rows.push(...tallies.flatMap(({ tally }) => rowsOf(source, tally, counts)))
  }
  return rows
}

/** Those of the next calls that read a file which was read, edited or written before. */
export function reopenedAfter({ before, after }: Pick<Cut, 'before' | 'after'>): {
  readonly calls: number
  readonly reopened: readonly FileCall[]
} {
  const known = new Set(
    before
      .flatMap(({ input }) => callsIn(input))
      .filter(({ operation }) => operation !== 'other')
      .map(({ path }) => path),
  )
  const calls = after.flatMap(({ input }) => callsIn(input)).slice(0, callsCounted)
  const reopened = calls.filter(
    ({ operation, path }) => operation === 'read' && path !== null && known.has(path),
  )
  return { calls: calls.length, reopened }
}

interface Found {
  named: number
  anchored: number
  shown: number
  away: number
}

interface RefetchTally {
  sizes: number
  readonly tail: Found
  readonly throughline: Found
}

function emptyTally(): RefetchTally {
  const none = { named: 0, anchored: 0, shown: 0, away: 0 }
  return { sizes: 0, tail: { ...none }, throughline: { ...none } }
}

async function addCut(
  cut: Cut,
  reopened: readonly FileCall[],
  { size, tally }: { readonly size: number; readonly tally: RefetchTally },
): Promise<void> {
  tally.sizes += size
  if (reopened.length === 0) return
  const { before, after, text, history } = cut
  const wanted = reopened.map(({ callId, path }) => ({
    name: (path ?? '').slice((path ?? '').lastIndexOf('/') + 1),
    lines: neededLines(
      resultOf(
        callId,
        after.map(({ input }) => input),
      ) ?? '',
    ),
  }))
  addFound(tally.tail, wanted, { text: tailOf(text, size), anchored: [], away: [] })
  const messages = before.map(({ input }) => input)
  const replaced = await replacedBy({ system: history.system, messages, times: 1 }, size)
  if (replaced === null) return
  const pieces = anchoredPieces(replaced.context.messages, (seq) => before[seq]?.text ?? '')
  addFound(tally.throughline, wanted, {
    text: replaced.text,
    anchored: pieces.map((piece) => piece.text),
    away: await oneExpandAway(replaced, pieces),
  })
}

function addFound(
  found: Found,
  wanted: readonly { readonly name: string; readonly lines: ReadonlySet<string> }[],
  visible: {
    readonly text: string
    readonly anchored: readonly string[]
    readonly away: readonly string[]
  },
): void {
  const shownLines = heldLines(visible.text)
  const awayLines = visible.away.map(heldLines)
  for (const { name, lines } of wanted) {
    if (visible.text.includes(name)) found.named += 1
    if (visible.anchored.some((piece) => piece.includes(name))) found.anchored += 1
    if (shownLines(lines)) found.shown += 1
    else if (awayLines.some((holds) => holds(lines))) found.away += 1
  }
}

function rowsOf(
  source: string,
  tally: RefetchTally,
  counts: { readonly calls: number; readonly reopened: number; readonly cuts: number },
): readonly BenchRow[] {
  const size = Math.round(tally.sizes / counts.cuts)
  const row = rowWriter({ source, size, n: counts.reopened })
  return [
    row('tail', counts.reopened, 'calls that open a known file again', counts.calls),
    ...(['tail', 'throughline'] as const).flatMap((method) => {
      const { named, anchored, shown, away } = tally[method]
      return [
        row(method, named, 'of these, the context names the file'),
        row(method, anchored, 'of these, it names the file with an anchor'),
        row(method, shown, 'of these, it shows the lines'),
        row(method, shown + away, 'of these, it shows the lines directly or with one expand'),
      ]
    }),
  ]
}
