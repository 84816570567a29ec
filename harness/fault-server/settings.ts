/**
 * The fields of a request other than messages and tools, and their allowed values. Services refuse
 * unknown fields, so a misspelled field is noticed.
 */
import type { JsonValue, RequestProblem } from 'throughline'
import {
  type Fields,
  isFilled,
  isObject,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { ModelFault } from './faults.ts'
import type { ModelApiName, ModelQuestion, ScriptedAnswer, SentHeaders } from './responder.ts'

/** What a value must be; null if it is valid. */
type Check = (value: unknown) => string | null

interface SettingRules {
  readonly checks: Readonly<Record<string, Check>>
  readonly required: readonly string[]
  /** Whether the service treats null as "none" or refuses it. */
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
      return [{ rule: 'field-unknown', at, message: 'is not a field of this request' }]
    if (value === null && (nullMeans === 'none' || required.includes(at))) return []
    const must = check(value)
    return must === null ? [] : [{ rule: 'field-value', at, message: `must be ${must}` }]
  })
  return [...missing, ...wrong]
}

const anything: Check = () => null
const name: Check = (value) => (isFilled(value) ? null : 'non-empty text')
const yesOrNo: Check = (value) => (typeof value === 'boolean' ? null : 'true or false')
const fields: Check = (value) => (isObject(value) ? null : 'an object')
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
      Array.isArray(value) && value.every(isFilled) ? null : 'non-empty texts',
  },
}

/** Options and records of a fault server. */
export interface FaultServerOptions {
  /** The model's answers: one text, texts in order (the last repeats), or a function. */
  readonly answers?:
    | string
    | readonly string[]
    | ((question: ModelQuestion) => string | ScriptedAnswer)
    | undefined
  readonly faults?: FaultPlan | undefined
  /** The accepted key; default `test-key`. */
  readonly apiKey?: string | undefined
  /** The models that exist; default: any. */
  readonly models?: readonly string[] | undefined
  /** What the server does with a request that has tools; default `taken`. */
  readonly tools?: 'taken' | 'refused' | undefined
  readonly pace?: Partial<FaultPace> | undefined
}

/**
 * Which request gets which fault: in order, where null and the end of the list mean none; at random,
 * the same for the same seed; or by a function. Refused requests do not count.
 */
export type FaultPlan =
  | readonly (ModelFault | null)[]
  | {
      readonly seed: string
      /** From 0 (never) to 1 (always). */
      readonly chance: number
      /** Default: all faults. */
      readonly among?: readonly ModelFault[] | undefined
    }
  | ((question: ModelQuestion) => ModelFault | null)

/** How slow and how large the faults are. */
export interface FaultPace {
  /** Between two bytes of `slow`. */
  readonly byteEveryMs: number
  /** How long a client has to read the headers before `reset-after-headers`. */
  readonly resetAfterMs: number
  /** Retry delay of a 429; rounded up to whole seconds if its header has no other unit. */
  readonly retryAfterMs: number
  /** Minimum body size of `huge`. */
  readonly hugeBytes: number
}

export interface ServedRequest {
  readonly method: string
  readonly path: string
  /** Without keys and cookies. */
  readonly headers: SentHeaders
  /** Null if the body was not JSON. */
  readonly body: JsonValue
  /** Null for an unknown path. */
  readonly api: ModelApiName | null
  /** Null if the request was refused. */
  readonly question: ModelQuestion | null
  /** Why the request was refused. */
  readonly problems: readonly string[]
  readonly fault: ModelFault | null
  /** Null if no status was sent. */
  readonly status: number | null
  /** The text in place of the answer; null if no answer was sent whole. */
  readonly answer: string | null
  /** Exact values of the answer that are not in the question: those of `lies`. */
  readonly invented: readonly string[]
  readonly startedAtMs: number
  readonly endedAtMs: number | null
  /** `cut` by the server, `left` by the client, null while it is running. */
  readonly ended: 'whole' | 'cut' | 'left' | null
}

export interface FaultServer {
  /** With `/v1`, as clients expect it in `baseURL`. */
  readonly url: string
  /** All requests in order, including refused ones. */
  readonly requests: readonly ServedRequest[]
  /** Starts another plan; null: no more faults. */
  arm(faults: FaultPlan | null): void
  /** Closes every connection, including those that hang. */
  close(): Promise<void>
}
