/** A turn as those who ask and judge see it: words without secrets, steps in lines, counts. */

import { isBacked } from '../domain/entity.ts'
import type { AgentTurn, StepDigest, StepStatus, TurnRecord } from '../domain/turn-memory.ts'
import { stepRecords } from './build-record.ts'
import type { JudgeSources } from './judge/judge-sources.ts'
import { provenByRecord, provenByTurn } from './judge/proven-actions.ts'
import { plainWords } from './turn-text.ts'

interface SourcedTurn {
  readonly sources: JudgeSources
  /** What was done, in a line for each step. */
  readonly outcomes: readonly string[]
  /** It has proposed, asked, or failed with all that it tried. */
  readonly isUndone: boolean
}

export function newTurn(turn: AgentTurn): SourcedTurn {
  const { router, think, entities } = turn
  const assistant = plainWords(turn.finalResponse)
  const digests = stepRecords(turn, 0)
  const beside = [router?.goal, think?.goal, ...(think?.steps ?? [])]
  const kept = new Set(
    entities.filter((entity) => isBacked(entity) && entity.succeeded).map(({ id }) => id),
  )
  return told(
    digests,
    {
      user: plainWords(turn.userMessage),
      assistant,
      lines: [],
      others: [...beside, ...entities.map(({ label }) => label)].flatMap(known),
      counts: countsIn(assistant, digests),
      proven: provenByTurn(turn, digests),
      tellings: [],
      temporaryIds: entities
        .flatMap(({ id, formerId }) => [id, ...(formerId === null ? [] : [formerId])])
        .filter((id) => !kept.has(id)),
    },
    think?.decision ?? null,
  )
}

export function keptTurn(record: TurnRecord): SourcedTurn {
  const { routing, digest, steps, knows, entitiesMentioned } = record
  const assistant = plainWords(record.assistant)
  const mentioned = new Set(entitiesMentioned)
  const entities = knows.entities.filter(({ id }) => mentioned.has(id))
  const beside = [routing?.goal, digest?.text, ...entities.map(({ label }) => label)]
  return told(
    steps,
    {
      user: plainWords(record.user),
      assistant,
      lines: [],
      others: beside.flatMap(known),
      counts: countsIn(assistant, steps),
      proven: provenByRecord(record),
      tellings: [],
      temporaryIds: knows.entities.flatMap((entity) =>
        isBacked(entity) ? entity.aliases : [entity.id, ...entity.aliases],
      ),
    },
    record.decision,
  )
}

function told(
  steps: readonly StepDigest[],
  sources: JudgeSources,
  decision: TurnRecord['decision'],
): SourcedTurn {
  const outcomes = steps.map(outcomeLine)
  const isTried = steps.length > 0
  const isOpen = decision === 'propose' || decision === 'clarify'
  return {
    sources: { ...sources, others: [...sources.others, ...outcomes] },
    outcomes: outcomes.slice(-mostOutcomes),
    isUndone: isOpen || (isTried && steps.every(({ status }) => status !== 'done')),
  }
}

const mostOutcomes = 10

function outcomeLine({ description, status, outcome }: StepDigest): string {
  return plainWords([description, status, outcome].filter((part) => part !== '').join(' | '))
}

function known(text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === '' ? [] : [plainWords(text)]
}

/**
 * How many there are of what a sentence may count, though no number says so: items of a list,
 * records of a step, steps. A long list is told by its count, so a count is no invention.
 */
interface CountedStep extends Pick<StepDigest, 'recordCount'> {
  readonly status: StepStatus
}

export function countsIn(text: string, steps: readonly CountedStep[]): readonly number[] {
  const items = itemsIn(text)
  const { length: headings } = text.match(/^\s{0,3}#{1,6} /gm) ?? []
  const { length: bold } = text.match(/\*\*[^*\n]{1,100}\*\*/g) ?? []
  return [
    ...[items.bullets, items.numbered, headings, bold],
    ...[steps.length, steps.filter(({ status }) => status === 'done').length],
    ...[steps.filter(({ status }) => status === 'failed').length],
    ...steps.flatMap(({ recordCount }) => recordCount ?? []),
  ]
}

function itemsIn(text: string): { readonly bullets: number; readonly numbered: number } {
  return {
    bullets: text.match(/^[ \t]{0,8}[-*+•–] /gm)?.length ?? 0,
    numbered: text.match(/^[ \t]{0,8}\d{1,3}[.)] /gm)?.length ?? 0,
  }
}
