import { isBacked } from '../domain/entity.ts'
import { isObject, type JsonObject, type JsonValue, parsedJson } from '../domain/json.ts'
import type { Span } from '../domain/span.ts'
import type {
  AgentTurn,
  AuthoredText,
  HistoryLine,
  PendingDecision,
  StepRecord,
  StepResult,
  Theme,
  Thought,
  TurnEntity,
  TurnKnowledge,
  TurnRecord,
  TurnRules,
} from '../domain/turn-memory.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import { collectEntities } from './entities/entity-states.ts'
import { touchMentioned } from './entities/find-mentions.ts'
import { type MergedEntities, mergeEntities } from './entities/merge-entities.ts'
import { limits } from './limits-data.ts'
import { turnAudit } from './turn-audit.ts'
import { characterCount, cutCharacters, safeLine, withoutSecrets } from './turn-text.ts'

export interface RecordInput {
  readonly turn: AgentTurn
  readonly number: number
  readonly key: string | null
  readonly messages: Span
  readonly at: number
  /** The memory before this turn. */
  readonly before: TurnKnowledge
  readonly digest: AuthoredText | null
  readonly compressed: TurnRecord['compressed']
  readonly history: readonly HistoryLine[]
  readonly theme: Theme | null
  readonly rules: TurnRules
}

/** The changes that a turn made to entities, by id. */
export interface EntityChanges extends Omit<MergedEntities, 'entities'> {
  /** Not mentioned for too long. */
  readonly deactivated: readonly string[]
  /** Inactive for too long. */
  readonly removed: readonly string[]
}

export const nothingKnown: TurnKnowledge = { theme: null, history: [], pending: null, entities: [] }

export function buildRecord(input: RecordInput) {
  const { turn, number, before, rules } = input
  assertTiled(input)
  const { entities: reported, entityUpdates } = turn
  const { entities: mergedEntities, ...merged } = mergeEntities(
    before.entities,
    number,
    reported,
    entityUpdates,
  )
  const named = touchMentioned(mergedEntities, number, [turn.userMessage, turn.finalResponse])
  const { entities, deactivated, removed } = collectEntities(named.entities, number, rules)
  const touched = [...new Set([...merged.touched, ...named.touched])]
  const steps = stepRecords(turn, number)
  const record: TurnRecord = {
    turn: number,
    key: input.key,
    messages: input.messages,
    at: input.at,
    user: turn.userMessage,
    assistant: turn.finalResponse,
    digest: input.digest,
    routing: turn.router,
    decision: turn.think?.decision ?? null,
    entitiesMentioned: touched,
    steps: steps.map(({ result: _, ...digest }) => digest),
    compressed: input.compressed,
    audit: turnAudit(turn, merged),
    knows: {
      theme: input.theme,
      history: input.history,
      pending: pendingDecision(turn, number, before.pending, rules),
      entities,
    },
    forgotten: false,
  }
  const changed: EntityChanges = { ...merged, touched, deactivated, removed }
  return { record, steps, entities: changed }
}

/** History lines must cover all turns before the full ones, without a gap. */
function assertTiled({ history, number, rules }: RecordInput): void {
  let next = 1
  for (const { from, to } of history) {
    assertInvariant(from === next && to > from, INVARIANT.remembered, `turns ${from} to ${to}`)
    next = to
  }
  const isWhole = next >= number + 1 - rules.fullTurns && next <= number
  assertInvariant(isWhole, INVARIANT.remembered, `a history up to ${next} in turn ${number}`)
}

/** The steps of a turn as the store keeps them: a one-line outcome and the complete result. */
export function stepRecords({ steps }: AgentTurn, turnNumber: number): readonly StepRecord[] {
  return steps.map((step, index) => ({
    turn: turnNumber,
    step: index,
    description: safeLine(step.description, limits.descriptionCharacters),
    subdomain: step.subdomain,
    status: step.status,
    outcome: stepOutcome(step),
    entityIds: [...new Set(step.entityIds)],
    recordCount: step.recordCount ?? recordCountOf(step.result),
    result: step.result,
  }))
}

function stepOutcome(step: StepResult): string {
  const { outcome, status, error, result } = step
  if (outcome !== null && outcome.trim() !== '') return safeLine(outcome, limits.outcomeCharacters)
  if (status === 'skipped') return 'skipped'
  if (status === 'done')
    return safeLine(describeResult(parseResult(result)), limits.outcomeCharacters)
  const why = [error?.code ?? '', error?.message ?? ''].filter((part) => part !== '').join(' ')
  return why === '' ? 'failed' : safeLine(`failed: ${why}`, limits.outcomeCharacters)
}

