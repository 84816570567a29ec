/** The audit of a turn as a line for a log. */
import type { TurnAudit, TurnRecord } from '../domain/turn-record.ts'

/**
 * What a turn did, in figures, as a line for a log.
 *
 * @example
 * for (const record of await rememberedTurns(chat)) console.log(auditLine(record))
 * // turn 4: created 2, updated 0, deleted 0, artifacts 2 generated 2 saved, errors 0, steps 1/1
 */
export function auditLine({ turn, audit }: Pick<TurnRecord, 'turn' | 'audit'>): string {
  const { artifactsGenerated, artifactsSaved, stepsDone, stepsTotal } = audit
  const counted = (['created', 'updated', 'deleted'] as const).map(
    (kind) => `${kind} ${audit[kind].length}`,
  )
  const parts = [
    ...counted,
    `artifacts ${artifactsGenerated} generated ${artifactsSaved} saved`,
    `errors ${audit.errors.length}${codesOf(audit)}`,
    `steps ${stepsDone}/${stepsTotal}`,
  ]
  return `turn ${turn}: ${parts.join(', ')}`
}

function codesOf({ errors }: TurnAudit): string {
  const codes = [...new Set(errors.map(({ code }) => code))]
  return codes.length === 0 ? '' : ` (${codes.slice(0, mostCodes).join(', ')})`
}

const mostCodes = 3
