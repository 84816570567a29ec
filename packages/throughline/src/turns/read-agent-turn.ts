/** What an agent hands over behind a reply, checked: unknown in, known out. */
import type {
  AgentTurn,
  EntityUpdate,
  StepResult,
  Thought,
  TurnEntity,
} from '../domain/agent-turn.ts'
import { describe } from '../domain/describe.ts'
import type { EntitySource, EntityState } from '../domain/entity.ts'
import type { JsonValue } from '../domain/json.ts'
import type { TurnDecision } from '../domain/pending-decision.ts'
import type { Routing, StepStatus } from '../domain/turn-record.ts'
import { ThroughlineError } from '../errors.ts'
import { mayHideHalves, soundJson } from '../flow/text/sound-json.ts'

/** What the reply, the router, the thinker and the actor of an agent's loop leave behind. */
export interface AfterReplyInput {
  /** The text that the user was shown. Null or empty: nothing was answered, and nothing changes. */
  readonly finalResponse: string | null | undefined
  readonly userMessage: string
  readonly router?: RoutingInput | null | undefined
  readonly think?: ThoughtInput | null | undefined
  readonly steps?: readonly StepInput[] | null | undefined
  /** What the turn has created, read, changed or deleted. */
  readonly entities?: readonly EntityInput[] | null | undefined
  /** What the user has confirmed (`active`) or rejected (`inactive`). */
  readonly entityUpdates?: readonly EntityUpdateInput[] | null | undefined
}

export interface RoutingInput {
  readonly goal: string
  readonly complexity?: Routing['complexity'] | undefined
  readonly agent?: string | null | undefined
}

export interface ThoughtInput {
  readonly decision: TurnDecision
  readonly goal?: string | undefined
  /** What is to be done: a line for each step, or an object with a `description`. */
  readonly steps?: readonly (string | { readonly description: string })[] | null | undefined
  readonly proposalMessage?: string | null | undefined
  readonly assumptions?: readonly string[] | null | undefined
  readonly clarificationQuestions?: readonly string[] | null | undefined
}

export interface StepInput {
  readonly description: string
  /** Anything that JSON can hold; kept whole. */
  readonly result?: unknown
  readonly status?: StepStatus | undefined
  readonly subdomain?: string | null | undefined
  /** One line on what came of it; made by rules where it is left out. */
  readonly outcome?: string | null | undefined
  readonly entityIds?: readonly (string | number)[] | null | undefined
  readonly recordCount?: number | null | undefined
  readonly error?: { readonly code?: string; readonly message: string } | null | undefined
}

export interface EntityInput {
  /** That of the database, or a temporary one. */
  readonly id: string | number
  readonly type: string
  readonly label: string
  readonly source: EntitySource
  readonly state?: 'pending' | 'active' | undefined
  /** The temporary id that a write has made real. */
  readonly formerId?: string | number | null | undefined
  /** The entity whose place it takes. */
  readonly replaces?: string | number | null | undefined
  readonly action?: TurnEntity['action'] | undefined
  /** False where a write failed; such an entity is not promoted. */
  readonly succeeded?: boolean | undefined
  readonly subdomain?: string | null | undefined
  readonly data?: unknown
}

export interface EntityUpdateInput {
  readonly id: string | number
  /** Needed where entities of several types have the id. */
  readonly type?: string | null | undefined
  readonly state: EntityState
}

/** Null where nothing was answered. */
export function readAgentTurn(input: unknown): AgentTurn | null {
  const given = fields(input, 'afterReply', [
    'finalResponse',
    'userMessage',
    'router',
    'think',
    'steps',
    'entities',
    'entityUpdates',
  ])
  const userMessage = text(given['userMessage'], 'userMessage')
  const finalResponse = optionalText(given['finalResponse'], 'finalResponse')
  const turn = {
    userMessage,
    router: optional(given['router'], 'router', readRouting),
    think: optional(given['think'], 'think', readThought),
    steps: list(given['steps'], 'steps', readStep),
    entities: list(given['entities'], 'entities', readEntity),
    entityUpdates: list(given['entityUpdates'], 'entityUpdates', readUpdate),
  }
  return finalResponse === null || finalResponse.trim() === '' ? null : { ...turn, finalResponse }
}

function readRouting(value: unknown, at: string): Routing {
  const given = fields(value, at, ['goal', 'complexity', 'agent'])
  return {
    agent: optionalText(given['agent'], `${at}.agent`),
    goal: text(given['goal'], `${at}.goal`),
    complexity: oneOf(given['complexity'] ?? 'medium', complexities, `${at}.complexity`),
  }
}

function readThought(value: unknown, at: string): Thought {
  const given = fields(value, at, [
    'goal',
    'decision',
    'steps',
    'proposalMessage',
    'assumptions',
    'clarificationQuestions',
  ])
  return {
    goal: optionalText(given['goal'], `${at}.goal`) ?? '',
    decision: oneOf(given['decision'], decisions, `${at}.decision`),
    steps: list(given['steps'], `${at}.steps`, readPlannedStep),
    proposalMessage: optionalText(given['proposalMessage'], `${at}.proposalMessage`),
    assumptions: list(given['assumptions'], `${at}.assumptions`, text),
    clarificationQuestions: list(
      given['clarificationQuestions'],
      `${at}.clarificationQuestions`,
      text,
    ),
  }
}

/** A planner's steps have more fields than we read; its description is what is kept. */
function readPlannedStep(value: unknown, at: string): string {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) throw invalid(at, 'a line of text', value)
  return text((value as Fields)['description'], `${at}.description`)
}

