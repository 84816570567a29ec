/** All that must hold after a run, whatever the schedule was. */
import { auditAsking } from './audit-asking.ts'
import { auditContexts } from './audit-contexts.ts'
import { auditLog } from './audit-log.ts'
import { auditSummaries } from './audit-summaries.ts'
import type { Finding } from './finding.ts'
import type { Observed } from './observed.ts'

export function audit(observed: Observed): readonly Finding[] {
  return [
    ...observed.errors.map((detail) => ({ rule: 'error', detail })),
    ...auditLog(observed),
    ...auditSummaries(observed),
    ...auditContexts(observed),
    ...auditAsking(observed),
  ]
}
