/** The known providers: URL and the environment variable of the API key. */

/** How a provider is called: its API, its URL, and where its key is. */
export interface ProviderSettings {
  readonly api: 'openai' | 'anthropic'
  readonly baseUrl: string
  /** The environment variable with the API key; null if none is needed. */
  readonly keyEnv: string | null
}

/**
 * The providers that a model name may begin with, such as `openai` in `openai/gpt-5-mini`.
 *
 * @example
 * const { api, baseUrl } = knownProviders['ollama'] ?? { api: 'openai', baseUrl: 'http://127.0.0.1:8000/v1' }
 * const summarizer = httpModel({ api, baseUrl, key: null, model: 'qwen3:8b', id: 'ollama/qwen3:8b' })
 */
export const knownProviders: Readonly<Record<string, ProviderSettings>> = {
  openai: { api: 'openai', baseUrl: 'https://api.openai.com/v1', keyEnv: 'OPENAI_API_KEY' },
  anthropic: {
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyEnv: 'ANTHROPIC_API_KEY',
  },
  google: {
    api: 'openai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyEnv: 'GEMINI_API_KEY',
  },
  openrouter: {
    api: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyEnv: 'OPENROUTER_API_KEY',
  },
  mistral: { api: 'openai', baseUrl: 'https://api.mistral.ai/v1', keyEnv: 'MISTRAL_API_KEY' },
  groq: { api: 'openai', baseUrl: 'https://api.groq.com/openai/v1', keyEnv: 'GROQ_API_KEY' },
  deepseek: { api: 'openai', baseUrl: 'https://api.deepseek.com/v1', keyEnv: 'DEEPSEEK_API_KEY' },
  xai: { api: 'openai', baseUrl: 'https://api.x.ai/v1', keyEnv: 'XAI_API_KEY' },
  // These run on this machine, at their default ports.
  ollama: { api: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', keyEnv: null },
  lmstudio: { api: 'openai', baseUrl: 'http://127.0.0.1:1234/v1', keyEnv: null },
  vllm: { api: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', keyEnv: null },
}
