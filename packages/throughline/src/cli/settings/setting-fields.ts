/**
 * The settings of the command line, in one table: what each is, and where it can be set. What each may be is
 * in the schema of settings files; it is not loaded for the help.
 */
import type { ModelPrices } from '../../models/index.ts'

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

export interface SettingField {
  /** As an option: `--base-url`. */
  readonly flag: string
  readonly env: string | null
  /** What a value is called in the help. */
  readonly value: string
  readonly says: string
  /**
   * Whether a project may set it, once the user has trusted its file. It may not set where keys are sent:
   * whoever trusts somebody else's project would send theirs there.
   */
  readonly project: boolean
  /** From a text, as it is in the environment, in a flag or after `config set`. */
  read(text: string): unknown
}

/** What is no JSON is left as the text it is, and refused as that. */
function readJson(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

const readOrNone = (text: string) => (text === 'none' ? null : text)

/** What differs between settings; the rest follows from their names. */
type Row = Pick<SettingField, 'value' | 'says'> & Partial<Pick<SettingField, 'project' | 'read'>>

const rows: Readonly<Record<SettingName, Row>> = {
  store: { value: 'FILE', says: 'the database; made where there is none' },
  tenant: { value: 'NAME', says: 'whose conversations' },
  model: { value: 'NAME', says: 'the model that the context is for, as openai/gpt-5-mini' },
  summarizer: {
    value: 'NAME',
    says: 'the model that writes summaries; "none" for rules alone',
    read: readOrNone,
  },
  policy: {
    value: 'NAME',
    says: 'how a context is filled: a name, or a policy as JSON',
    read: readJson,
  },
  compaction: {
    value: 'MODE',
    says: 'whether triggers compact: on, off, or shadow to decide and only report',
  },
  tokenizer: { value: 'NAME', says: 'how tokens are counted: auto, exact or estimate' },
  baseUrl: {
    value: 'URL',
    says: 'where the provider of the model is to be found; "none" for its own address',
    read: readOrNone,
    project: false,
  },
  models: {
    value: 'JSON',
    says: 'what is known of models: { "name": { "contextWindowTokens": 32768, "policy": { … } } }',
    read: readJson,
  },
  providers: {
    value: 'JSON',
    says: 'where models are: { "name": { "api": "openai", "baseUrl": "…", "keyEnv": "…" } }',
    read: readJson,
    project: false,
  },
}

export const settingNames = Object.keys(rows) as readonly SettingName[]

export const settingFields = Object.fromEntries(
  settingNames.map((name) => [name, fieldOf(name, rows[name])]),
) as Readonly<Record<SettingName, SettingField>>

/** The settings that change what an engine does. */
export const engineSettings: readonly SettingName[] = [
  ...(['store', 'tenant', 'model', 'policy', 'summarizer', 'compaction', 'tokenizer'] as const),
]

function fieldOf(name: SettingName, row: Row): SettingField {
  const flag = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
  const env = row.value === 'JSON' ? null : `THROUGHLINE_${flag.replace('-', '_').toUpperCase()}`
  return { project: true, read: (text) => text, ...row, flag, env }
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(rows, name)
}

export function policyName(policy: CliSettings['policy']): string {
  return typeof policy === 'string' ? policy : String(policy['name'] ?? 'your own')
}
