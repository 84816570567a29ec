/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import type { Decision } from '../domain/decision.ts'
import type { Seq } from '../domain/ids.ts'
import { isSpoken } from '../domain/turn.ts'
import type { View } from '../domain/view.ts'
import { cannotWait, readyTo } from './await-summary.ts'
import { basisText, changedBasis } from './basis.ts'
import { type Kept, withNextApart } from './coming-message.ts'
import { consider } from './consider.ts'
import { causeOf } from './decide.ts'
import { type Shows, showSelected } from './fit-selection.ts'
import type { Chosen, Held, Projecting } from './projecting.ts'
import { type Selecting, selectWithPast, showSqueezed } from './select-with-past.ts'
import type { Candidate, Considered } from './selection.ts'
import type { Shown } from './show.ts'
import { hasFailed, summarize } from './summarize.ts'

export async function beginEpoch(
  asked: Projecting,
  held: Held,
  decision: Decision,
  /** What the view that stands shows; null where there is none. */
  standing: Chosen | null,
): Promise<Chosen> {
  const ready = await readyLine(asked, decision)
  const input = await filledAs(asked, decision, ready)
  const cause = causeOf(decision)
  const { view: before, last } = input
  const considered = from(await consider(input, held, 1), ready)
  const everything = showEverything(input, held, considered.candidates, decision)
  if (everything !== null) {
    const view = {
      shown: everything,
      view: null,
      facts: null,
      record: null,
      written: null,
      overtaken: false,
    }
    return before === null
      ? { ...view, epoch: last?.epoch ?? 1, began: null }
      : { ...view, epoch: before.epoch + 1, began: cause }
  }
  const selecting = await selectWithPast(input, held, considered)
  if (before === null && isAll(selecting))
    return {
      ...{ shown: selecting.shown, view: null, epoch: last?.epoch ?? 1, began: null },
      ...{ facts: null, record: null, written: null, overtaken: false },
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
    const same = showSqueezed(input, held, chosen, { ...selected, past: before.past })
    const fits = held.plan.hard(same.size) <= held.plan.hardTokens
    if (fits)
      return {
        shown: same,
        view: before,
        epoch: before.epoch,
        began: null,
        facts: null,
        record: null,
        written,
        overtaken,
      }
  }
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const basis = basisText(input.basis)
  const view: View = { epoch, cause, ...inLog, past, basis, beganTokens: shown.size.tokens }
  return { shown, view, epoch, began: cause, facts, record, written, overtaken }
}

/**
 * Policies that keep only the newest messages do so when they compact. Where only what must
 * go is to go, they are like others; and what is made anew for another reason keeps its line,
 * or begins where the last summary ends: of a fork, or for another model.
 */
async function filledAs(input: Projecting, { kind }: Decision, ready: Seq): Promise<Projecting> {
  const { policy, view, log } = input
  if (policy.fill === 'target' || (kind === 'compact' && ready === 0)) return input
  if (kind === 'compact')
    return { ...input, policy: { ...policy, keepRecent: { messages: log.head - ready } } }
  if (kind === 'trim') return { ...input, policy: { ...policy, fill: 'target' } }
  const line = view === null ? await summarizedTo(input) : keptLine(view, input)
  return { ...input, policy: { ...policy, keepRecent: { messages: Math.max(2, log.head - line) } } }
}

/** Where a summary was waited for, the epoch begins where that ends; 0 where none was. */
async function readyLine(input: Projecting, decision: Decision): Promise<Seq> {
  const { policy, writer, view, log } = input
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await readyTo(input)
  return to > (view?.line ?? 0) && to < log.head - 1 ? to : 0
}

/** What is told already is not shown; what opened the running turn is. */
function from(considered: Considered, line: Seq): Considered {
  const { candidates, task } = considered
  const left = candidates.filter(({ message }) => message.seq >= line)
  if (left.length === candidates.length) return considered
  const isOpened = left.some(({ message }) => isSpoken(message))
  const opening = candidates.findLast(({ message }) => message.seq < line && isSpoken(message))
  return { ...considered, candidates: left, task: isOpened ? null : (opening ?? task) }
}

/** What models have told already is not told again. */
async function summarizedTo({ past, log, styles }: Projecting): Promise<Seq> {
  if (styles.length === 0) return 0
  return (await past.summaryBefore(log.head))?.covers.to ?? 0
}

function keptLine(view: View, { basis }: Projecting): Seq {
  return changedBasis(view, basis) === 'history-changed' ? 0 : view.line
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

type Begun = Kept & Pick<View, 'squeezed'>

function isSame(view: View, { line, keeps, stubs, next, squeezed }: Begun): boolean {
  return (
    view.line === line &&
    view.squeezed === squeezed &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}

const allShown: Shows = { line: 0, keeps: [], stubs: [], past: null }

function showEverything(
  input: Projecting,
  held: Held,
  candidates: readonly Candidate[],
  { kind }: Decision,
): Shown | null {
  // Only what keeps the line that there is makes it less than it was.
  if (input.policy.fill === 'recent' && (kind === 'compact' || (input.view?.line ?? 0) > 0))
    return null
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
