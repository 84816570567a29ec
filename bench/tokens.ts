/**
 * How accurate and how fast token counts are: the estimate compared with exact counts, the guard with
 * the count that it guards, and, for a folder of transcripts, our count with what providers reported.
 */
import { join } from 'node:path'
import { estimator } from '../packages/throughline/src/tokenizers/estimate.ts'
import { type CorpusSample, generatedCorpus, installedTexts } from './corpus.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { estimateRows } from './tokens/estimate.ts'
import { guardRows } from './tokens/guard.ts'
import { reportedRows } from './tokens/reported.ts'
import { type TranscriptFile, transcriptFiles } from './transcript-files.ts'

export async function measureTokens({
  dataDir,
  progress,
}: BenchOptions): Promise<readonly BenchRow[]> {
  const files = dataDir === null ? [] : transcriptFiles(dataDir, progress)
  const sources = files.map((file) => ({ source: file.source, items: file.items() }))
  return [
    ...(await estimateRows(samplesOf(files))),
    ...(await guardRows()),
    ...(await reportedRows(sources, estimator)),
  ]
}

async function* samplesOf(files: readonly TranscriptFile[]): AsyncGenerator<CorpusSample> {
  yield* generatedCorpus()
  yield* installedTexts(join(process.cwd(), 'node_modules'))
  for (const file of files)
    for await (const item of file.items())
      if (item.kind === 'message')
        for (const text of textsOf(item.message.content)) yield { source: file.source, text }
}

/** The texts of a message, one by one, as a meter counts them. */
function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: Readonly<Record<string, unknown>>) => {
    const output = part['output']
    const inside =
      typeof output === 'object' && output !== null ? Object.values(output).at(-1) : output
    return [part['text'], part['input'], part['json'], inside].filter(
      (text) => typeof text === 'string' && text !== '',
    )
  })
}
