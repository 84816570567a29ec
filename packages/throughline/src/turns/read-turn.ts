/** The input of `afterReply`: its types, and the readers that check unknown values. */
import type { EntitySource, EntityState } from '../domain/entity.ts'
import { isObject, type JsonValue } from '../domain/json.ts'
import { describe } from '../domain/text.ts'
import type {
  AgentTurn,
  EntityUpdate,
  Routing,
  StepResult,
  StepStatus,
  Thought,
  TurnDecision,
  TurnEntity,
} from '../domain/turn-memory.ts'
import { ThroughlineError } from '../errors.ts'
import { wellFormedJson } from '../flow/text/sanitize-message.ts'
import { limits } from './limits-data.ts'

/** What the router, the planner, the actor and the reply of an agent's loop produced in a turn. */
export interface AfterReplyInput {
  /** The text that the user was shown. Null or empty: there was no answer, and nothing changes. */
  readonly finalResponse: string | null | undefined
  readonly userMessage: string
  readonly router?: RoutingInput | null | undefined
  readonly think?: ThoughtInput | null | undefined
  readonly steps?: readonly StepInput[] | null | undefined
  /** Entities that the turn created, read, changed or deleted. */
  readonly entities?: readonly EntityInput[] | null | undefined
  /** Entities that the user confirmed (`active`) or rejected (`inactive`). */
  readonly entityUpdates?: readonly EntityUpdateInput[] | null | undefined
}

/** The router's decision, as input of `afterReply`. */
export interface RoutingInput {
  readonly goal: string
  readonly complexity?: Routing['complexity'] | undefined
  readonly agent?: string | null | undefined
}

/** The agent's plan, as input of `afterReply`. */
export interface ThoughtInput {
  readonly decision: TurnDecision
  readonly goal?: string | undefined
  /** The planned steps: a line each, or an object with a `description`. */
  readonly steps?: readonly (string | { readonly description: string })[] | null | undefined
  readonly proposalMessage?: string | null | undefined
  readonly assumptions?: readonly string[] | null | undefined
  readonly clarificationQuestions?: readonly string[] | null | undefined
}

/** A step of a turn and its result, as input of `afterReply`. */
export interface StepInput {
  readonly description: string
  /** Any JSON value; the complete value is stored. */
  readonly result?: unknown
  readonly status?: StepStatus | undefined
  readonly subdomain?: string | null | undefined
  /** The result in one line; without it, rules (no LLM) write one. */
  readonly outcome?: string | null | undefined
  readonly entityIds?: readonly (string | number)[] | null | undefined
  readonly recordCount?: number | null | undefined
  readonly error?: { readonly code?: string; readonly message: string } | null | undefined
}

/** An entity that a turn created, read, changed or deleted, as input of `afterReply`. */
export interface EntityInput {
  /** The id in the database, or a temporary one. */
  readonly id: string | number
  readonly type: string
  readonly label: string
  readonly source: EntitySource
  readonly state?: 'pending' | 'active' | undefined
  /** The temporary id that it had before it was saved. */
  readonly formerId?: string | number | null | undefined
  /** The id of the entity that it replaces. */
  readonly replaces?: string | number | null | undefined
  readonly action?: TurnEntity['action'] | undefined
  /** False if the write failed: it then only counts as a mention. */
  readonly succeeded?: boolean | undefined
  readonly subdomain?: string | null | undefined
  readonly data?: unknown
}

/** An entity that the user confirmed or rejected, as input of `afterReply`. */
export interface EntityUpdateInput {
  readonly id: string | number
  /** Needed if entities of several types have the id. */
  readonly type?: string | null | undefined
  readonly state: EntityState
}

/** Null if there was no answer. */
export function readAgentTurn(input: unknown): AgentTurn | null {
  const { finalResponse, ...turn } = readInput(input, '')
  return finalResponse === null || finalResponse.trim() === '' ? null : { ...turn, finalResponse }
}

type Reader<Value> = (value: unknown, at: string) => Value

/** An unknown field is an error, because it is usually a misspelling. */
function object<Value extends object>(
  shape: {
    readonly [Field in keyof Value]: Reader<Value[Field]>
  },
): Reader<Value> {
  const readers = Object.entries<Reader<unknown>>(shape)
  const known = readers.map(([field]) => field)
  return (value, at) => {
    const where = at === '' ? 'afterReply' : at
    if (!isObject(value)) throw invalid(where, 'an object', value)
    const unknownField = Object.keys(value).find((field) => !known.includes(field))
    if (unknownField !== undefined)
      throw new ThroughlineError(
        'TURN_INVALID',
        `${where} has no field "${unknownField}"; it takes ${known.join(', ')}`,
      )
    const placeOf = (field: string) => (at === '' ? field : `${at}.${field}`)
    const read = readers.map(([field, reader]) => [field, reader(value[field], placeOf(field))])
    // Each field has passed its reader.
    return Object.fromEntries(read) as Value
  }
}

