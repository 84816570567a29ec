/**
 * The settings of the command line. Their schema is in another module, which the help does not load.
 */
import type { ModelPrices, ProviderSettings } from '../../models/index.ts'
import { settingRows } from './settings-data.ts'

export interface CliSettings {
  /** An absolute path. */
  readonly store: string
  readonly tenant: string
  readonly model: string
  /** Null if rules write the summaries (no LLM). */
  readonly summarizer: string | null
  /** A name, or a policy as an object. */
  readonly policy: string | Readonly<Record<string, unknown>>
  readonly compaction: 'on' | 'off' | 'shadow'
  readonly tokenizer: 'auto' | 'exact' | 'estimate'
  /** Null for the provider's own address. */
  readonly baseUrl: string | null
  readonly models: Readonly<Record<string, ModelSettings>>
  readonly providers: Readonly<Record<string, ProviderSettings>>
}

/** Fields of a model card, overrides of the policy for this model, and its prices. */
interface ModelSettings {
  readonly prices?: ModelPrices
  readonly policy?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

export type SettingName = keyof CliSettings

interface SettingRow {
  /** The name of the value in the help. */
  readonly value: string
  readonly says: string
  /** How it is typed in the environment, a flag or `config set`; text unless set. */
  readonly form?: 'text' | 'text-or-none' | 'json'
  /** Whether a project file may set it: not where API keys are sent, or its author could get them. */
  readonly project?: boolean
}

export interface SettingField extends Required<Omit<SettingRow, 'form'>> {
  readonly flag: string
  readonly env: string | null
  read(text: string): unknown
}

/** Text that is not JSON stays text, and the schema rejects it. */
const readers = {
  text: (text: string): unknown => text,
  'text-or-none': (text: string): unknown => (text === 'none' ? null : text),
  json: (text: string): unknown => {
    try {
      return text.startsWith('{') ? JSON.parse(text) : text
    } catch {
      return text
    }
  },
}

const rows: Readonly<Record<SettingName, SettingRow>> = settingRows
export const settingNames = Object.keys(rows) as readonly SettingName[]

export const settingFields = Object.fromEntries(
  settingNames.map((name) => [name, fieldOf(name)]),
) as Readonly<Record<SettingName, SettingField>>

function fieldOf(name: SettingName): SettingField {
  const { form = 'text', project = true, ...row } = rows[name]
  const flag = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
  const env = row.value === 'JSON' ? null : `THROUGHLINE_${flag.replace('-', '_').toUpperCase()}`
  return { ...row, project, read: readers[form], flag, env }
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(rows, name)
}

export function policyName(policy: CliSettings['policy']): string {
  return typeof policy === 'string' ? policy : String(policy['name'] ?? 'your own')
}
