/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */
import { resolveAmount } from '../domain/amount.ts'
import type { EpochCause } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Policy } from '../domain/policy.ts'
import { addSizes, type Size } from '../domain/size.ts'
import { isSpoken } from '../domain/turn.ts'
import type { View } from '../domain/view.ts'
import { basisText, changedBasis } from './decide.ts'
import { lookBack } from './look-back.ts'
import { noSupplied, noteSize, requestFrame } from './measure-held.ts'
import { contextOverflow } from './plan-budget.ts'
import type { Chosen, Held, Projecting } from './projecting.ts'
import { select } from './select.ts'
import type { Candidate, Considered, Selected } from './selection.ts'
import { type Shown, show } from './show.ts'
import { pinBlock } from './slots.ts'

export async function beginEpoch(
  input: Projecting,
  held: Held,
  cause: EpochCause,
): Promise<Chosen> {
  const { view: before, last } = input
  const stubTokens = stubTokensOf(input, held)
  let considered = await consider(input, held, stubTokens, 1)
  const everything = showEverything(input, held, considered.candidates)
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
    tasks: view?.keeps ?? [],
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

function pinSizes({ meter }: Projecting, { pinned }: Held): ReadonlyMap<Seq, Size> {
  return new Map(pinned.map((message) => [message.seq, meter.closeSize(pinBlock(message))]))
}

export function nextOf({ next }: Projecting): readonly Message[] {
  return next === null ? [] : [next.message]
}

/** Which messages a view shows, and how. */
type Shows = Pick<View, 'line' | 'keeps' | 'stubs'>

type Kept = Pick<View, 'line' | 'keeps' | 'stubs' | 'next'>

type Begun = Kept & Pick<View, 'squeezed'>

/** A view is of the log: what has no place in it yet may never get it. */
function withNextApart({ line, keeps, stubs }: Selected, { log, next }: Projecting): Kept {
  const stub = stubs.find(({ seq }) => seq === log.head) ?? null
  const isShort = stub !== null || line > log.head
  return {
    line: Math.min(line, log.head),
    keeps: keeps.filter((seq) => seq < log.head),
    stubs: stubs.filter(({ seq }) => seq < log.head),
    next:
      next === null || !isShort ? null : { seq: log.head, hash: next.message.hashes.content, stub },
  }
}

function isSame(view: View, { line, keeps, stubs, next, squeezed }: Begun): boolean {
  return (
    view.line === line &&
    view.squeezed === squeezed &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}

/** A view with what was to come next among its stubs, where that is what came. */
export function withNext(
  { line, keeps, stubs, next }: View,
  messages: readonly Message[],
): { readonly selected: Shows; readonly messages: readonly Message[] } {
  const isNext = ({ seq, hashes }: Message) =>
    next !== null && seq === next.seq && hashes.content === next.hash
  if (next === null || !messages.some(isNext)) return { selected: { line, keeps, stubs }, messages }
  return {
    selected:
      next.stub === null
        ? { line: next.seq + 1, keeps, stubs }
        : { line, keeps, stubs: [...stubs, next.stub] },
    messages: messages.filter((message) => !isNext(message)),
  }
}

function stubTokensOf({ policy: { stub } }: Projecting, { plan }: Held): number {
  const tokens = resolveAmount(stub.tokens, plan.availableTokens)
  return Math.min(stub.most, Math.max(stub.least, tokens))
}

const allShown: Shows = { line: 0, keeps: [], stubs: [] }

function showEverything(
  input: Projecting,
  held: Held,
  candidates: readonly Candidate[],
): Shown | null {
  const first = candidates[0]?.message.seq ?? 0
  if (first > 0) return null
  const { plan } = held
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > plan.budget.triggerTokens) return null
  const shown = showSelected(input, held, { candidates, task: null, known: [] }, allShown)
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= plan.budget.triggerTokens ? shown : null
}

const attempts = 8

/** Mending adds to what was selected, so we look, and select again with less. */
function selectToFit(
  input: Projecting,
  held: Held,
  considered: Considered,
  stubTokens: number,
): Fitted {
  const { meter, policy } = input
  const { plan } = held
  const first = considered.candidates[0]?.message.seq ?? input.log.head
  const pins = [...pinSizes(input, held)].flatMap(([seq, size]) => (seq < first ? [size] : []))
  for (const squeezed of [null, 'texts', 'texts and role'] as const) {
    const { input: variant, held: left } = squeeze(input, held, squeezed)
    const { supplied } = left
    let hardTokens = plan.hardTokens
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { system, tools } = held.sizes
      const note = noteSize(input.log.head, meter)
      const fixed = addSizes([requestFrame(meter), system, tools, ...pins, supplied.size, note])
      const selected = select(considered, {
        fixed,
        limits: {
          targetTokens: plan.budget.targetTokens,
          availableTokens: plan.availableTokens,
          hard: plan.hard,
          hardTokens: attempt === attempts - 1 ? 0 : hardTokens,
        },
        keepRecentMessages: policy.keepRecent.messages,
        stubTokens,
        stubLeastTokens: policy.stub.least,
        meter,
      })
      const shown = showSelected(variant, left, considered, selected)
      const over = plan.hard(shown.size) - plan.hardTokens
      if (over <= 0) return { shown, selected, squeezed }
      // It may have thought to be far below: what it thought is what has to become less.
      hardTokens = Math.min(hardTokens, plan.hard(selected.size)) - over - 8
    }
  }
  throw contextOverflow(plan, held.sizes, meter.card.id)
}

interface Fitted {
  readonly shown: Shown
  readonly selected: Selected
  readonly squeezed: View['squeezed']
}

/** The last resorts: without the caller's texts, and no note told as the system's word. */
export function squeeze(
  input: Projecting,
  held: Held,
  squeezed: View['squeezed'],
): { readonly input: Projecting; readonly held: Held } {
  if (squeezed === null) return { input, held }
  const less = { ...held, supplied: noSupplied }
  if (squeezed === 'texts') return { input, held: less }
  const policy: Policy = { ...input.policy, derivedRole: 'user-message' }
  return { input: { ...input, policy }, held: less }
}

function showSelected(
  input: Projecting,
  held: Held,
  { candidates, task }: Considered,
  selected: Shows,
): Shown {
  const stubbed = new Set(selected.stubs.map(({ seq }) => seq))
  const messages = [...(task === null ? [] : [task]), ...candidates]
    .map(({ message }) => message)
    .filter(({ seq }) => seq >= selected.line || selected.keeps.includes(seq))
    .filter(({ seq }) => !stubbed.has(seq))
  return showView(input, held, selected, messages)
}

export function showView(
  { request, policy, meter }: Projecting,
  { supplied, pinned, sizes, plan }: Held,
  view: Shows,
  messages: readonly Message[],
): Shown {
  const { profile, retrieved } = supplied
  const { system } = request
  const { tools } = sizes
  const fits = (size: Size) => plan.hard(size) <= plan.hardTokens
  return show({ view, messages, pinned, profile, retrieved, system, tools, policy, meter, fits })
}
