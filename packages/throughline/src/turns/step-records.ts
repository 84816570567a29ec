/** The steps of a turn as they are kept: a line each, and the result whole beside it, under turn and step. */
import type { AgentTurn } from '../domain/agent-turn.ts'
import type { StepRecord } from '../domain/turn-record.ts'
import { recordCountOf, stepOutcome } from './step-outcome.ts'
import { safeLine } from './turn-words.ts'

export function stepRecords({ steps }: AgentTurn, turnNumber: number): readonly StepRecord[] {
  return steps.map((step, index) => ({
    turn: turnNumber,
    step: index,
    description: safeLine(step.description, descriptionCharacters),
    subdomain: step.subdomain,
    status: step.status,
    outcome: stepOutcome(step),
    entityIds: [...new Set(step.entityIds)],
    recordCount: step.recordCount ?? recordCountOf(step.result),
    result: step.result,
  }))
}

const descriptionCharacters = 200
