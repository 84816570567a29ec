/** A turn as those who ask and judge see it: words without secrets, steps in lines, counts. */
import type { AgentTurn } from '../domain/agent-turn.ts'
import { isBacked } from '../domain/entity.ts'
import type { StepDigest, TurnRecord } from '../domain/turn-record.ts'
import { borneOutByRecord, borneOutByTurn } from './judge/borne-out.ts'
import { countsIn } from './judge/counts-in.ts'
import type { ToldSources } from './judge/told-sources.ts'
import { stepRecords } from './step-records.ts'
import { plainWords } from './turn-words.ts'

export interface ToldTurn {
  readonly sources: ToldSources
  /** What was done, in a line for each step. */
  readonly outcomes: readonly string[]
  /** It has proposed, asked, or failed with all that it tried. */
  readonly isUndone: boolean
}

export function newTurn(turn: AgentTurn): ToldTurn {
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
      borneOut: borneOutByTurn(turn, digests),
      tellings: [],
      temporaryIds: entities
        .flatMap(({ id, formerId }) => [id, ...(formerId === null ? [] : [formerId])])
        .filter((id) => !kept.has(id)),
    },
    think?.decision ?? null,
  )
}

export function keptTurn(record: TurnRecord): ToldTurn {
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
      borneOut: borneOutByRecord(record),
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
  sources: ToldSources,
  decision: TurnRecord['decision'],
): ToldTurn {
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