function optional<Value>(read: Reader<Value>): Reader<Value | null> {
  return withDefault<Value | null>(read, null)
}

function withDefault<Value>(read: Reader<Value>, fallback: Value): Reader<Value> {
  return (value, at) => (value === undefined || value === null ? fallback : read(value, at))
}

function list<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (value, at) => {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value) || value.length > limits.maxListItems)
      throw invalid(at, `an array of at most ${limits.maxListItems}`, value)
    return value.map((each: unknown, index) => read(each, `${at}[${index}]`))
  }
}

const text: Reader<string> = (value, at) => {
  if (typeof value !== 'string') throw invalid(at, 'text', value)
  return value.toWellFormed()
}

const name: Reader<string> = (value, at) => {
  const named = text(value, at)
  if (named.trim() === '' || named.length > limits.maxNameCharacters)
    throw invalid(at, `text of 1 to ${limits.maxNameCharacters} characters`, value)
  return named
}

/** Database ids are often numbers. */
const idText: Reader<string> = (value, at) =>
  Number.isSafeInteger(value) ? String(value) : name(value, at)

const count: Reader<number> = (value, at) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(at, 'a whole number from 0', value)
  return value
}

const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw invalid(at, 'true or false', value)
  return value
}

function oneOf<const Value extends string>(...known: readonly Value[]): Reader<Value> {
  return (value, at) => {
    const found = known.find((each) => each === value)
    if (found === undefined) throw invalid(at, `one of ${known.join(', ')}`, value)
    return found
  }
}

/** A copy without lone surrogates. */
const json: Reader<JsonValue> = (value, at) => {
  if (value === undefined || value === null) return null
  try {
    return JSON.parse(wellFormedJson(JSON.stringify(value, refuseLossy)))
  } catch {
    throw invalid(at, 'plain JSON (pass errors in the field `error`)', value)
  }
}

/** JSON would write these as empty objects and lose their content. */
function refuseLossy(_key: string, value: unknown): unknown {
  if (value instanceof Error || value instanceof Map || value instanceof Set)
    throw new TypeError('no JSON')
  return value
}

const plannedStep: Reader<string> = (value, at) => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) throw invalid(at, 'a line of text', value)
  return text((value as { readonly description?: unknown }).description, `${at}.description`)
}

const readStepFields = object<Omit<StepResult, 'status'> & { status: StepStatus | null }>({
  description: text,
  subdomain: optional(text),
  status: optional(oneOf('done', 'failed', 'skipped')),
  result: json,
  outcome: optional(text),
  entityIds: list(idText),
  recordCount: optional(count),
  error: optional(object({ code: withDefault(text, 'ERROR'), message: text })),
})

const readStep: Reader<StepResult> = (value, at) => {
  const step = readStepFields(value, at)
  return { ...step, status: step.status ?? (step.error === null ? 'done' : 'failed') }
}

const readInput = object<Omit<AgentTurn, 'finalResponse'> & { finalResponse: string | null }>({
  userMessage: text,
  finalResponse: optional(text),
  router: optional(
    object<Routing>({
      agent: optional(text),
      goal: text,
      complexity: withDefault(oneOf('low', 'medium', 'high'), 'medium'),
    }),
  ),
  think: optional(
    object<Thought>({
      goal: withDefault(text, ''),
      decision: oneOf('plan_direct', 'propose', 'clarify'),
      steps: list(plannedStep),
      proposalMessage: optional(text),
      assumptions: list(text),
      clarificationQuestions: list(text),
    }),
  ),
  steps: list(readStep),
  entities: list(
    object<TurnEntity>({
      id: idText,
      type: name,
      label: text,
      source: oneOf('db_read', 'db_write', 'generate', 'analyze'),
      state: optional(oneOf('pending', 'active')),
      formerId: optional(idText),
      replaces: optional(idText),
      action: optional(oneOf('create', 'update', 'delete')),
      succeeded: withDefault(flag, true),
      subdomain: optional(text),
      data: json,
    }),
  ),
  entityUpdates: list(
    object<EntityUpdate>({
      id: idText,
      type: optional(name),
      state: oneOf('pending', 'active', 'inactive'),
    }),
  ),
})

function invalid(at: string, what: string, got: unknown): ThroughlineError {
  return new ThroughlineError('TURN_INVALID', `${at} must be ${what}, got ${describe(got)}`)
}
