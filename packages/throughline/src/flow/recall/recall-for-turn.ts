/**
 * Automatic recall: inserts the best hidden matches before a user message, once, for the rest of
 * the epoch.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { resolveAmount } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { Insert, View } from '../../domain/view.ts'
import { recalledMessage } from '../assemble/slots.ts'
import type { ContextInputs, FixedParts, RenderedRequest, ViewOutcome } from '../project/records.ts'
import { nextMessages } from '../project/render-view.ts'
import { textOfParts } from '../text/message-text.ts'
import { unsearchedText } from '../text/page-text.ts'
import { type RecallResult, recall, type Sought } from './recall.ts'
import { rangesOf, rangeText } from './recalled-text.ts'

/** The user's unanswered message; null if there is none. */
export async function openQuestion(input: ContextInputs): Promise<Message | null> {
  const { log, policy, recaller } = input
  if (policy.recall === null || recaller === null) return null
  const [coming] = nextMessages(input)
  const newest = coming ?? (await log.readBack(log.head, 1)).at(-1)
  return newest !== undefined && isSpoken(newest) ? newest : null
}

/** `most`: for one question. `total`: the size of an epoch's first request, recall included. */
export function recallLimits({ policy }: ContextInputs, { plan }: FixedParts) {
  const rules = policy.recall
  if (rules === null) return { most: 0, total: 0 }
  const most = Math.min(rules.most, resolveAmount(rules.share, plan.freeTokens))
  const total = Math.min(
    plan.protectedTokens + resolveAmount(rules.upTo, plan.freeTokens),
    plan.budget.triggerTokens,
  )
  return { most, total }
}

/** How many tokens recall could use, before the selection is known. */
export async function recallableTokens(
  input: ContextInputs,
  fixed: FixedParts,
  question: Message,
): Promise<number> {
  const { most, total } = recallLimits(input, fixed)
  const { protectedTokens, budget } = fixed.plan
  const shownTokens = Math.max(0, Math.min(budget.targetTokens, total - most) - protectedTokens)
  const sought = { tokens: most, room: most, before: question.seq, isHidden: () => true }
  const { pieces, unsearched } = await recallFrom(input, question, sought)
  let newest = shownTokens / tokensPerCharacter
  const { log } = input
  // Messages that are shown in any case are not recalled.
  const recent = new Set<Seq>()
  for (const { seq, parts } of (await log.readBack(log.head, recentMessages)).toReversed()) {
    newest -= textOfParts(parts).length
    if (newest < 0) break
    recent.add(seq)
  }
  const old = pieces.filter(({ message }) => !recent.has(message.seq))
  if (old.length === 0) return 0
  const text = insertText({ pieces: old, unsearched })
  return Math.min(most, input.meter.text(text) + blockTokens(input))
}

const tokensPerCharacter = 0.3
const recentMessages = 64

/** Null if nothing hidden is found. */
async function recalledFor(
  input: ContextInputs,
  question: Message,
  view: Pick<View, 'epoch' | 'insertsOf' | 'line' | 'keeps'>,
  limits: Pick<Sought, 'tokens' | 'room'> & { readonly opens: boolean },
): Promise<Insert | null> {
  const recalled = input.inserts.flatMap(({ sources }) => sources)
  const isRecalled = (seq: Seq) => recalled.some(({ from, to }) => seq >= from && seq < to)
  const shown = new Set([...view.keeps, ...input.log.pins])
  const isHidden = (seq: Seq) => seq < view.line && !shown.has(seq) && !isRecalled(seq)
  const { tokens, room, opens } = limits
  const sought = { tokens, room, before: view.line, isHidden }
  const found = await recallFrom(input, question, sought)
  if (found.pieces.length === 0) return null
  return {
    epoch: view.insertsOf ?? view.epoch,
    before: question.seq,
    of: question.hashes.content,
    text: insertText(found),
    opens,
    sources: rangesOf(found.pieces).map(({ span }) => span),
  }
}

