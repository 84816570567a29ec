/**
 * Reads benchmark files in addition to the transcripts that the package reads. Tries dataset formats
 * first, because some of them contain lists of chat messages, and the least specific ones last.
 */
import type { TranscriptSource } from 'throughline/transcripts'
import {
  anywhere,
  type FormatSet,
  has,
  type Outline,
  type TranscriptFormat,
} from '../../packages/throughline/src/transcripts/format-signs.ts'
import {
  readItems,
  shippedFormats,
} from '../../packages/throughline/src/transcripts/read-transcript.ts'
import type { DatasetItem } from './dataset-item.ts'
import { readLocomo } from './locomo.ts'
import { readLongMemEval } from './longmemeval.ts'
import { readMemoryBank } from './memorybank.ts'
import { readMemoryBankQuestions } from './memorybank-questions.ts'
import { readQmsum } from './qmsum.ts'
import { readTauBench } from './tau-bench.ts'
import { readTau2Bench } from './tau2-bench.ts'

export type DatasetFormat =
  | 'locomo'
  | 'longmemeval'
  | 'memorybank'
  | 'memorybank-questions'
  | 'qmsum'
  | 'tau-bench'
  | 'tau2-bench'

export const datasetFormats: FormatSet<DatasetFormat | TranscriptFormat, DatasetItem> = {
  signs: [
    ['qmsum', has('meeting_transcripts', 'specific_query_list', 'general_query_list')],
    ['tau2-bench', isTau2Bench],
    ['longmemeval', anywhere('haystack_sessions', 'haystack_session_ids', 'haystack_dates')],
    ['locomo', anywhere('conversation.speaker_a', 'conversation.session_1', 'qa[].evidence')],
    ['tau-bench', isTauBench],
    ...shippedFormats.signs,
    ['memorybank', isMemoryBank],
    ['memorybank-questions', isMemoryBankQuestions],
  ],
  readers: {
    ...shippedFormats.readers,
    locomo: readLocomo,
    longmemeval: readLongMemEval,
    memorybank: readMemoryBank,
    'memorybank-questions': readMemoryBankQuestions,
    qmsum: readQmsum,
    'tau-bench': readTauBench,
    'tau2-bench': readTau2Bench,
  },
}

export interface DatasetOptions {
  readonly name?: string | undefined
  readonly format?: DatasetFormat | TranscriptFormat | undefined
  readonly onBroken?: 'skip' | 'abort' | undefined
}

export function readDataset(
  source: TranscriptSource,
  options: DatasetOptions = {},
): AsyncGenerator<DatasetItem> {
  return readItems(datasetFormats, source, options)
}

/** Result files of tau2 may have tasks of any length before the simulations. */
function isTau2Bench({ paths }: Outline): boolean {
  if (paths.has('simulations')) return true
  if (paths.has('info.environment_info') || paths.has('info.agent_info')) return true
  if (paths.has('tasks[].user_scenario') || paths.has('tasks[].evaluation_criteria')) return true
  return paths.has('policy') && (paths.has('domain') || paths.has('agent'))
}

function isTauBench({ paths }: Outline): boolean {
  if (paths.has('[].traj') || paths.has('traj[].role')) return true
  return paths.has('[].task_id') && (paths.has('[].reward') || paths.has('[].info'))
}

function isMemoryBank({ entries }: Outline): boolean {
  const person = entries.find(({ path }) => path.length === 2 && path[1] === 'history')
  return typeof person?.path[0] === 'string' && person.opening === '{'
}

/** An object with only lists of texts. */
function isMemoryBankQuestions({ entries }: Outline): boolean {
  const lists = entries.filter(({ path }) => path.length === 1)
  const texts = entries.filter(({ path }) => path.length === 2)
  if (entries[0]?.opening !== '{' || texts.length === 0) return false
  return (
    lists.every(({ opening }) => opening === '[') &&
    texts.every(({ opening }) => opening === '"') &&
    entries.every(({ path }) => path.length < 3)
  )
}
