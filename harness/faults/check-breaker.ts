/**
 * Checks the breaker. While it is open, rules answer at once and no model is called. Half open, it
 * allows one call, and more only if that one succeeded. After the faults are over and time has
 * passed, a summary is written again.
 */

import type { LiveEvent } from 'throughline'
import type { ServedRequest } from '../fault-server.ts'
import { stepHeader } from './observe-run.ts'
import { type Finding, finding, type Observed, type Step } from './observed.ts'

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
    : [finding('recovery', 'no summary was written after the faults were over')]
}

/**
 * The expected state of the breaker, computed from live events independently of the engine: two tries
 * in a row without a summary open it for five minutes, and each further one for twice as long, up
 * to an hour.
 */
interface KnownBreaker {
  readonly without: number
  readonly openings: number
  readonly openTo: number | null
}

export const newBreaker: KnownBreaker = { without: 0, openings: 0, openTo: null }

const minuteMs = 60_000

export function breakerState(
  { openTo }: KnownBreaker,
  now: number,
): 'closed' | 'open' | 'half-open' {
  if (openTo === null) return 'closed'
  return now < openTo ? 'open' : 'half-open'
}

export function breakerAfter(
  breaker: KnownBreaker,
  live: readonly LiveEvent[],
  at: number,
): KnownBreaker {
  return live.reduce((known, event) => afterEvent(known, event, at), breaker)
}

function afterEvent(breaker: KnownBreaker, event: LiveEvent, at: number): KnownBreaker {
  if (event.kind !== 'summarization-finished' && event.kind !== 'summarization-failed')
    return breaker
  const { attempts, why } = event.summarization
  if (attempts.length === 0 || why === 'aborted') return breaker
  if (why === null) return newBreaker
  // A summary may have been reported before a later try failed.
  const before = event.kind === 'summarization-finished' ? newBreaker : breaker
  const without = before.without + 1
  if (without < 2 && before.openTo === null) return { ...before, without }
  const openings = before.openings + 1
  const openMs = Math.min(60, 5 * 2 ** (openings - 1)) * minuteMs
  return { without, openings, openTo: at + openMs }
}

/** Everything that starts ends, once, before the context returns; each attempt is in the events. */
export function checkEnds({ steps, events }: Observed): readonly Finding[] {
  const tried = steps.flatMap(({ live }) =>
    live.filter(({ kind }) => kind === 'summarization-started'),
  ).length
  const kept = events.filter(({ kind }) => kind === 'summary-written' || kind === 'summary-failed')
  return [
    ...steps.flatMap(ofStep),
    ...(tried === kept.length
      ? []
      : [finding('ends', `${tried} summaries were started, ${kept.length} are in the events`)]),
  ]
}

function ofStep({ number, live }: Step): readonly Finding[] {
  const open = new Set<string>()
  const found: Finding[] = []
  for (const event of live) {
    const edge = edgeOf(event)
    if (edge === null) continue
    const { begins, name } = edge
    if (begins === open.has(name))
      found.push(
        finding(
          'ends',
          `step ${number}: ${name} ${begins ? 'starts twice' : 'ends without a start'}`,
        ),
      )
    if (begins) open.add(name)
    else open.delete(name)
  }
  return [
    ...found,
    ...[...open].map((name) => finding('ends', `step ${number}: ${name} never ends`)),
  ]
}

function edgeOf(event: LiveEvent): { readonly begins: boolean; readonly name: string } | null {
  switch (event.kind) {
    case 'summarization-started':
      return { begins: true, name: 'a summary' }
    case 'summarization-finished':
    case 'summarization-failed':
      return { begins: false, name: 'a summary' }
    case 'model-attempt-started':
      return { begins: true, name: `attempt ${event.number}` }
    case 'model-attempt-ended':
      return { begins: false, name: `attempt ${event.attempt.number}` }
    case 'context-warning':
    case 'recall-warning':
      return null
  }
}

/**
 * Counts requests at the servers: at most two with the same question, the second after a pause that
 * respects the server's request; at most as many as the policy allows for one compaction; each one
 * belongs to an attempt, and a strict provider accepts it.
 */
const mostTries = 2

export function checkTries(observed: Observed): readonly Finding[] {
  const questions = observed.served.map((requests) => [
    // Another compaction may have the same question.
    ...Map.groupBy(requests, questionOf).values(),
  ])
  return [
    ...questions.flatMap((of, server) => of.flatMap((same) => ofQuestion(observed, same, server))),
    ...observed.steps.flatMap((step) => triesOfStep(observed, step)),
  ]
}

export function checkStrict({ served }: Observed): readonly Finding[] {
  return served
    .flat()
    .filter(({ problems }) => problems.length > 0)
    .map(({ api, problems }) => finding('strict', `${api} refuses: ${problems.join('; ')}`))
}

const pauseMs = 250
// Clocks and timers are not that exact.
const toleranceMs = 15

function ofQuestion(
  { retryAfterMs }: Observed,
  same: readonly ServedRequest[],
  server: number,
): readonly Finding[] {
  const [first, second] = same
  if (first === undefined || second === undefined) return []
  const leastMs = first.status === 429 ? Math.max(pauseMs, retryAfterMs) : pauseMs
  const afterMs = second.startedAtMs - first.startedAtMs
  return [
    ...(same.length > mostTries
      ? [finding('tries', `server ${server} received the same question ${same.length} times`)]
      : []),
    // A client that left received no answer, so its pause starts then.
    ...(first.ended !== 'left' && afterMs < leastMs - toleranceMs
      ? [finding('tries', `server ${server}: retried after ${afterMs} ms instead of ${leastMs}`)]
      : []),
  ]
}

function questionOf({ headers, body }: ServedRequest): string {
  return `${headers[stepHeader]} ${JSON.stringify(body)}`
}

function triesOfStep({ served, callsMost }: Observed, { number, live }: Step): readonly Finding[] {
  const counts = served.map(
    (requests) => requests.filter(({ headers }) => headers[stepHeader] === String(number)).length,
  )
  const asked = counts.reduce((sum, count) => sum + count, 0)
  const attempts = live.filter(({ kind }) => kind === 'model-attempt-started').length
  const found: Finding[] = []
  if (asked > callsMost)
    found.push(finding('tries', `step ${number}: ${asked} requests, ${callsMost} are allowed`))
  if (asked > attempts)
    found.push(finding('tries', `step ${number}: ${asked} requests for ${attempts} attempts`))
  for (const of of triesOfModels(live))
    if (of.tries > mostTries)
      found.push(finding('tries', `step ${number}: ${of.model} failed ${of.tries} times`))
  return found
}

/** Consecutive failures of a model for one question. */
function triesOfModels(
  live: Step['live'],
): readonly { readonly model: string; readonly tries: number }[] {
  const ended = live.flatMap((event) =>
    event.kind === 'model-attempt-ended' && event.attempt.outcome.kind !== 'accepted'
      ? [event.attempt.model]
      : [],
  )
  return [...Map.groupBy(ended, (model) => model)].map(([model, all]) => ({
    model,
    tries: all.length,
  }))
}