/** Null unless the result has exactly one list. */
function recordCountOf(result: JsonValue): number | null {
  const value = parseResult(result)
  if (isList(value)) return value.length
  if (!isObject(value)) return null
  const lists = Object.values(value).filter(isList)
  return lists.length === 1 ? (lists[0]?.length ?? null) : null
}

function parseResult(result: JsonValue): JsonValue {
  if (typeof result !== 'string' || !/^\s{0,20}[[{]/.test(result)) return result
  // A text may start with a bracket and not be JSON.
  return parsedJson(result, result) as JsonValue
}

function describeResult(result: JsonValue): string {
  if (typeof result === 'string') return describeText(result)
  if (isList(result)) return describeList(result.length === 1 ? 'record' : 'records', result)
  if (isObject(result)) return describeObject(result)
  return result === null ? 'done' : String(result)
}

function describeText(text: string): string {
  if (text.trim() === '') return 'done'
  const items = [...text.matchAll(/^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]) /gm)]
  if (items.length < limits.minCountedItems) return text
  const introduction = text.slice(0, items[0]?.index).trim()
  return `${introduction} ${items.length} items`.trimStart()
}

function describeObject(result: JsonObject): string {
  const lists = Object.entries(result).flatMap(([name, value]) =>
    isList(value) ? [describeList(name, value)] : [],
  )
  if (lists.length > 0) return lists.join(', ')
  const names = Object.keys(result)
  if (names.length === 0) return 'done'
  const more = names.length > limits.maxFields ? ` and ${names.length - limits.maxFields} more` : ''
  return `a record with ${names.slice(0, limits.maxFields).join(', ')}${more}`
}

function describeList(name: string, items: readonly JsonValue[]): string {
  const kinds = new Map<string, number>()
  for (const item of items) {
    const kind = kindOf(item)
    if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  if (kinds.size === 0) return `${items.length} ${name}`
  const frequent = [...kinds].toSorted((one, other) => other[1] - one[1]).slice(0, limits.maxKinds)
  return `${items.length} ${name} (${frequent.map(([kind, count]) => `${count} ${kind}`).join(', ')})`
}

function kindOf(item: JsonValue): string | null {
  const names = isObject(item) ? [item['type'], item['kind'], item['category']] : []
  const texts = names.filter((name) => typeof name === 'string')
  return texts.find((text) => text !== '' && text.length <= limits.kindCharacters) ?? null
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** A turn without `think` decided nothing, so the pending decision stays. */
export function pendingDecision(
  turn: AgentTurn,
  turnNumber: number,
  before: PendingDecision | null,
  rules: TurnRules,
): PendingDecision | null {
  const { think } = turn
  if (think === null) return before
  if (think.decision === 'plan_direct') return null
  const maxCharacters = rules.proposalCharacters
  return {
    kind: think.decision,
    turn: turnNumber,
    goal: redactAndCut(think.goal === '' ? (turn.router?.goal ?? '') : think.goal, maxCharacters),
    proposal:
      think.decision === 'propose' ? redactAndCut(proposalOf(think, turn), maxCharacters) : null,
    assumptions: limitLines(think.assumptions, maxCharacters),
    questions: limitLines(questionsOf(think, turn), maxCharacters),
    partialPlan: limitLines(think.steps, maxCharacters),
    entityIds: [...new Set(turn.entities.filter(isDraft).map(({ id }) => id))],
  }
}

function proposalOf({ proposalMessage }: Thought, { finalResponse }: AgentTurn): string {
  return proposalMessage === null || proposalMessage.trim() === '' ? finalResponse : proposalMessage
}

function questionsOf({ decision, clarificationQuestions }: Thought, { finalResponse }: AgentTurn) {
  if (decision !== 'clarify' || clarificationQuestions.length > 0) return clarificationQuestions
  return [finalResponse]
}

function limitLines(lines: readonly string[], maxCharacters: number): readonly string[] {
  const limited: string[] = []
  let freeCharacters = maxCharacters
  for (const line of lines) {
    const text = redactAndCut(line, freeCharacters)
    if (text !== '') limited.push(text)
    freeCharacters -= characterCount(text)
    if (freeCharacters <= 0) break
  }
  return limited
}

function redactAndCut(text: string, maxCharacters: number): string {
  return cutCharacters(withoutSecrets(text), maxCharacters)
}

function isDraft({ state, source, action, succeeded }: TurnEntity): boolean {
  if (action === 'delete' || !succeeded) return false
  return state === null ? !isBacked({ source }) : state === 'pending'
}
