/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import { resolveAmount } from '../domain/amount.ts'
import type { Decision } from '../domain/decision.ts'
import type { Seq } from '../domain/ids.ts'
import type { Past } from '../domain/past.ts'
import { addSizes, noSize, type Size } from '../domain/size.ts'
import { isSpoken } from '../domain/turn.ts'
import type { View } from '../domain/view.ts'
import { basisText, changedBasis } from './basis.ts'
import { type Kept, nextOf, withNextApart } from './coming-message.ts'
import { causeOf } from './decide.ts'
import { pastDigester } from './digest-past.ts'
import {
  type Fitted,
  pinSizes,
  type Shows,
  selectToFit,
  showSelected,
  squeeze,
} from './fit-selection.ts'
import { lookBack } from './look-back.ts'
import type { Meter } from './measure.ts'
import { contextOverflow } from './plan-budget.ts'
import type { Chosen, Held, NotedFacts, Projecting } from './projecting.ts'
import { hasRoom, type PastLimits, type RenderedPast, renderPast } from './render-past.ts'
import { stubTokensOf } from './select-options.ts'
import type { Candidate, Considered, Selected } from './selection.ts'
import type { Shown } from './show.ts'
import { pastMessages } from './slots.ts'
import { type TellToolLines, toolLinesTeller } from './tell-tool-lines.ts'

export async function beginEpoch(
  input: Projecting,
  held: Held,
  decision: Decision,
): Promise<Chosen> {
  const cause = causeOf(decision)
  const { view: before, last } = input
  const considered = await consider(input, held, 1)
  const everything = showEverything(input, held, considered.candidates, decision)
  if (everything !== null) {
    const view = { shown: everything, view: null, facts: null }
    return before === null
      ? { ...view, epoch: last?.epoch ?? 1, began: null }
      : { ...view, epoch: before.epoch + 1, began: cause }
  }
  const chosen = await selectWithPast(input, held, considered)
  const { shown, selected, squeezed, past, facts } = chosen
  const inLog = { ...withNextApart(selected, input), squeezed }
  if (before !== null && changedBasis(before, input.basis) === null && isSame(before, inLog)) {
    const same = showSqueezed(input, held, chosen, { ...selected, past: before.past })
    const fits = held.plan.hard(same.size) <= held.plan.hardTokens
    if (fits) return { shown: same, view: before, epoch: before.epoch, began: null, facts: null }
  }
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const basis = basisText(input.basis)
  const view: View = { epoch, cause, ...inLog, past, basis, beganTokens: shown.size.tokens }
  return { shown, view, epoch, began: cause, facts }
}

interface Selecting extends Fitted {
  readonly considered: Considered
  readonly past: Past | null
  readonly facts: NotedFacts | null
}

/**
 * What stands for the past needs room, and how much is known only when it is known what
 * the past is: so there are a few rounds, each with what the one before has found out.
 */
async function selectWithPast(
  input: Projecting,
  held: Held,
  first: Considered,
): Promise<Selecting> {
  const { meter, log } = input
  const { plan } = held
  const limits = pastLimits(input, held)
  const digestTo = pastDigester(log, input.past)
  let considered = first
  let reserved = sizeOfTokens(limits.summaryTokens + limits.ledgerTokens)
  let found: Selecting | null = null
  const toolLines = tellerOf(input)
  for (const share of hasRoom(limits) || toolLines !== null ? shares : []) {
    const fitted = await selectFrom(input, held, considered, reserved)
    if (fitted === null) break
    // Most stubs are the same in the next round.
    considered = {
      ...fitted.considered,
      known: [...fitted.considered.known, ...fitted.selected.stubs],
    }
    const { line } = fitted.selected
    const noted = notedTo(fitted.selected, log.head)
    const digested = noted === 0 ? null : await digestTo(noted)
    const kept = keptTokens(fitted.selected, considered)
    const most: PastLimits = {
      saidTokens: Math.max(0, limits.saidTokens - kept) * share,
      summaryTokens: limits.summaryTokens * share,
      ledgerTokens: limits.ledgerTokens * share,
    }
    const beside = fitted.shown.rendered.map(({ message }) => message)
    const rendered =
      digested &&
      (await renderPast(digested, fitted.selected, {
        limits: most,
        meter,
        messages: beside,
        toolLines,
      }))
    const past = rendered && datedPast(rendered, input)
    const size = pastSize({ line, past }, meter)
    const shown = showSqueezed(input, held, fitted, { ...fitted.selected, past })
    const fits = plan.hard(shown.size) <= plan.hardTokens
    if (fits) {
      found = { ...fitted, shown, past, facts: digested }
      const isFilled = shown.size.tokens >= plan.budget.targetTokens
      const isReserved = size.tokens <= reserved.tokens * reservedRatio
      if ((isFilled && isReserved) || reserved.tokens === size.tokens) return found
    }
    reserved = fits ? size : addSizes([size, sizeOfTokens(overshootTokens)])
  }
  if (found !== null) return found
  const fitted = await selectFrom(input, held, considered, noSize)
  if (fitted === null) throw contextOverflow(plan, held.sizes, meter.card.id)
  return { ...fitted, past: null, facts: null }
}

