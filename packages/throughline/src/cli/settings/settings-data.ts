/** The settings in the order of `config`, with their help texts. */

export const settingRows = {
  store: { value: 'FILE', says: 'the database file; created if missing' },
  tenant: { value: 'NAME', says: 'the tenant whose conversations are used' },
  model: { value: 'NAME', says: 'the model, as openai/gpt-5-mini' },
  summarizer: {
    value: 'NAME',
    says: 'the model that writes summaries; "none" for rules (no LLM)',
    form: 'text-or-none',
  },
  policy: {
    value: 'NAME',
    says: 'the policy: a name, or an object as JSON',
    form: 'json',
  },
  compaction: {
    value: 'MODE',
    says: 'auto-compaction: on, off, or shadow to only report decisions',
  },
  tokenizer: { value: 'NAME', says: 'how tokens are counted: auto, exact or estimate' },
  baseUrl: {
    value: 'URL',
    says: 'the URL of the model API; "none" for the default of the provider',
    form: 'text-or-none',
    project: false,
  },
  models: {
    value: 'JSON',
    says: 'model cards: { "name": { "contextWindowTokens": 32768, "policy": { … } } }',
    form: 'json',
  },
  providers: {
    value: 'JSON',
    says: 'more providers: { "name": { "api": "openai", "baseUrl": "…", "keyEnv": "…" } }',
    form: 'json',
    project: false,
  },
} as const
