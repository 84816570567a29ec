/** Everything that a run has to keep. */
import { checkBreaker, checkRecovery } from './check-breaker.ts'
import { checkContexts } from './check-contexts.ts'
import { checkEnds } from './check-ends.ts'
import { checkLog } from './check-log.ts'
import { checkSaid } from './check-said.ts'
import { checkStrict, checkTries } from './check-tries.ts'
import { checkWords } from './check-words.ts'
import { type Finding, finding } from './finding.ts'
import type { Observed } from './observed.ts'

export function checkObserved(observed: Observed): readonly Finding[] {
  return [
    ...checkLog(observed),
    ...checkWords(observed),
    ...checkSaid(observed),
    ...checkTries(observed),
    ...checkStrict(observed),
    ...checkEnds(observed),
    ...checkContexts(observed),
    ...checkBreaker(observed),
    ...checkRecovery(observed),
    ...checkCompacted(observed),
  ]
}

/** A run that compacts nothing, or meets no fault, shows nothing. */
function checkCompacted({ receipts }: Observed): readonly Finding[] {
  return receipts.length >= 2 ? [] : [finding('run', `compacted ${receipts.length} times`)]
}
