/**
 * The fields of a body beside messages and tools: which there are, and what they may hold.
 * Services refuse fields that they do not know, and so a misspelt one is not lost in silence.
 */
import type { JsonValue, RequestProblem } from 'throughline'
import {
  type Fields,
  isFields,
  isFilled,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { ModelFault } from './faults.ts'
import type { ModelApiName, ModelQuestion, SentHeaders } from './responder.ts'

/** What a value must be; null where it is that. */
type Check = (value: unknown) => string | null

interface SettingRules {
  readonly checks: Readonly<Record<string, Check>>
  readonly required: readonly string[]
  /** What the service does with null: take it for "none", or refuse it. */
  readonly nullMeans: 'none' | 'wrong'
}

export function settingProblems(
  body: Fields,
  { checks, required, nullMeans }: SettingRules,
): readonly RequestProblem[] {
  const missing = required
    .filter((field) => body[field] === undefined || body[field] === null)
    .map((at) => ({ rule: 'field-missing', at, message: 'is required' }))
  const wrong = Object.entries(body).flatMap(([at, value]): readonly RequestProblem[] => {
    const check = Object.hasOwn(checks, at) ? checks[at] : undefined
    if (check === undefined)
      return [{ rule: 'field-unknown', at, message: 'is no field of this request' }]
    if (value === null && (nullMeans === 'none' || required.includes(at))) return []
    const must = check(value)
    return must === null ? [] : [{ rule: 'field-value', at, message: `must be ${must}` }]
  })
  return [...missing, ...wrong]
}

const anything: Check = () => null
const name: Check = (value) => (isFilled(value) ? null : 'text that is not empty')
const yesOrNo: Check = (value) => (typeof value === 'boolean' ? null : 'true or false')
const fields: Check = (value) => (isFields(value) ? null : 'an object')
const atLeastOne: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 1 ? null : 'a whole number from 1'

function between(least: number, most: number): Check {
  return (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? null
      : `a number from ${least} to ${most}`
}

function unchecked(names: string): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.split(' ').map((field) => [field, anything]))
}

export const chatSettings: SettingRules = {
  required: ['model', 'messages'],
  nullMeans: 'none',
  checks: {
    ...unchecked(
      'messages tools tool_choice audio function_call functions logit_bias metadata modalities prediction prompt_cache_key prompt_cache_retention reasoning_effort safety_identifier seed service_tier stop user verbosity web_search_options',
    ),
    model: name,
    temperature: between(0, 2),
    top_p: between(0, 1),
    frequency_penalty: between(-2, 2),
    presence_penalty: between(-2, 2),
    top_logprobs: between(0, 20),
    n: between(1, 128),
    max_tokens: atLeastOne,
    max_completion_tokens: atLeastOne,
    logprobs: yesOrNo,
    parallel_tool_calls: yesOrNo,
    store: yesOrNo,
    stream: yesOrNo,
    stream_options: fields,
    response_format: fields,
  },
}

export const responsesSettings: SettingRules = {
  required: ['model', 'input'],
  nullMeans: 'none',
  checks: {
    ...unchecked(
      'input instructions tools tool_choice context_management conversation include metadata previous_response_id prompt prompt_cache_key prompt_cache_retention safety_identifier service_tier truncation user',
    ),
    model: name,
    temperature: between(0, 2),
    top_p: between(0, 1),
    top_logprobs: between(0, 20),
    max_output_tokens: between(16, Number.MAX_SAFE_INTEGER),
    max_tool_calls: atLeastOne,
    background: yesOrNo,
    parallel_tool_calls: yesOrNo,
    store: yesOrNo,
    stream: yesOrNo,
    stream_options: fields,
    reasoning: fields,
    text: fields,
  },
}

export const messagesSettings: SettingRules = {
  required: ['model', 'messages', 'max_tokens'],
  nullMeans: 'wrong',
  checks: {
    ...unchecked(
      'messages system tools cache_control container context_management inference_geo mcp_servers service_tier speed',
    ),
    model: name,
    temperature: between(0, 1),
    top_p: between(0, 1),
    top_k: between(0, 500),
    max_tokens: atLeastOne,
    stream: yesOrNo,
    metadata: fields,
    output_config: fields,
    thinking: fields,
    tool_choice: fields,
    stop_sequences: (value) =>
      Array.isArray(value) && value.every(isFilled) ? null : 'texts that are not empty',
  },
}

/** What a fault server is told, and what it tells. */
export interface FaultServerOptions {
  /** What the model says: always, in order (the last again and again), or to a question. */
  readonly answers?: string | readonly string[] | ((question: ModelQuestion) => string) | undefined
  readonly faults?: FaultPlan | undefined
  /** The key that is right; `test-key`. */
  readonly apiKey?: string | undefined
  /** The models that exist; all, where nothing is said. */
  readonly models?: readonly string[] | undefined
  /** What is done with a request that brings tools; `taken`. */
  readonly tools?: 'taken' | 'refused' | undefined
  readonly pace?: Partial<FaultPace> | undefined
}

/**
 * Which request gets which fault: in order, where null and the end of the list mean none; by
 * chance, the same for the same seed; or as a function says. Requests that are refused do
 * not count.
 */
export type FaultPlan =
  | readonly (ModelFault | null)[]
  | {
      readonly seed: string
      /** From 0, never, to 1, always. */
      readonly chance: number
      /** All, where nothing is said. */
      readonly among?: readonly ModelFault[] | undefined
    }
  | ((question: ModelQuestion) => ModelFault | null)

/** How slow and how large the faults are. */
export interface FaultPace {
  /** Between two bytes of `slow`. */
  readonly byteEveryMs: number
  /** How long a client has to read the headers before `reset-after-headers`. */
  readonly resetAfterMs: number
  /** What a 429 asks for; in whole seconds, upwards, where its header has no other unit. */
  readonly retryAfterMs: number
  /** Of the body of `huge`, at least. */
  readonly hugeBytes: number
}

export interface ServedRequest {
  readonly method: string
  readonly path: string
  /** Keys and cookies are left out. */
  readonly headers: SentHeaders
  /** Null where it was no JSON. */
  readonly body: JsonValue
  /** Null for a path that is none of theirs. */
  readonly api: ModelApiName | null
  /** Null where the request was refused. */
  readonly question: ModelQuestion | null
  /** Why it was refused. */
  readonly problems: readonly string[]
  readonly fault: ModelFault | null
  /** Null where none was sent. */
  readonly status: number | null
  /** What stood where an answer stands; null where no answer was given whole. */
  readonly said: string | null
  /** Exact values of what it said that stand nowhere in the question: those of `lies`. */
  readonly invented: readonly string[]
  readonly startedAtMs: number
  readonly endedAtMs: number | null
  /** `cut` by the server, `left` by the client, null as long as it goes on. */
  readonly ended: 'whole' | 'cut' | 'left' | null
}

export interface FaultServer {
  /** With `/v1`, as clients want it for their `baseURL`. */
  readonly url: string
  /** All that came, in order, also what was refused. */
  readonly requests: readonly ServedRequest[]
  /** Another plan from here on; null: nothing fails any more. */
  arm(faults: FaultPlan | null): void
  /** Lets go of every connection, also of those that hang. */
  close(): Promise<void>
}
