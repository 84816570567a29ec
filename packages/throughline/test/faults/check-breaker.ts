/**
 * With the breaker open, rules answer at once: nobody is asked, and the context is there. When
 * the faults are over and time has passed, a summary is written again.
 */
import { stepHeader } from './asked-model.ts'
import { type Finding, finding } from './finding.ts'
import { breakerAfter, isOpen, newBreaker } from './known-breaker.ts'
import type { Observed, Step } from './observed.ts'

export function checkBreaker(observed: Observed): readonly Finding[] {
  return stepsWhileOpen(observed).flatMap((step) => {
    const number = String(step.number)
    const asked = observed.served.flat().filter(({ headers }) => headers[stepHeader] === number)
    const attempts = step.live.filter(({ kind }) => kind === 'model-attempt-started')
    return asked.length + attempts.length === 0
      ? []
      : [finding('breaker', `step ${number}: ${asked.length} requests while it is open`)]
  })
}

export function stepsWhileOpen({ steps }: Observed): readonly Step[] {
  let breaker = newBreaker
  return steps.filter(({ live, at }) => {
    const open = isOpen(breaker, at)
    breaker = breakerAfter(breaker, live, at)
    return open
  })
}

export function checkRecovery({ steps, summaries }: Observed): readonly Finding[] {
  const since = steps.find(({ phase }) => phase === 'ended')?.at ?? 0
  return summaries.some(({ createdAt }) => createdAt >= since)
    ? []
    : [finding('recovery', 'no summary was written when the faults were over')]
}
