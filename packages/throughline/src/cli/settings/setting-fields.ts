/**
 * The settings of the command line, in one table: what each is, where it can be set, and what it may
 * be. What stands here is checked here and nowhere else; policies, cards and modes are checked by the
 * engine that takes them.
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
  /** From a text, as it stands in the environment, in a flag or behind `config set`. */
  read(text: string): unknown
  /** What is wrong with a value; null where nothing is. */
  wrong(value: unknown): string | null
  /**
   * Whether a project may set it, once the user has trusted its file. It may not set where keys are sent:
   * whoever trusts somebody else's project would send theirs there.
   */
  readonly project: boolean
}

const asText = (text: string): unknown => text
const asJsonOrText = (text: string): unknown => (text.startsWith('{') ? asJson(text) : text)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown) => (isText(value) ? null : 'must be a text')
const textOrNull = (value: unknown) =>
  value === null || isText(value) ? null : 'must be a text, or null'
const oneOf = (names: readonly string[]) => (value: unknown) =>
  names.some((name) => name === value)
    ? null
    : `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** What is no JSON is left as the text it is, and refused as that. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const settingFields: Readonly<Record<SettingName, SettingField>> = {
  store: {
    flag: 'store',
    env: 'THROUGHLINE_STORE',
    value: 'FILE',
    says: 'the database; made where there is none',
    read: asText,
    wrong: text,
    project: true,
  },
  tenant: {
    flag: 'tenant',
    env: 'THROUGHLINE_TENANT',
    value: 'NAME',
    says: 'whose conversations',
    read: asText,
    wrong: text,
    project: true,
  },
  model: {
    flag: 'model',
    env: 'THROUGHLINE_MODEL',
    value: 'NAME',
    says: 'the model that the context is for, as openai/gpt-5-mini',
    read: asText,
    wrong: text,
    project: true,
  },
  summarizer: {
    flag: 'summarizer',
    env: 'THROUGHLINE_SUMMARIZER',
    value: 'NAME',
    says: 'the model that writes summaries; "none" for rules alone',
    read: (value) => (value === 'none' ? null : value),
    wrong: textOrNull,
    project: true,
  },
  policy: {
    flag: 'policy',
    env: 'THROUGHLINE_POLICY',
    value: 'NAME',
    says: 'how a context is filled: a name, or a policy as JSON',
    read: asJsonOrText,
    wrong: (value) => (isText(value) || isFields(value) ? null : 'must be a name or an object'),
    project: true,
  },
  compaction: {
    flag: 'compaction',
    env: 'THROUGHLINE_COMPACTION',
    value: 'MODE',
    says: 'whether triggers compact: on, off, or shadow to decide and only tell',
    read: asText,
    wrong: oneOf(['on', 'off', 'shadow']),
    project: true,
  },
  tokenizer: {
    flag: 'tokenizer',
    env: 'THROUGHLINE_TOKENIZER',
    value: 'NAME',
    says: 'how tokens are counted: auto, exact or estimate',
    read: asText,
    wrong: oneOf(['auto', 'exact', 'estimate']),
    project: true,
  },
  baseUrl: {
    flag: 'base-url',
    env: 'THROUGHLINE_BASE_URL',
    value: 'URL',
    says: 'where the provider of the model is to be found; "none" for its own address',
    read: (value) => (value === 'none' ? null : value),
    wrong: (value) =>
      value === null || isAddress(value)
        ? null
        : 'must be an http address, without a password in it',
    project: false,
  },
  models: {
    flag: 'models',
    env: null,
    value: 'JSON',
    says: 'what is known of models: { "name": { "contextWindowTokens": 32768, "policy": { … } } }',
    read: asJson,
    wrong: modelsProblem,
    project: true,
  },
  providers: {
    flag: 'providers',
    env: null,
    value: 'JSON',
    says: 'where models are: { "name": { "api": "openai", "baseUrl": "…", "keyEnv": "…" } }',
    read: asJson,
    wrong: providersProblem,
    project: false,
  },
}

export const settingNames = Object.keys(settingFields) as readonly SettingName[]

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingFields, name)
}

function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  // No request can be sent to a name and password in an address; they would only be shown.
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

function modelsProblem(value: unknown): string | null {
  if (!isFields(value)) return 'must be an object of models by name'
  for (const [name, settings] of Object.entries(value)) {
    if (!isFields(settings)) return `"${name}" must be an object`
    const { policy, prices } = settings
    if (policy !== undefined && !isFields(policy)) return `"${name}": policy must be an object`
    if (prices !== undefined && !arePrices(prices))
      return `"${name}": prices are { "inputUsd": …, "outputUsd": …, "cachedInputUsd": …, "cacheWriteUsd": … } for a million tokens`
  }
  return null
}

function arePrices(value: unknown): boolean {
  if (!isFields(value)) return false
  const isPrice = (price: unknown) =>
    typeof price === 'number' && Number.isFinite(price) && price >= 0
  const names = ['inputUsd', 'outputUsd', 'cachedInputUsd', 'cacheWriteUsd']
  return (
    isPrice(value['inputUsd']) &&
    isPrice(value['outputUsd']) &&
    Object.entries(value).every(([name, price]) => names.includes(name) && isPrice(price))
  )
}

function providersProblem(value: unknown): string | null {
  if (!isFields(value)) return 'must be an object of providers by name'
  for (const [name, settings] of Object.entries(value)) {
    if (!isFields(settings)) return `"${name}" must be an object`
    const { api, baseUrl, keyEnv = null, ...unknown } = settings
    const [extra] = Object.keys(unknown)
    if (extra !== undefined)
      return `"${name}" has no field "${extra}"; there are api, baseUrl, keyEnv`
    if (api !== 'openai' && api !== 'anthropic') return `"${name}": api must be openai or anthropic`
    if (!isAddress(baseUrl)) return `"${name}": baseUrl must be an http address`
    if (keyEnv !== null && !isVariable(keyEnv))
      return `"${name}": keyEnv must be the name of an environment variable, never a key`
  }
  return null
}

function isVariable(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value)
}
