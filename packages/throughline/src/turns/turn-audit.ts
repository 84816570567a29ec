import type { AgentTurn, AuditError, TurnAudit, TurnRecord } from '../domain/turn-memory.ts'
import type { EntityTally } from './entities/merge-entities.ts'
import { limits } from './limits-data.ts'
import { safeLine } from './turn-text.ts'

export function turnAudit(turn: AgentTurn, merged: Omit<EntityTally, 'promoted'>): TurnAudit {
  const { steps, think } = turn
  return {
    created: merged.created,
    updated: merged.updated,
    deleted: merged.deleted,
    artifactsGenerated: merged.generated,
    artifactsSaved: merged.saved,
    errors: [...failedSteps(turn), ...failedWrites(turn)],
    stepsDone: steps.filter(({ status }) => status === 'done').length,
    // Planned steps that never ran count as not done.
    stepsTotal: Math.max(steps.length, think?.steps.length ?? 0),
  }
}

function failedSteps({ steps }: AgentTurn): readonly AuditError[] {
  return steps.flatMap(({ status, error }, step) => {
    if (error === null && status !== 'failed') return []
    const { code, message } = error ?? { code: 'STEP_FAILED', message: 'the step failed' }
    const text = safeLine(message, limits.errorMessageCharacters)
    return [{ code: safeLine(code, limits.errorCodeCharacters), message: text, step }]
  })
}

/** Each message once, because a step may report the same failed write twice. */
function failedWrites({ entities }: AgentTurn): readonly AuditError[] {
  const failed = entities.filter(({ source, succeeded }) => source === 'db_write' && !succeeded)
  const messages = failed.map(({ type, id }) =>
    safeLine(`${type} ${id} was not written`, limits.errorMessageCharacters),
  )
  return [...new Set(messages)].map((message) => ({ code: 'WRITE_FAILED', message, step: null }))
}

/**
 * The counts of a turn (changes, artifacts, errors, steps) as one line for a log file.
 *
 * @example
 * for (const record of await rememberedTurns(chat)) console.log(auditLine(record))
 * // turn 4: created 2, updated 0, deleted 0, artifacts 2 generated 2 saved, errors 0, steps 1/1
 */
export function auditLine({ turn, audit }: Pick<TurnRecord, 'turn' | 'audit'>): string {
  const { artifactsGenerated, artifactsSaved, stepsDone, stepsTotal } = audit
  const changes = (['created', 'updated', 'deleted'] as const).map(
    (kind) => `${kind} ${audit[kind].length}`,
  )
  const parts = [
    ...changes,
    `artifacts ${artifactsGenerated} generated ${artifactsSaved} saved`,
    `errors ${audit.errors.length}${codesOf(audit)}`,
    `steps ${stepsDone}/${stepsTotal}`,
  ]
  return `turn ${turn}: ${parts.join(', ')}`
}

function codesOf({ errors }: TurnAudit): string {
  const codes = [...new Set(errors.map(({ code }) => code))]
  return codes.length === 0 ? '' : ` (${codes.slice(0, limits.errorCodes).join(', ')})`
}