async function recallFrom(
  input: ContextInputs,
  question: Message,
  { tokens, room, ...sought }: Pick<Sought, 'tokens' | 'room' | 'before' | 'isHidden'>,
): Promise<RecallResult> {
  const { recaller, log, meter } = input
  if (recaller === null) return { pieces: [], unsearched: null }
  const words = textOfParts(question.parts.filter(({ type }) => type === 'text'))
  return recall(recaller, log, {
    ...sought,
    question: words,
    tokens: tokens - blockTokens(input),
    room: room - blockTokens(input),
    isUnasked: true,
    count: meter.text,
  })
}

/** For the label, its mark and the frame of a message. */
function blockTokens({ meter }: ContextInputs): number {
  return meter.message(recalledMessage({ text: '' })) + otherMarkTokens
}

// The mark differs from text to text.
const otherMarkTokens = 6

function insertText({ pieces, unsearched }: RecallResult): string {
  const note = unsearched === null ? [] : [unsearchedText(unsearched)]
  return [...rangesOf(pieces).map(rangeText), ...note].join('\n\n')
}

/** Adds recalled text to the outcome, if the question has none yet. */
export async function withRecalled(
  input: ContextInputs,
  fixed: FixedParts,
  chosen: ViewOutcome,
): Promise<ViewOutcome> {
  const { view, shown, renderWith, epochCause } = chosen
  if (view === null || renderWith === null) return chosen
  const question = await openQuestion(input)
  const inForce = epochCause === null ? input.inserts : chosen.inserts
  if (question === null) return chosen
  const { seq, hashes } = question
  if (inForce.some(({ before, of }) => before === seq && of === hashes.content)) return chosen
  const { most } = recallLimits(input, fixed)
  const room =
    epochCause === null
      ? roomInEpoch(input, fixed, shown, inForce)
      : roomToBegin(input, fixed, shown)
  // Text that was recalled for a message that was never appended is not shown.
  const recalled = shown.rendered
    .filter(({ message }) => message.slot === 'recalled')
    .map(({ message }) => textOfParts(message.parts))
  const shownInserts = inForce.filter(({ text }) => recalled.some((each) => each.includes(text)))
  const insert = await recalledFor({ ...input, inserts: shownInserts }, question, view, {
    tokens: most,
    room,
    opens: epochCause !== null,
  })
  if (insert === null) return chosen
  const withIt = renderWith([...inForce, insert])
  if (fixed.plan.tokensAgainstLimit(withIt.size) > fixed.plan.limitTokens) return chosen
  const beganTokens = epochCause === null ? view.beganTokens : withIt.size.tokens
  return {
    ...chosen,
    shown: withIt,
    view: epochCause === null ? view : { ...view, beganTokens },
    inserts: [...chosen.inserts, insert],
  }
}

/** Recall never ends an epoch: it takes part of the free room, up to a share in total. */
function roomInEpoch(
  input: ContextInputs,
  fixed: FixedParts,
  shown: RenderedRequest,
  inForce: readonly Insert[],
): number {
  const { triggerTokens } = fixed.plan.budget
  const left = (triggerTokens - shown.size.tokens) * leftShare
  const recalled = inForce.filter(({ opens }) => !opens).map(({ text }) => input.meter.text(text))
  const together = recalled.reduce((sum, tokens) => sum + tokens + blockTokens(input), 0)
  const share = fixed.plan.freeTokens * lastingShare - together
  return Math.floor(Math.min(left, share, hardRoom(fixed, shown)))
}

const leftShare = 0.3
const lastingShare = 0.1

function roomToBegin(input: ContextInputs, fixed: FixedParts, shown: RenderedRequest): number {
  const { most, total } = recallLimits(input, fixed)
  const { triggerTokens } = fixed.plan.budget
  // If the kept messages are larger than planned, recall gets less.
  const left = Math.max(total - shown.size.tokens, (triggerTokens - shown.size.tokens) * leftShare)
  return Math.floor(Math.min(most, left, hardRoom(fixed, shown)))
}

function hardRoom({ plan }: FixedParts, { size }: RenderedRequest): number {
  return (plan.limitTokens - plan.tokensAgainstLimit(size)) / wireRatio
}

// In the request's JSON, with escaped line ends.
const wireRatio = 1.3
