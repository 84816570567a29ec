/** The transcripts of a folder, found by reading every JSON and JSONL file below it. */
import { createReadStream, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isThroughlineError } from '../packages/throughline/src/errors.ts'
import type { DatasetItem } from './datasets/dataset-item.ts'
import { readDataset } from './datasets/read-dataset.ts'
import type { BenchOptions } from './report.ts'

export interface TranscriptFile {
  /** The subfolder of the requested folder: it groups transcripts of one kind. */
  readonly source: string
  readonly name: string
  items(): AsyncIterable<DatasetItem>
}

export function transcriptFiles(
  dataDir: string,
  progress: BenchOptions['progress'] = () => {},
): readonly TranscriptFile[] {
  const names = globSync('**/*.{json,jsonl}', { cwd: dataDir })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
  return names.map((name, done) => ({
    source: dirname(name) === '.' ? name : dirname(name),
    name,
    items: () => {
      progress({ done, total: names.length, file: name })
      return itemsOf(join(dataDir, name), name)
    },
  }))
}

/** Other files may be among transcripts: those yield a problem and nothing else. */
async function* itemsOf(path: string, name: string): AsyncGenerator<DatasetItem> {
  try {
    yield* readDataset(createReadStream(path), { name })
  } catch (error) {
    if (!isThroughlineError(error) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error
    yield { kind: 'problem', line: null, reason: error.message }
  }
}
