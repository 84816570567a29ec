import { isBacked } from '../domain/entity.ts'
import type { AgentTurn, StepDigest, StepStatus, TurnRecord } from '../domain/turn-memory.ts'
import { stepRecords } from './build-record.ts'
import { changesThings, provenByRecord, provenByTurn } from './judge/claimed-actions.ts'
import { type JudgeSources, noSources } from './judge/judge-text.ts'
import { limits } from './limits-data.ts'
import { plainWords } from './turn-text.ts'

/** What a model answer about a new turn is judged against. */
export function turnSources(turn: AgentTurn) {
  const { router, think, entities } = turn
  const steps = stepRecords(turn, 0)
  const storedIds = new Set(
    entities.filter((entity) => isBacked(entity) && entity.succeeded).map(({ id }) => id),
  )
  return buildSources(steps, think?.decision ?? null, {
    user: turn.userMessage,
    assistant: turn.finalResponse,
    others: [
      router?.goal,
      think?.goal,
      ...(think?.steps ?? []),
      ...entities.map(({ label }) => label),
    ],
    proven: provenByTurn(turn, steps),
    temporaryIds: entities
      .flatMap(({ id, formerId }) => [id, ...(formerId === null ? [] : [formerId])])
      .filter((id) => !storedIds.has(id)),
  })
}

/** What a model answer about a remembered turn is judged against. */
export function recordSources(record: TurnRecord) {
  const { user, assistant, routing, digest, steps, knows, entitiesMentioned } = record
  const mentioned = new Set(entitiesMentioned)
  const entities = knows.entities.filter(({ id }) => mentioned.has(id))
  return buildSources(steps, record.decision, {
    user,
    assistant,
    others: [routing?.goal, digest?.text, ...entities.map(({ label }) => label)],
    proven: provenByRecord(record),
    temporaryIds: knows.entities.flatMap((entity) =>
      isBacked(entity) ? entity.aliases : [entity.id, ...entity.aliases],
    ),
  })
}

interface RawSources extends Pick<JudgeSources, 'user' | 'assistant' | 'proven' | 'temporaryIds'> {
  readonly others: readonly (string | undefined)[]
}

function buildSources(
  steps: readonly StepDigest[],
  decision: TurnRecord['decision'],
  { user, assistant: answer, others, proven, temporaryIds }: RawSources,
) {
  const outcomes = steps.map(outcomeLine)
  const assistant = plainWords(answer)
  const isOpen = decision === 'propose' || decision === 'clarify'
  const sources: JudgeSources = {
    ...noSources,
    user: plainWords(user),
    assistant,
    proven,
    temporaryIds,
    others: [...others.flatMap(filledText), ...outcomes],
    counts: countsIn(assistant, steps),
  }
  const hasFailed = steps.length > 0 && steps.every(({ status }) => status !== 'done')
  return {
    sources,
    outcomes: outcomes.slice(-limits.maxOutcomes),
    undone: hasFailed ? ('says-so' as const) : undoneIf(isOpen, proven),
  }
}

/** A turn that ends with a proposal may have changed things before it. */
function undoneIf(isOpen: boolean, { steps }: RawSources['proven']): 'in-part' | 'says-so' | null {
  if (!isOpen) return null
  return steps.some(changesThings) ? 'in-part' : 'says-so'
}

function outcomeLine({ description, status, outcome }: StepDigest): string {
  return plainWords([description, status, outcome].filter((part) => part !== '').join(' | '))
}

function filledText(text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === '' ? [] : [plainWords(text)]
}

/** Counts that a sentence may state although no source writes them: list items, records, steps. */
export function countsIn(
  text: string,
  steps: readonly Pick<StepDigest, 'recordCount' | 'status'>[],
): readonly number[] {
  const times = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const stepsWith = (wanted: StepStatus) => steps.filter(({ status }) => status === wanted).length
  return [
    times(/^[ \t]{0,8}[-*+•–] /gm),
    times(/^[ \t]{0,8}\d{1,3}[.)] /gm),
    times(/^\s{0,3}#{1,6} /gm),
    times(/\*\*[^*\n]{1,100}\*\*/g),
    steps.length,
    stepsWith('done'),
    stepsWith('failed'),
    ...steps.flatMap(({ recordCount }) => recordCount ?? []),
  ]
}
