import type { SettingName } from './setting-fields.ts'

/** The settings that change what an engine does. */
export const engineSettings: readonly SettingName[] = [
  'store',
  'tenant',
  'model',
  'policy',
  'summarizer',
  'compaction',
  'tokenizer',
]
