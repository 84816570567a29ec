/** All that must hold after a run, whatever the schedule was. */

import type { Finding } from '../kernel/finding.ts'
import { auditAsking } from './audit-asking.ts'
import { auditContexts } from './audit-contexts.ts'
import { auditLog } from './audit-log.ts'
import { auditSummaries } from './audit-summaries.ts'
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
