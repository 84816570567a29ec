/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import type { Decision } from '../domain/decision.ts'
import type { Insert } from '../domain/insert.ts'
import type { View } from '../domain/view.ts'
import { basisText, changedBasis } from './basis.ts'
import { allFrom, beginAtFloor } from './begin-at-floor.ts'
import { isSame, withInsertsOf } from './begun-view.ts'
import { withNextApart } from './coming-message.ts'
import { consider } from './consider.ts'
import { causeOf } from './decide.ts'
import { consideredFrom, filledAs, readyLine, untilItFits } from './epoch-line.ts'
import { showSelected } from './fit-selection.ts'
import { type Chosen, type Held, nothingNew, type Projecting } from './projecting.ts'
import { openQuestion } from './recall-for-turn.ts'
import { selectBeside } from './select-beside.ts'
import { type Selecting, showSqueezed } from './select-with-past.ts'
import type { Candidate } from './selection.ts'
import type { Shown } from './show.ts'
import { hasFailed, summarize } from './summarize.ts'

export async function beginEpoch(
  asked: Projecting,
  measured: Held,
  decision: Decision,
  /** What the view that stands shows; null where there is none. */
  standing: Chosen | null,
): Promise<Chosen> {
  const ready = await readyLine(asked, decision)
  const filled = await filledAs(asked, decision, ready)
  const isReady = ready > 0 && filled.policy.fill === 'recent'
  const all = isReady ? untilItFits(measured) : measured
  const cause = causeOf(decision)
  const { view: before, last } = filled
  const considered = consideredFrom(await consider(filled, all, 1), ready)
  const everything = showEverything(filled, all, considered.candidates, decision)
  if (everything !== null && filled.floor > 0) return beginAtFloor(filled, all, considered, cause)
  if (everything !== null) {
    const view = { shown: everything, view: null, ...nothingNew }
    return before === null
      ? { ...view, epoch: last?.epoch ?? 1, began: null }
      : { ...view, epoch: before.epoch + 1, began: cause }
  }
  const question = await openQuestion(filled)
  const input = withInsertsOf(filled, question)
  const { held, selecting } = await selectBeside(input, all, considered, question)
  if (before === null && isAll(selecting))
    return {
      ...nothingNew,
      shown: selecting.shown,
      view: null,
      epoch: last?.epoch ?? 1,
      began: null,
    }
  const { chosen, written, overtaken } = await summarize(input, held, decision, selecting, standing)
  if (
    hasFailed(written) &&
    input.policy.onFailure === 'no-change' &&
    canStay(standing, decision, held)
  )
    return { ...standing, written, overtaken }
  const { shown, selected, squeezed, past, facts, record } = chosen
  const inLog = { ...withNextApart(selected, input), squeezed }
  const isTold = (past?.written?.id ?? null) === (before?.past?.written?.id ?? null)
  if (
    before !== null &&
    isTold &&
    changedBasis(before, input.basis) === null &&
    isSame(before, inLog)
  ) {
    const showWith = (inserts: readonly Insert[]) =>
      showSqueezed({ ...input, inserts }, held, chosen, { ...selected, past: before.past })
    const same = showWith(asked.inserts)
    const fits = held.plan.hard(same.size) <= held.plan.hardTokens
    if (fits)
      return {
        ...{ ...nothingNew, shown: same, view: before, epoch: before.epoch, began: null },
        ...{ showWith, written, overtaken },
      }
  }
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const basis = basisText(input.basis)
  // What is above the target came meanwhile, and can become less with the next summary.
  const { tokens } = shown.size
  const beganTokens = isReady ? Math.min(tokens, held.plan.budget.targetTokens) : tokens
  const view: View = { epoch, cause, ...inLog, past, basis, beganTokens }
  const showWith = (inserts: readonly Insert[]) =>
    showSqueezed({ ...input, inserts }, held, chosen, { ...selected, past })
  const inserts = input.inserts.map((insert) => ({ ...insert, epoch, opens: true }))
  const begun = { shown, showWith, view, epoch, began: cause, inserts }
  return { ...begun, facts, record, written, overtaken }
}

function isAll({ selected, squeezed }: Selecting): boolean {
  return selected.line === 0 && selected.stubs.length === 0 && squeezed === null
}

/** As it is, and though nothing was gained. */
function canStay(
  standing: Chosen | null,
  { reason }: Decision,
  { plan }: Held,
): standing is Chosen {
  const fits = standing !== null && plan.hard(standing.shown.size) <= plan.hardTokens
  return fits && reason !== 'provider-overflow'
}

function showEverything(
  input: Projecting,
  held: Held,
  candidates: readonly Candidate[],
  { kind }: Decision,
): Shown | null {
  // Only what keeps the line that there is makes it less than it was.
  if (
    input.policy.fill === 'recent' &&
    (kind === 'compact' || (input.view?.line ?? 0) > input.floor)
  )
    return null
  const { floor } = input
  const first = candidates[0]?.message.seq ?? floor
  if (first > floor) return null
  const { plan } = held
  const { triggerTokens, targetTokens } = plan.budget
  // Who compacts goes down to the target; otherwise there is no need before the trigger.
  const mostTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > mostTokens) return null
  const shown = showSelected(input, held, { candidates, task: null, known: [] }, allFrom(floor))
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= mostTokens ? shown : null
}
