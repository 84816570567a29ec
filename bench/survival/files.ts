/** The transcripts that survival is measured on, and their cuts. */
import { basename, resolve } from 'node:path'
import { ThroughlineError } from '../../packages/throughline/src/errors.ts'
import type { BenchOptions } from '../report.ts'
import { type TranscriptFile, transcriptFiles } from '../transcript-files.ts'
import { type Cut, studied } from './cuts.ts'
import { type History, readHistories } from './history.ts'

/** Files directly in the folder form one source: one file has too few cuts for a mean. */
export function survivalFiles(
  { dataDir, progress }: Pick<BenchOptions, 'dataDir' | 'progress'>,
  measure: string,
): readonly TranscriptFile[] {
  if (dataDir === null)
    throw new ThroughlineError('CONFIG_INVALID', `bench ${measure} needs a folder: --data DIR`)
  const folder = basename(resolve(dataDir))
  return transcriptFiles(dataDir, progress).map((file) =>
    file.source === file.name ? { ...file, source: folder } : file,
  )
}

/** The cuts of some histories, without those that survival skips. */
export async function* cutsIn(
  files: readonly TranscriptFile[],
  cutsOf: (history: History) => readonly Cut[],
): AsyncGenerator<Cut> {
  for (const file of files)
    for (const history of await readHistories(file.items()))
      for (const cut of cutsOf(history)) if (studied(cut) !== null) yield cut
}
