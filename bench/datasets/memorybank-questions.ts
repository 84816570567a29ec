/**
 * Probing questions of MemoryBank: JSONL, `{ name: [question, …] }`. They belong to the conversation
 * of that name, which is in another file, and have no evidence.
 */
import { isJsonList } from '../../packages/throughline/src/transcripts/json/json-access.ts'
import type { ReaderInput } from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { readRecords } from '../../packages/throughline/src/transcripts/records.ts'
import type { DatasetItem } from './dataset-item.ts'

export async function* readMemoryBankQuestions(input: ReaderInput): AsyncGenerator<DatasetItem> {
  for await (const record of readRecords(input)) {
    if (record.kind === 'problem') {
      yield record
      continue
    }
    for (const [conversationId, list] of Object.entries(record.value.value ?? {}))
      for (const question of isJsonList(list) ? list : [])
        if (typeof question === 'string')
          yield { kind: 'question', conversationId, question, answer: null, evidence: [] }
  }
}
