/** What an agent hands over behind a reply, checked: unknown in, known out. */
import type {
  AgentTurn,
  EntityUpdate,
  StepResult,
  Thought,
  TurnEntity,
} from '../domain/agent-turn.ts'
import type { Routing } from '../domain/turn-record.ts'
import {
  count,
  type Fields,
  fields,
  idText,
  invalid,
  json,
  list,
  name,
  oneOf,
  optional,
  optionalText,
  text,
  truth,
} from './read-fields.ts'

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
