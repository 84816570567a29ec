/** The transcripts of a folder, found by looking into every JSON and JSONL file below it. */
import { createReadStream, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTranscript } from '../transcripts/read-transcript.ts'
import type { TranscriptItem } from '../transcripts/transcript.ts'

export interface TranscriptFile {
  /** The folder below the one that was asked for: transcripts of one kind stand together. */
  readonly source: string
  readonly name: string
  items(): AsyncIterable<TranscriptItem>
}

export function transcriptFiles(dataDir: string): readonly TranscriptFile[] {
  return globSync('**/*.{json,jsonl}', { cwd: dataDir })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({
      source: dirname(name) === '.' ? name : dirname(name),
      name,
      items: () => readTranscript(createReadStream(join(dataDir, name)), { name }),
    }))
}
