/** Counts what the readers find in a folder: conversations, messages, calls, questions, compactions. */
import { ThroughlineError } from 'throughline'
import type { DatasetItem } from './datasets/dataset-item.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { type TranscriptFile, transcriptFiles } from './transcript-files.ts'

const units = [
  'conversations',
  'messages',
  'tool calls',
  'questions',
  'compactions',
  'problems',
] as const

type Counts = Record<(typeof units)[number], number>

export async function measureTranscripts({
  dataDir,
  progress,
}: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir === null)
    throw new ThroughlineError('CONFIG_INVALID', 'bench transcripts needs a folder: --data DIR')
  const bySource = Map.groupBy(transcriptFiles(dataDir, progress), (file) => file.source)
  const rows: BenchRow[] = []
  for (const [source, files] of bySource) {
    const counts = await countFiles(files)
    for (const unit of units)
      rows.push({
        source,
        method: 'throughline',
        size: files.length,
        value: counts[unit],
        unit,
        n: files.length,
      })
  }
  return rows
}

async function countFiles(files: readonly TranscriptFile[]): Promise<Counts> {
  const counts: Counts = {
    conversations: 0,
    messages: 0,
    'tool calls': 0,
    questions: 0,
    compactions: 0,
    problems: 0,
  }
  for (const file of files) for await (const item of file.items()) countItem(item, counts)
  return counts
}

function countItem(item: DatasetItem, counts: Counts): void {
  switch (item.kind) {
    case 'conversation':
      counts.conversations += 1
      return
    case 'message': {
      counts.messages += 1
      const { content } = item.message
      if (typeof content !== 'string')
        counts['tool calls'] += content.filter((part) => part.type === 'tool-call').length
      return
    }
    case 'question':
      counts.questions += 1
      return
    case 'compaction':
      counts.compactions += 1
      return
    case 'problem':
      counts.problems += 1
      return
    case 'branch':
      return
  }
}
