/** The schema of a file of settings: the user's `config.json`, and `throughline.json` of a project. */
import * as v from 'valibot'
import { isHttpAddress } from '../domain/text.ts'
import { overrideSettings, policySchema } from './policy-schema.ts'
import { byName, needed, object, oneOf, pricesSettings, setting, text, whole } from './schema.ts'

/**
 * The name of a policy, or one as an object: parsed by what it is, so that an error names what is
 * wrong.
 */
export const policyChoice = v.lazy((input) =>
  typeof input === 'object' ? policySchema : text('the name of a policy, or a policy'),
)

const addressMessage = 'must be an http address, without a password in it'
const address = v.pipe(v.string(addressMessage), v.check(isHttpAddress, addressMessage))

const variableMessage = 'must be the name of an environment variable, never a key'
const variable = v.pipe(v.string(variableMessage), v.regex(/^[A-Za-z_]\w*$/, variableMessage))

const provider = object({
  api: needed(oneOf(['openai', 'anthropic']), 'Which API the provider speaks.'),
  baseUrl: needed(address, 'The address of the provider.'),
  keyEnv: setting(v.nullable(variable), 'The environment variable that holds the key.'),
})

/** Further fields are those of a model card, which the engine checks. */
const model = v.looseObject(
  {
    contextWindowTokens: setting(whole(1), 'The window of the model, in tokens.'),
    policy: setting(object(overrideSettings), 'What of the policy differs for this model.'),
    prices: setting(object(pricesSettings), 'What the model costs.'),
  },
  'must be an object',
)

export const settingsSchema = object({
  $schema: setting(text(), 'Where editors find the schema of this file.'),
  store: setting(text(), 'The database; created where there is none.'),
  tenant: setting(text(), 'Whose conversations.'),
  model: setting(text(), 'The model that the context is for, as `openai/gpt-5-mini`.'),
  summarizer: setting(v.nullable(text()), 'The model that writes summaries; null for rules alone.'),
  policy: setting(policyChoice, 'How a context is filled: the name of a policy, or a policy.'),
  compaction: setting(oneOf(['on', 'off', 'shadow']), 'Whether triggers compact.'),
  tokenizer: setting(oneOf(['auto', 'exact', 'estimate']), 'How tokens are counted.'),
  baseUrl: setting(v.nullable(address), 'The address of the provider; null for its own.'),
  models: setting(byName(model), 'What is known of models, by name.'),
  providers: setting(byName(provider), 'Where models are, by provider.'),
})
