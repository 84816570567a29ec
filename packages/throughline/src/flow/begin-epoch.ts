/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import type { Decision } from '../domain/decision.ts'
import { isSpoken } from '../domain/turn.ts'
import type { View } from '../domain/view.ts'
import { basisText, changedBasis } from './basis.ts'
import { type Kept, nextOf, withNextApart } from './coming-message.ts'
import { causeOf } from './decide.ts'
import { pinSizes, type Shows, selectToFit, showSelected } from './fit-selection.ts'
import { lookBack } from './look-back.ts'
import type { Chosen, Held, Projecting } from './projecting.ts'
import { stubTokensOf } from './select-options.ts'
import type { Candidate, Considered } from './selection.ts'
import type { Shown } from './show.ts'

export async function beginEpoch(
  input: Projecting,
  held: Held,
  decision: Decision,
): Promise<Chosen> {
  const cause = causeOf(decision)
  const { view: before, last } = input
  const stubTokens = stubTokensOf(input.policy.stub, held.plan.availableTokens)
  let considered = await consider(input, held, stubTokens, 1)
  const everything = showEverything(input, held, considered.candidates, decision)
  if (everything !== null)
    return before === null
      ? { shown: everything, view: null, epoch: last?.epoch ?? 1, began: null }
      : { shown: everything, view: null, epoch: before.epoch + 1, began: cause }
  let { shown, selected, squeezed } = selectToFit(input, held, considered, stubTokens)
  // Where units had to become notes, older ones find room that nobody has looked at yet.
  for (const times of lookBackTimes) {
    const isAll = (considered.candidates[0]?.message.seq ?? 0) === 0
    if (isAll || shown.size.tokens >= held.plan.budget.targetTokens) break
    considered = await consider(input, held, stubTokens, times)
    ;({ shown, selected, squeezed } = selectToFit(input, held, considered, stubTokens))
  }
  const inLog = { ...withNextApart(selected, input), squeezed }
  if (before !== null && changedBasis(before, input.basis) === null && isSame(before, inLog))
    return { shown, view: before, epoch: before.epoch, began: null }
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const basis = basisText(input.basis)
  const view: View = { epoch, cause, ...inLog, basis, beganTokens: shown.size.tokens }
  return { shown, view, epoch, began: cause }
}

const lookBackTimes = [4, 16]

async function consider(
  input: Projecting,
  held: Held,
  stubTokens: number,
  times: number,
): Promise<Considered> {
  const { log, meter, view } = input
  const { candidates, task } = await lookBack({
    head: log.head,
    pins: pinSizes(input, held),
    availableTokens: held.plan.availableTokens * times,
    triggerTokens: held.plan.budget.triggerTokens,
    targetTokens: held.plan.budget.targetTokens * times,
    stubTokens,
    kept: { openings: view?.keeps ?? [], line: view?.line ?? 0 },
    meter,
    read: (span, except) => log.read(span, except),
    readBack: (from, limit) => log.readBack(from, limit),
  })
  const next = nextOf(input).map((message) => ({
    message,
    size: meter.closeSize(message),
    pinned: null,
  }))
  // What opens a turn ends the one before, and its task.
  const opens = nextOf(input).some(isSpoken)
  // In another history the same place is another message; another tokenizer cuts elsewhere.
  const changed = view === null ? null : changedBasis(view, input.basis)
  const isKnown = changed !== 'history-changed' && changed !== 'window-changed'
  return {
    candidates: [...candidates, ...next],
    task: opens ? null : task,
    known: isKnown ? (view?.stubs ?? []) : [],
  }
}

type Begun = Kept & Pick<View, 'squeezed'>

function isSame(view: View, { line, keeps, stubs, next, squeezed }: Begun): boolean {
  return (
    view.line === line &&
    view.squeezed === squeezed &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}

const allShown: Shows = { line: 0, keeps: [], stubs: [] }

function showEverything(
  input: Projecting,
  held: Held,
  candidates: readonly Candidate[],
  { kind }: Decision,
): Shown | null {
  const first = candidates[0]?.message.seq ?? 0
  if (first > 0) return null
  const { plan } = held
  const { triggerTokens, targetTokens } = plan.budget
  // Who compacts goes down to the target; otherwise there is no need before the trigger.
  const mostTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > mostTokens) return null
  const shown = showSelected(input, held, { candidates, task: null, known: [] }, allShown)
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= mostTokens ? shown : null
}
