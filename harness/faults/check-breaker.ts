/**
 * With the breaker open, rules answer at once: nobody is asked, and the context is there. Half
 * open it lets one call through, and more only where that one was good. When the faults are over and time has passed, a summary is written again.
 */
import { stepHeader } from './asked-model.ts'
import { type Finding, finding } from './finding.ts'
import { breakerAfter, breakerState, newBreaker } from './known-breaker.ts'
import type { Observed, Step } from './observed.ts'

export function checkBreaker(observed: Observed): readonly Finding[] {
  const halfOpen = stepsWhile(observed, 'half-open').flatMap(({ number, live }) => {
    const outcomes = live.flatMap((event) =>
      event.kind === 'model-attempt-ended' ? [event.attempt.outcome.kind] : [],
    )
    return outcomes.length < 2 || outcomes[0] === 'accepted'
      ? []
      : [finding('breaker', `step ${number}: ${outcomes.length} calls while it is half open`)]
  })
  const open = stepsWhileOpen(observed).flatMap((step) => {
    const number = String(step.number)
    const asked = observed.served.flat().filter(({ headers }) => headers[stepHeader] === number)
    const attempts = step.live.filter(({ kind }) => kind === 'model-attempt-started')
    return asked.length + attempts.length === 0
      ? []
      : [finding('breaker', `step ${number}: ${asked.length} requests while it is open`)]
  })
  return [...open, ...halfOpen]
}

export function stepsWhileOpen(observed: Observed): readonly Step[] {
  return stepsWhile(observed, 'open')
}

export function stepsWhile(
  { steps }: Observed,
  state: ReturnType<typeof breakerState>,
): readonly Step[] {
  let breaker = newBreaker
  return steps.filter(({ live, at }) => {
    const before = breakerState(breaker, at)
    breaker = breakerAfter(breaker, live, at)
    return before === state
  })
}

export function checkRecovery({ steps, summaries }: Observed): readonly Finding[] {
  const since = steps.find(({ phase }) => phase === 'ended')?.at ?? 0
  return summaries.some(({ createdAt }) => createdAt >= since)
    ? []
    : [finding('recovery', 'no summary was written when the faults were over')]
}
