/**
 * The settings of the command line, in one table: what each is, and where it can be set. What each may be is
 * in the schema of settings files; it is not loaded for the help.
 */
import type { ModelPrices } from '../../models/index.ts'
import { settingRows } from './settings-data.ts'

export interface CliSettings {
  /** A file; always a whole path. */
  readonly store: string
  readonly tenant: string
  readonly model: string
  /** The model that writes summaries; null where rules do. */
  readonly summarizer: string | null
  /** The name of a policy, or one as an object. */
  readonly policy: string | Readonly<Record<string, unknown>>
  readonly compaction: 'on' | 'off' | 'shadow'
  readonly tokenizer: 'auto' | 'exact' | 'estimate'
  /** Where the provider of the model is to be found; null for its own address. */
  readonly baseUrl: string | null
  readonly models: Readonly<Record<string, ModelSettings>>
  readonly providers: Readonly<Record<string, ProviderSettings>>
}

/** Fields of a model card, what of the policy is otherwise for this model, and what it costs. */
interface ModelSettings {
  readonly prices?: ModelPrices
  readonly policy?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

export interface ProviderSettings {
  readonly api: 'openai' | 'anthropic'
  readonly baseUrl: string
  /** The name of the environment variable that holds the key; null where none is needed. */
  readonly keyEnv: string | null
}

export type SettingName = keyof CliSettings

interface SettingRow {
  /** What a value is called in the help. */
  readonly value: string
  readonly says: string
  /** How it is written in the environment, in a flag or after `config set`; as text unless set. */
  readonly form?: 'text' | 'text-or-none' | 'json'
  /**
   * Whether a project may set it, once the user has trusted its file. It may not set where keys are sent:
   * whoever trusts somebody else's project would send theirs there.
   */
  readonly project?: boolean
}

export interface SettingField extends Required<Omit<SettingRow, 'form'>> {
  /** As an option: `--base-url`. */
  readonly flag: string
  readonly env: string | null
  read(text: string): unknown
}

/** From a text to a value. What is no JSON is left as the text it is, and refused as that. */
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

/** The flag and the variable follow from the name. */
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
