/** The schema of settings files: the user's `config.json` and a project's `throughline.json`. */
import * as v from 'valibot'
import { isHttpAddress } from '../domain/text.ts'
import { overrideSettings, policySchema } from './policy-schema.ts'
import {
  adviceForUnknown,
  byName,
  object,
  oneOf,
  pricesSettings,
  problemIn,
  required,
  setting,
  text,
  whole,
} from './schema.ts'

/** A policy by name or as an object. Checks the type first, so that errors name the wrong field. */
export const policyChoice = v.lazy((input) =>
  typeof input === 'object' ? policySchema : text('the name of a policy, or a policy'),
)

const addressMessage = 'must be an http address, without a password in it'
const address = v.pipe(v.string(addressMessage), v.check(isHttpAddress, addressMessage))

const variableMessage = 'must be the name of an environment variable, never a key'
const variable = v.pipe(v.string(variableMessage), v.regex(/^[A-Za-z_]\w*$/, variableMessage))

const provider = object({
  api: required(oneOf(['openai', 'anthropic']), 'The API of the provider.'),
  baseUrl: required(address, 'The address of the provider.'),
  keyEnv: setting(v.nullable(variable), 'The environment variable with the API key.'),
})

/** Other fields belong to the model card, which the engine checks. */
const model = v.looseObject(
  {
    contextWindowTokens: setting(whole(1), 'The window of the model, in tokens.'),
    policy: setting(object(overrideSettings), 'Policy settings for this model only.'),
    prices: setting(object(pricesSettings), 'The prices of the model.'),
  },
  'must be an object',
)

export const settingsSchema = object({
  $schema: setting(text(), 'The URL of the JSON Schema, for editors.'),
  store: setting(text(), 'The database file; created if missing.'),
  tenant: setting(text(), 'The owner of the conversations.'),
  model: setting(text(), 'The model that contexts are built for, such as `openai/gpt-5-mini`.'),
  summarizer: setting(
    v.nullable(text()),
    'The model that writes summaries; null for rules only (no LLM).',
  ),
  policy: setting(policyChoice, 'How a context is filled: the name of a policy, or a policy.'),
  compaction: setting(
    oneOf(['on', 'off', 'shadow']),
    'Whether triggers compact; `shadow` only reports.',
  ),
  tokenizer: setting(oneOf(['auto', 'exact', 'estimate']), 'How tokens are counted.'),
  baseUrl: setting(v.nullable(address), 'The address of the provider; null for its default.'),
  models: setting(byName(model), 'Settings of models, by name.'),
  providers: setting(byName(provider), 'Settings of providers, by name.'),
})

/**
 * Checks a setting of a settings file. Returns the problem, with the path first; null if it is valid.
 *
 * @example
 * const wrong = settingProblem('compaction', 'maybe') // 'compaction must be on, off or shadow, got "maybe"'
 */
export function settingProblem(name: string, value: unknown): string | null {
  const { entries } = settingsSchema
  if (Object.hasOwn(entries, name))
    return problemIn(entries[name as keyof typeof entries], value, name)
  const names = Object.keys(entries).filter((each) => each !== '$schema')
  return `unknown setting "${name}"; ${adviceForUnknown(name, names)}`
}
