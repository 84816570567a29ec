/**
 * One model goes by many names: with the provider before it, with a date behind it,
 * in the spelling of Bedrock, Vertex, OpenRouter, Azure or Ollama. Here a name is
 * taken apart: the route is cut off, the rest is brought to one spelling.
 */
export interface ModelName {
  /** Without the route: `claude-sonnet-4-5-20250929`. */
  readonly id: string
  /** For comparing: dots and underscores are hyphens, `llama3` is `llama-3`. */
  readonly key: string
  /** The key without date, revision and tag, where it has any. */
  readonly undatedKey: string
  /** What stood before the last slash or the vendor's dot, `anthropic`. */
  readonly vendor: string | null
  /** A window that the name itself states: `[1m]`, or Bedrock's `:28k`. */
  readonly statedWindowTokens: number | null
}

export function readModelName(name: string): ModelName {
  const whole = name.slice(0, maxNameCharacters).trim().toLowerCase()
  const statedWindowTokens = statedWindow(whole)
  const plain = whole.replace(statedWindowEnding, '').trim()
  const segments = plain.split('/')
  const last = withoutRouter(segments.at(-1) ?? '')
  const dotted = vendorDot.exec(last)
  const id = dotted ? last.slice(dotted[0].length) : last
  const before = withoutRouter(segments.at(-2) ?? '')
  const key = keyOf(id)
  return {
    id,
    key,
    undatedKey: withoutDate(key),
    vendor: dotted?.[1] ?? (before === '' || before === 'models' ? null : before),
    statedWindowTokens,
  }
}

/** The spelling under which names are compared, in the catalogue too. */
export function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[._\s]+/g, '-')
    .replace(/^meta-(?=llama)/, '')
    .replace(/^(llama|qwen|gemma|glm)-?(?=\d)/, '$1-')
}

// Names come from users and from files; nothing of use stands behind this.
const maxNameCharacters = 512

// `openrouter: anthropic/claude-…`, `bedrock:anthropic.claude-…`
function withoutRouter(segment: string): string {
  return segment.replace(/^[a-z][a-z0-9_-]*:\s*(?=[a-z].*[a-z-])/, (router) =>
    routers.has(router.slice(0, router.indexOf(':'))) ? '' : router,
  )
}

const routers = new Set(
  'openrouter bedrock vertex vertex_ai vertexai azure openai anthropic google gemini xai groq mistral cohere together fireworks deepseek litellm ollama'.split(
    ' ',
  ),
)

// `us.anthropic.claude-…`, `meta.llama3-…`; not the dot of `gpt-4.1`.
const vendorDot =
  /^(?:[a-z]{2,6}(?:-gov)?\.)?(anthropic|amazon|meta|mistral|cohere|deepseek|qwen|openai|google|moonshotai|moonshot|minimax|zai|ai21|writer)\./

const statedWindowEnding = /(?:\[(\d+)(k|m)\]|:(\d+)(k))$/

function statedWindow(name: string): number | null {
  const match = statedWindowEnding.exec(name)
  if (match === null) return null
  const amount = Number(match[1] ?? match[3])
  const tokens = amount * ((match[2] ?? match[4]) === 'm' ? 1_000_000 : 1_000)
  return tokens > 0 && tokens <= 100_000_000 ? tokens : null
}

// Several may stand behind each other: `-20250929-v1:0`, `@20251001`, `:free`.
const datedEndings = [
  /-v\d+(?::\d+)?$/,
  /[:@][a-z0-9][a-z0-9-]*$/,
  /[-@](?:19|20)\d{2}-?\d{2}-?\d{2}$/,
  /-latest$/,
]

function withoutDate(key: string): string {
  let rest = key
  for (let round = 0; round < 3; round += 1)
    for (const ending of datedEndings) rest = rest.replace(ending, '')
  return rest
}
