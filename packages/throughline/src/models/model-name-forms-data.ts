/** The forms of model names: routes before them, dates and revisions after them. */

const routerNames =
  'openrouter bedrock vertex vertex_ai vertexai azure openai anthropic google gemini xai groq mistral cohere together fireworks deepseek litellm ollama'
export const routers = new Set(routerNames.split(' '))

// `us.anthropic.claude-…`, `meta.llama3-…`; not the dot of `gpt-4.1`.
export const vendorDot =
  /^(?:[a-z]{2,6}(?:-gov)?\.)?(anthropic|amazon|meta|mistral|cohere|deepseek|qwen|openai|google|moonshotai|moonshot|minimax|zai|ai21|writer)\./

export const statedWindowEnding = /(?:\[(\d+)(k|m)\]|:(\d+)(k))$/

// Several may follow each other: `-20250929-v1:0`, `@20251001`, `:free`.
export const datedEndings = [
  /-v\d+(?::\d+)?$/,
  /[:@][a-z0-9][a-z0-9-]*$/,
  /[-@](?:19|20)\d{2}-?\d{2}-?\d{2}$/,
  /-latest$/,
]
