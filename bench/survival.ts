/**
 * What survives a compaction: of the identifiers that the assistant needs next and that occurred only
 * before the cut, the share that is in the replacement of those messages, at a given size.
 *
 * A bare list of names would win on survival alone. So we also measure precision, and for our context
 * the share that is message text or narrative.
 */

import type { BenchOptions, BenchRow } from './report.ts'
import { baselines } from './survival/baselines.ts'
import {
  type CutKind,
  madeCuts,
  middleCharacters,
  realCuts,
  type StudiedCut,
  studied,
} from './survival/cuts.ts'
import { survivalFiles } from './survival/files.ts'
import { readHistories } from './survival/history.ts'
import { sharesOf } from './survival/shares.ts'
import { precisionOf, survivalOf } from './survival/study.ts'
import { SurvivalTally } from './survival/tally.ts'
import { replacedBy } from './survival/throughline.ts'
import type { TranscriptFile } from './transcript-files.ts'

export async function measureSurvival(options: BenchOptions): Promise<readonly BenchRow[]> {
  return survivalRows(survivalFiles(options, 'survival'))
}

export async function survivalRows(files: readonly TranscriptFile[]): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const tally = new SurvivalTally(source)
    for (const file of found)
      for (const history of await readHistories(file.items())) {
        const real = history.isOfRecords ? realCuts(history) : []
        for (const cut of [...real, ...madeCuts(history)]) await addCut(studied(cut), tally)
      }
    rows.push(...tally.rows())
  }
  return rows
}

const sizesOfKind: Readonly<Record<CutKind, readonly number[]>> = {
  // As large as the summary in the transcript.
  real: [],
  counterfactual: [6_000, 15_000, 45_000],
  middle: [middleCharacters],
}

const timesInARow = 5

async function addCut(cut: StudiedCut | null, tally: SurvivalTally): Promise<void> {
  if (cut === null) return
  const { kind, summary } = cut
  for (const size of summary === null ? sizesOfKind[kind] : [summary.length]) {
    if (summary !== null) tally.add({ kind, method: 'claude', size }, textFigures(cut, summary))
    for (const [method, make] of Object.entries(baselines))
      tally.add({ kind, method, size }, textFigures(cut, make(cut.text, cut.study, size)))
    for (const times of [1, timesInARow]) {
      const method = times === 1 ? 'throughline' : `throughline, ${times} times`
      tally.add({ kind, method, size }, await throughlineFigures(cut, size, times))
    }
  }
}

function textFigures({ study, history }: StudiedCut, text: string): ReadonlyMap<string, number> {
  return new Map([
    ['survival', survivalOf(study, text)],
    ['precision', precisionOf(study, text, history.workingFolder)],
    ['characters', text.length],
  ])
}

async function throughlineFigures(
  cut: StudiedCut,
  size: number,
  times: number,
): Promise<ReadonlyMap<string, number>> {
  const messages = cut.before.map(({ input }) => input)
  const replaced = await replacedBy({ system: cut.history.system, messages, times }, size)
  if (replaced === null) return textFigures(cut, '')
  const { verbatimOrNarrative, derived } = sharesOf(replaced.context)
  return new Map([
    ...textFigures(cut, replaced.text),
    ['share verbatim or narrative', verbatimOrNarrative],
    ...[...derived].map(([slot, share]) => [`share derived as ${slot}`, share] as const),
  ])
}
