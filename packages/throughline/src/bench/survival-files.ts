/** The transcripts that a measure of survival is taken on. */
import { basename, resolve } from 'node:path'
import { ThroughlineError } from '../errors.ts'
import { type TranscriptFile, transcriptFiles } from './transcript-files.ts'

/** Files right in the folder are one source: a file alone has too few cuts for a mean. */
export function survivalFiles(dataDir: string | null, measure: string): readonly TranscriptFile[] {
  if (dataDir === null)
    throw new ThroughlineError('CONFIG_INVALID', `bench ${measure} needs a folder: --data DIR`)
  const folder = basename(resolve(dataDir))
  return transcriptFiles(dataDir).map((file) =>
    file.source === file.name ? { ...file, source: folder } : file,
  )
}
