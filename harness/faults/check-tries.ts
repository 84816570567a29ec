/**
 * Counted at the servers: at most two requests with the same question, the second after a
 * pause, and after as long as the server asked for; at most as many as the
 * policy allows for one compaction, none that no attempt accounts for, and none that a strict
 * provider would refuse.
 */
import type { ServedRequest } from '../fault-server.ts'
import { stepHeader } from './asked-model.ts'
import { type Finding, finding } from './finding.ts'
import type { Observed, Step } from './observed.ts'

const mostTries = 2

export function checkTries(observed: Observed): readonly Finding[] {
  const questions = observed.served.map((requests) => [
    // Another compaction may have the same to ask.
    ...Map.groupBy(requests, questionOf).values(),
  ])
  return [
    ...questions.flatMap((of, server) => of.flatMap((same) => ofQuestion(observed, same, server))),
    ...observed.steps.flatMap((step) => ofStep(observed, step)),
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
      ? [finding('tries', `server ${server} was asked the same ${same.length} times`)]
      : []),
    // Whoever has left was not answered, and has waited from then on.
    ...(first.ended !== 'left' && afterMs < leastMs - toleranceMs
      ? [finding('tries', `server ${server}: again after ${afterMs} ms instead of ${leastMs}`)]
      : []),
  ]
}

function questionOf({ headers, body }: ServedRequest): string {
  return `${headers[stepHeader]} ${JSON.stringify(body)}`
}

function ofStep({ served, callsMost }: Observed, { number, live }: Step): readonly Finding[] {
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

/** Failures of a model in a row, for one question. */
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