/** Null where the policy asks for a chronicle. */
function tellerOf({ log, view, policy, basis, meter }: Projecting): TellToolLines | null {
  const { narrative } = policy
  if (narrative.style === 'chronicle') return null
  const isOther = view === null || changedBasis(view, basis) === 'history-changed'
  return toolLinesTeller(log, isOther ? null : (view.past?.digest ?? null), narrative, meter)
}

function datedPast(past: RenderedPast, { view, now }: Projecting): Past {
  return { ...past, createdAt: view?.past?.createdAt ?? now, updatedAt: now }
}

function showSqueezed(
  input: Projecting,
  held: Held,
  { considered, squeezed }: Pick<Selecting, 'considered' | 'squeezed'>,
  shows: Shows,
): Shown {
  const { input: variant, held: left } = squeeze(input, held, squeezed)
  return showSelected(variant, left, considered, shows)
}

/** What was shortened is in the ledger as well as what is not shown at all. */
function notedTo({ line, stubs }: Selected, head: Seq): Seq {
  return Math.min(head, Math.max(line, (stubs.at(-1)?.seq ?? -1) + 1))
}

/** What of the past is shown itself: words of users, mostly. */
function keptTokens({ keeps, stubs }: Selected, { candidates, task }: Considered): number {
  const sizes = new Map([
    ...[...candidates, ...(task === null ? [] : [task])].map(
      ({ message, size }) => [message.seq, size.tokens] as const,
    ),
    ...stubs.map(({ seq, size }) => [seq, size.tokens] as const),
  ])
  return keeps.reduce((sum, seq) => sum + (sizes.get(seq) ?? 0), 0)
}

/** Where it does not fit, there is less of it in the next round. */
const shares = [1, 1, 0.6, 0.3]
const reservedRatio = 1.05
const overshootTokens = 64

function sizeOfTokens(tokens: number): Size {
  return { tokens, wire: Math.ceil(tokens * writtenRatio) }
}

// Line ends and quotes are escaped.
const writtenRatio = 1.15

function pastSize(view: Pick<View, 'line' | 'past'>, meter: Meter): Size {
  const { summary, ledger } = pastMessages(view)
  return addSizes([...summary, ...ledger].map((message) => meter.closeSize(message)))
}

function pastLimits({ policy }: Projecting, { plan }: Held): PastLimits {
  const shareOf = (kind: 'summary' | 'ledger') => {
    const slot = policy.slots.find((each) => each.kind === kind)
    const tokens = slot?.share === undefined ? 0 : resolveAmount(slot.share, plan.freeTokens)
    return Math.min(tokens, slot?.most ?? tokens)
  }
  const asked = shareOf('summary') + shareOf('ledger')
  const room = (plan.budget.targetTokens - plan.heldTokens) * pastShare
  // What was said last is not driven out by what is known of the rest.
  const share = Math.min(1, room / Math.max(1, asked))
  return {
    saidTokens: resolveAmount(policy.said, plan.freeTokens),
    summaryTokens: Math.floor(shareOf('summary') * share),
    ledgerTokens: Math.floor(shareOf('ledger') * share),
  }
}

const pastShare = 0.65

/** Where units had to become notes, older ones find room that nobody has looked at yet. */
async function selectFrom(
  input: Projecting,
  held: Held,
  first: Considered,
  reserved: Size,
): Promise<(Fitted & { readonly considered: Considered }) | null> {
  const stubTokens = stubTokensOf(input.policy.stub, held.plan.availableTokens)
  let considered = first
  let fitted = selectToFit(input, held, considered, stubTokens, reserved)
  for (const times of lookBackTimes) {
    const isAll = (considered.candidates[0]?.message.seq ?? 0) === 0
    const filledTokens = (fitted?.shown.size.tokens ?? 0) + reserved.tokens
    if (isAll || fitted === null || filledTokens >= held.plan.budget.targetTokens) break
    considered = await consider(input, held, times)
    fitted = selectToFit(input, held, considered, stubTokens, reserved)
  }
  return fitted && { ...fitted, considered }
}

const lookBackTimes = [4, 16]

async function consider(input: Projecting, held: Held, times: number): Promise<Considered> {
  const { log, meter, view } = input
  const stubTokens = stubTokensOf(input.policy.stub, held.plan.availableTokens)
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

const allShown: Shows = { line: 0, keeps: [], stubs: [], past: null }

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
