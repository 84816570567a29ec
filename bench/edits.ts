/**
 * Whether an agent can continue editing after a cut: of the edits whose old text was last shown before
 * the cut, how many find that text in the context, and how many can reach it with one visible
 * anchor.
 */

import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { anchoredPieces, oneExpandAway } from './survival/anchors.ts'
import { tailOf } from './survival/baselines.ts'
import { callsIn } from './survival/calls.ts'
import { type Cut, madeCuts } from './survival/cuts.ts'
import { cutsIn, survivalFiles } from './survival/files.ts'
import { withoutLineNumbers } from './survival/lines.ts'
import { replacedBy } from './survival/throughline.ts'
import type { TranscriptFile } from './transcript-files.ts'

const sizes = [6_000, 15_000, 45_000]

export async function measureEdits(options: BenchOptions): Promise<readonly BenchRow[]> {
  return editRows(survivalFiles(options, 'edits'))
}

export async function editRows(files: readonly TranscriptFile[]): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const tallies = sizes.map((size) => ({ size, tail: 0, shown: 0, away: 0 }))
    let edits = 0
    let needy = 0
    for await (const cut of cutsIn(found, madeCuts)) {
      const { all, oldTexts } = editsAfter(cut)
      edits += all
      needy += oldTexts.length
      if (oldTexts.length > 0) for (const tally of tallies) await addCut(cut, oldTexts, tally)
    }
    if (edits > 0) rows.push(...tallies.flatMap((tally) => rowsOf(source, tally, edits, needy)))
  }
  return rows
}

/** All edits after a cut, and the old texts of those that need text from before it. */
export function editsAfter({ text, after }: Pick<Cut, 'text' | 'after'>): {
  readonly all: number
  readonly oldTexts: readonly string[]
} {
  const before = withoutLineNumbers(text)
  const oldTexts: string[] = []
  let shownSince = ''
  let all = 0
  for (const { input, text: shown } of after) {
    for (const { oldText } of callsIn(input)) {
      if (oldText === '') continue
      all += 1
      if (!shownSince.includes(oldText) && before.includes(oldText)) oldTexts.push(oldText)
    }
    shownSince += `\n${withoutLineNumbers(shown)}`
  }
  return { all, oldTexts }
}

interface EditTally {
  readonly size: number
  tail: number
  /** In the context itself. */
  shown: number
  /** Not in the context, but one `expand` away. */
  away: number
}

async function addCut(cut: Cut, oldTexts: readonly string[], tally: EditTally): Promise<void> {
  const { before, text, history } = cut
  const tail = tailOf(withoutLineNumbers(text), tally.size)
  tally.tail += oldTexts.filter((oldText) => tail.includes(oldText)).length
  const messages = before.map(({ input }) => input)
  const replaced = await replacedBy({ system: history.system, messages, times: 1 }, tally.size)
  if (replaced === null) return
  const context = withoutLineNumbers(replaced.text)
  const pieces = anchoredPieces(replaced.context.messages, (seq) => before[seq]?.text ?? '')
  const away = (await oneExpandAway(replaced, pieces)).map(withoutLineNumbers)
  for (const oldText of oldTexts) {
    if (context.includes(oldText)) tally.shown += 1
    else if (away.some((expanded) => expanded.includes(oldText))) tally.away += 1
  }
}

function rowsOf(
  source: string,
  { size, tail, shown, away }: EditTally,
  edits: number,
  needy: number,
): readonly BenchRow[] {
  const row = rowWriter({ source, size, n: needy })
  return [
    row('tail', needy, 'edits that need text from before the cut', edits),
    row('tail', tail, 'edits that find it in the context'),
    row('throughline', shown, 'edits that find it in the context'),
    row('throughline', away, 'edits that find it with one expand'),
    row('throughline', shown + away, 'edits with the text or an anchor'),
  ]
}
