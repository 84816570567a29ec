/** The settings in the order of `config`: what each is called in the help, and how it is written as text. */

export const settingRows = {
  store: { value: 'FILE', says: 'the database; made where there is none' },
  tenant: { value: 'NAME', says: 'whose conversations' },
  model: { value: 'NAME', says: 'the model that the context is for, as openai/gpt-5-mini' },
  summarizer: {
    value: 'NAME',
    says: 'the model that writes summaries; "none" for rules alone',
    form: 'text-or-none',
  },
  policy: {
    value: 'NAME',
    says: 'how a context is filled: a name, or a policy as JSON',
    form: 'json',
  },
  compaction: {
    value: 'MODE',
    says: 'whether triggers compact: on, off, or shadow to decide and only report',
  },
  tokenizer: { value: 'NAME', says: 'how tokens are counted: auto, exact or estimate' },
  baseUrl: {
    value: 'URL',
    says: 'where the provider of the model is to be found; "none" for its own address',
    form: 'text-or-none',
    project: false,
  },
  models: {
    value: 'JSON',
    says: 'what is known of models: { "name": { "contextWindowTokens": 32768, "policy": { … } } }',
    form: 'json',
  },
  providers: {
    value: 'JSON',
    says: 'where models are: { "name": { "api": "openai", "baseUrl": "…", "keyEnv": "…" } }',
    form: 'json',
    project: false,
  },
} as const
