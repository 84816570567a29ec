/** What a turn did, in figures and names, by rules alone. */
import type { AgentTurn } from '../domain/agent-turn.ts'
import type { AuditError, TurnAudit } from '../domain/turn-record.ts'
import { safeLine } from './turn-words.ts'

/** What became of the entities of a turn. */
export interface EntityFigures {
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  readonly generated: number
  readonly saved: number
}

export function turnAudit(turn: AgentTurn, merged: EntityFigures): TurnAudit {
  const { steps, think } = turn
  return {
    created: merged.created,
    updated: merged.updated,
    deleted: merged.deleted,
    artifactsGenerated: merged.generated,
    artifactsSaved: merged.saved,
    errors: [...failedSteps(turn), ...failedWrites(turn)],
    stepsDone: steps.filter(({ status }) => status === 'done').length,
    // What was planned and never tried is not done either.
    stepsTotal: Math.max(steps.length, think?.steps.length ?? 0),
  }
}

function failedSteps({ steps }: AgentTurn): readonly AuditError[] {
  return steps.flatMap(({ status, error }, step) => {
    if (error === null && status !== 'failed') return []
    const { code, message } = error ?? { code: 'STEP_FAILED', message: 'the step failed' }
    return [
      {
        code: safeLine(code, codeCharacters),
        message: safeLine(message, messageCharacters),
        step,
      },
    ]
  })
}

/** Each once: a step that wrote many may tell of the same one again. */
function failedWrites({ entities }: AgentTurn): readonly AuditError[] {
  const failed = entities.filter(({ source, succeeded }) => source === 'db_write' && !succeeded)
  const messages = failed.map(({ type, id }) =>
    safeLine(`${type} ${id} was not written`, messageCharacters),
  )
  return [...new Set(messages)].map((message) => ({ code: 'WRITE_FAILED', message, step: null }))
}

const codeCharacters = 80
const messageCharacters = 200