function readStep(value: unknown, at: string): StepResult {
  const given = fields(value, at, [
    'description',
    'result',
    'status',
    'subdomain',
    'outcome',
    'entityIds',
    'recordCount',
    'error',
  ])
  const error = optional(given['error'], `${at}.error`, readError)
  return {
    description: text(given['description'], `${at}.description`),
    subdomain: optionalText(given['subdomain'], `${at}.subdomain`),
    status: oneOf(
      given['status'] ?? (error === null ? 'done' : 'failed'),
      statuses,
      `${at}.status`,
    ),
    result: json(given['result'], `${at}.result`),
    outcome: optionalText(given['outcome'], `${at}.outcome`),
    entityIds: list(given['entityIds'], `${at}.entityIds`, idText),
    recordCount: optional(given['recordCount'], `${at}.recordCount`, count),
    error,
  }
}

function readError(value: unknown, at: string): NonNullable<StepResult['error']> {
  const given = fields(value, at, ['code', 'message'])
  return {
    code: optionalText(given['code'], `${at}.code`) ?? 'ERROR',
    message: text(given['message'], `${at}.message`),
  }
}

function readEntity(value: unknown, at: string): TurnEntity {
  const given = fields(value, at, [
    'id',
    'type',
    'label',
    'source',
    'state',
    'formerId',
    'replaces',
    'action',
    'succeeded',
    'subdomain',
    'data',
  ])
  return {
    id: idText(given['id'], `${at}.id`),
    type: name(given['type'], `${at}.type`),
    label: text(given['label'], `${at}.label`),
    source: oneOf(given['source'], sources, `${at}.source`),
    state: optional(given['state'], `${at}.state`, (state, where) =>
      oneOf(state, ['pending', 'active'] as const, where),
    ),
    formerId: optional(given['formerId'], `${at}.formerId`, idText),
    replaces: optional(given['replaces'], `${at}.replaces`, idText),
    action: optional(given['action'], `${at}.action`, (action, where) =>
      oneOf(action, ['create', 'update', 'delete'] as const, where),
    ),
    succeeded: optional(given['succeeded'], `${at}.succeeded`, truth) ?? true,
    subdomain: optionalText(given['subdomain'], `${at}.subdomain`),
    data: json(given['data'], `${at}.data`),
  }
}

function readUpdate(value: unknown, at: string): EntityUpdate {
  const given = fields(value, at, ['id', 'type', 'state'])
  return {
    id: idText(given['id'], `${at}.id`),
    type: optional(given['type'], `${at}.type`, name),
    state: oneOf(given['state'], ['pending', 'active', 'inactive'] as const, `${at}.state`),
  }
}

const complexities = ['low', 'medium', 'high'] as const
const decisions = ['plan_direct', 'propose', 'clarify'] as const
const statuses = ['done', 'failed', 'skipped'] as const
const sources = ['db_read', 'db_write', 'generate', 'analyze'] as const

type Fields = Readonly<Record<string, unknown>>

/** A field that is misspelt is refused rather than ignored. */
function fields(value: unknown, at: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(at, 'an object', value)
  const other = Object.keys(value).find((field) => !known.includes(field))
  if (other !== undefined)
    throw new ThroughlineError(
      'TURN_INVALID',
      `${at} has no field "${other}"; it takes ${known.join(', ')}`,
    )
  return value as Fields
}

function optional<Value>(
  value: unknown,
  at: string,
  read: (value: unknown, at: string) => Value,
): Value | null {
  return value === undefined || value === null ? null : read(value, at)
}

const longestList = 10_000

function list<Value>(
  value: unknown,
  at: string,
  read: (value: unknown, at: string) => Value,
): readonly Value[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > longestList)
    throw invalid(at, `an array of at most ${longestList}`, value)
  return value.map((each: unknown, index) => read(each, `${at}[${index}]`))
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(at, 'text', value)
  return value.toWellFormed()
}

function optionalText(value: unknown, at: string): string | null {
  return optional(value, at, text)
}

function name(value: unknown, at: string): string {
  const given = text(value, at)
  if (given.trim() === '' || given.length > longestName)
    throw invalid(at, `text of 1 to ${longestName} characters`, value)
  return given
}

const longestName = 512

/** Databases count, and programs write that as a number. */
function idText(value: unknown, at: string): string {
  return Number.isSafeInteger(value) ? String(value) : name(value, at)
}

function count(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(at, 'a whole number from 0', value)
  return value
}

function truth(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw invalid(at, 'true or false', value)
  return value
}

function oneOf<Value extends string>(value: unknown, known: readonly Value[], at: string): Value {
  const found = known.find((each) => each === value)
  if (found === undefined) throw invalid(at, `one of ${known.join(', ')}`, value)
  return found
}

/** A copy that nobody else holds, without halves of characters. */
function json(value: unknown, at: string): JsonValue {
  if (value === undefined || value === null) return null
  try {
    const written = JSON.stringify(value, refuseOthers)
    return JSON.parse(mayHideHalves(written) ? (soundJson(written) ?? written) : written)
  } catch {
    throw invalid(at, 'plain JSON (an error is handed over as `error`)', value)
  }
}

/** What would be written as an empty object, and lost. */
function refuseOthers(_key: string, value: unknown): unknown {
  if (value instanceof Error || value instanceof Map || value instanceof Set)
    throw new TypeError('no JSON')
  return value
}

function invalid(at: string, what: string, got: unknown): ThroughlineError {
  return new ThroughlineError('TURN_INVALID', `${at} must be ${what}, got ${describe(got)}`)
}
