/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import type { Decision } from '../../domain/decision.ts'
import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Shown } from '../assemble/show.ts'
import { causeOf } from '../decide/decide.ts'
import { type Chosen, type Held, nothingNew, type Projecting } from '../project/projecting.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import type { Candidate } from '../select/selection.ts'
import { showSelected } from '../select/show-selected.ts'
import { newView, viewThatStays, withInsertsOf } from './begun-view.ts'
import { consider, consideredFrom } from './consider.ts'
import { readyLine, withFill } from './epoch-line.ts'
import { untilItFits, untilItFitsAgain } from './other-budget.ts'
import { selectBeside } from './select-beside.ts'
import type { SelectedWithPast } from './select-with-past.ts'
import { allFrom, startAfterCovered } from './start-after-covered.ts'
import { hasFailed, type Summarized, summarize } from './summarize.ts'

export async function beginEpoch(
  input: Projecting,
  measured: Held,
  decision: Decision,
  /** What the view in force shows; null where there is none. */
  inForce: Chosen | null,
): Promise<Chosen> {
  const cause = causeOf(decision)
  const ready = await readyLine(input, decision)
  const byPolicy = await withFill(input, decision, ready)
  const isReady = ready > 0 && byPolicy.policy.fill === 'recent'
  const roomy = isReady ? untilItFits(measured) : roomFor(input, measured, decision)
  const considered = consideredFrom(await consider(byPolicy, roomy, 1), ready)
  const everything = showEverything(byPolicy, roomy, considered.candidates, decision)
  if (everything !== null && input.coveredTo > 0)
    return startAfterCovered(byPolicy, roomy, considered, cause)
  if (everything !== null) return withoutView(input, everything, cause)
  const question = await openQuestion(byPolicy)
  const carried = withInsertsOf(byPolicy, question)
  const { held, selection } = await selectBeside(carried, roomy, considered, question)
  if (input.view === null && isAll(selection)) return withoutView(input, selection.shown, cause)
  const summarized = await summarize(carried, held, decision, selection, inForce)
  if (isUnsummarized(carried, decision, summarized)) {
    const { written, overtaken } = summarized
    if (canStay(inForce, decision, held)) return { ...inForce, written, overtaken }
    // The window asks for more room, and without a summary only what must go is to go.
    if (byPolicy.policy.fill === 'recent')
      return { ...(await beginEpoch(input, measured, trimmed(decision), inForce)), written }
  }
  return (
    viewThatStays(carried, held, summarized, input.inserts) ??
    newView(carried, held, summarized, { cause, isReady })
  )
}

/** Everything is shown: there is no line, and nothing to keep. */
function withoutView({ view, last }: Projecting, shown: Shown, cause: EpochCause): Chosen {
  const shows = { ...nothingNew, shown, view: null }
  return view === null
    ? { ...shows, epoch: last?.epoch ?? 1, began: null }
    : { ...shows, epoch: view.epoch + 1, began: cause }
}

function trimmed(decision: Decision): Decision {
  return { ...decision, kind: 'trim' }
}

function roomFor({ policy }: Projecting, held: Held, { kind }: Decision): Held {
  return kind === 'trim' && policy.fill === 'recent' ? untilItFitsAgain(held) : held
}

/** A compaction without a summary of what would leave, by a policy that makes none without. */
function isUnsummarized(
  { policy, writer, coveredTo }: Projecting,
  { kind }: Decision,
  { selection, written, overtaken }: Summarized,
): boolean {
  if (policy.onFailure !== 'no-change' || writer === null || kind !== 'compact' || overtaken)
    return false
  if (written !== null) return hasFailed(written)
  return Math.max(selection.summary?.covers.to ?? 0, coveredTo) < selection.selected.line
}

function isAll({ selected, squeezed }: SelectedWithPast): boolean {
  return selected.line === 0 && selected.stubs.length === 0 && squeezed === null
}

/** As it is, and though nothing was gained. */
function canStay(inForce: Chosen | null, { reason }: Decision, { plan }: Held): inForce is Chosen {
  const fits = inForce !== null && plan.hard(inForce.shown.size) <= plan.hardTokens
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
    (kind === 'compact' || (input.view?.line ?? 0) > input.coveredTo)
  )
    return null
  const { coveredTo } = input
  const first = candidates[0]?.message.seq ?? coveredTo
  if (first > coveredTo) return null
  const { plan } = held
  const { triggerTokens, targetTokens } = plan.budget
  // Who compacts goes down to the target; otherwise there is no need before the trigger.
  const mostTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > mostTokens) return null
  const shown = showSelected(input, held, { candidates, task: null, known: [] }, allFrom(coveredTo))
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= mostTokens ? shown : null
}
