/** Automatic recall: inserts the best hidden matches before a user message, for the whole epoch. */
import { shortHash, spellingText } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import { type Message, textOf } from '../../domain/message.ts'
import { resolveAmount } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import { typedIn } from '../../domain/typed-in.ts'
import type { Insert, View } from '../../domain/view.ts'
import { isInsertOf, recalledMessage } from '../assemble/slots.ts'
import type { ContextInputs, FixedParts, RenderedRequest, ViewOutcome } from '../project/records.ts'
import { unsearchedText } from '../text/page-text.ts'
import { textOfParts } from '../text/readable-text.ts'
import { type RecallQuery, type RecallResult, recall } from './recall.ts'
import { rangesOf, rangeText } from './recalled-text.ts'

/** The user's unanswered message; null if there is none. */
export async function openQuestion(input: ContextInputs): Promise<Message | null> {
  const { log, policy, recaller } = input
  if (policy.recall === null || recaller === null) return null
  const newest = input.next ?? (await log.readBack(log.head, 1)).at(-1)
  return newest !== undefined && isSpoken(newest) ? newest : null
}

/** `maxTokens`: for one question. `totalTokens`: for an epoch's first request, recall included. */
export function recallLimits({ policy }: ContextInputs, { plan }: FixedParts) {
  const rules = policy.recall
  if (rules === null) return { maxTokens: 0, totalTokens: 0 }
  const maxTokens = Math.min(rules.most, resolveAmount(rules.share, plan.freeTokens))
  const totalTokens = Math.min(
    plan.protectedTokens + resolveAmount(rules.upTo, plan.freeTokens),
    plan.budget.triggerTokens,
  )
  return { maxTokens, totalTokens }
}

/** How many tokens recall could use, before the selection is known. */
export async function recallableTokens(
  input: ContextInputs,
  fixed: FixedParts,
  question: Message,
): Promise<number> {
  const { maxTokens, totalTokens } = recallLimits(input, fixed)
  const { protectedTokens, budget } = fixed.plan
  const shownTokens = Math.min(budget.targetTokens, totalTokens - maxTokens) - protectedTokens
  const { pieces, unsearched } = await recallFrom(input, question, {
    tokens: maxTokens,
    roomTokens: maxTokens,
    before: question.seq,
    isHidden: () => true,
  })
  const { log } = input
  // Messages that are shown in any case are not recalled.
  const recent = new Set<Seq>()
  let charactersLeft = Math.max(0, shownTokens) / tokensPerCharacter
  for (const { seq, parts } of (await log.readBack(log.head, recentMessages)).toReversed()) {
    charactersLeft -= textOfParts(parts).length
    if (charactersLeft < 0) break
    recent.add(seq)
  }
  const old = pieces.filter(({ message }) => !recent.has(message.seq))
  if (old.length === 0) return 0
  const text = insertText({ pieces: old, unsearched })
  return Math.min(maxTokens, input.meter.text(text) + blockTokens(input))
}

const tokensPerCharacter = 0.3
const recentMessages = 64

/** Null if nothing hidden is found. */
async function recalledFor(
  input: ContextInputs,
  question: Message,
  view: Pick<View, 'epoch' | 'insertsOf' | 'line' | 'keeps'>,
  limits: Pick<RecallQuery, 'tokens' | 'roomTokens'> & { readonly opens: boolean },
): Promise<Insert | null> {
  const recalled = input.inserts.flatMap(({ sources }) => sources)
  const isRecalled = (seq: Seq) => recalled.some(({ from, to }) => seq >= from && seq < to)
  const shown = new Set([...view.keeps, ...input.log.pins])
  const isHidden = (seq: Seq) => seq < view.line && !shown.has(seq) && !isRecalled(seq)
  const { opens, ...limitTokens } = limits
  const found = await recallFrom(input, question, { ...limitTokens, before: view.line, isHidden })
  if (found.pieces.length === 0) return null
  return {
    epoch: view.insertsOf ?? view.epoch,
    before: question.seq,
    of: shortHash(spellingText(question)),
    text: insertText(found),
    opens,
    sources: rangesOf(found.pieces).map(({ span }) => span),
  }
}

/** Without text of the application. */
function questionText(question: Message): string {
  const typed = typedIn(question, new Map()).map(({ text }) => text)
  return typed.length > 0 ? typed.join('\n') : textOf(question.parts)
}

async function recallFrom(
  input: ContextInputs,
  question: Message,
  query: Pick<RecallQuery, 'tokens' | 'roomTokens' | 'before' | 'isHidden'>,
): Promise<RecallResult> {
  const { recaller, log, meter } = input
  if (recaller === null) return { pieces: [], unsearched: null }
  const before = await log.readBack(question.seq, recentMessages)
  const earlier = before.findLast(isSpoken)
  return recall(recaller, log, {
    ...query,
    question: questionText(question),
    at: question.createdAt,
    earlier: earlier === undefined ? '' : questionText(earlier),
    tokens: query.tokens - blockTokens(input),
    roomTokens: query.roomTokens - blockTokens(input),
    isAutomatic: true,
    count: meter.text,
  })
}

/** For the label, its delimiter and the frame of a message. */
function blockTokens({ meter }: ContextInputs): number {
  return meter.message(recalledMessage({ text: '' })) + delimiterTokens
}

// The delimiter differs from text to text, and may have more tokens than that of an empty text.
const delimiterTokens = 6

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
  const { seq } = question
  if (inForce.some((insert) => insert.before === seq && isInsertOf(insert, question))) return chosen
  const { maxTokens } = recallLimits(input, fixed)
  const roomTokens =
    epochCause === null
      ? roomInEpoch(input, fixed, shown, inForce)
      : roomInFirstRequest(input, fixed, shown)
  // Text that was recalled for a message that was never appended is not shown.
  const recalled = shown.rendered
    .filter(({ message }) => message.slot === 'recalled')
    .map(({ message }) => textOfParts(message.parts))
  const shownInserts = inForce.filter(({ text }) => recalled.some((each) => each.includes(text)))
  const insert = await recalledFor({ ...input, inserts: shownInserts }, question, view, {
    tokens: maxTokens,
    roomTokens,
    opens: epochCause !== null,
  })
  if (insert === null) return chosen
  const withInsert = renderWith([...inForce, insert])
  if (fixed.plan.tokensAgainstLimit(withInsert.size) > fixed.plan.limitTokens) return chosen
  const beganTokens = withInsert.size.tokens
  return {
    ...chosen,
    shown: withInsert,
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
  const left = (triggerTokens - shown.size.tokens) * remainingShare
  const recalled = inForce.filter(({ opens }) => !opens).map(({ text }) => input.meter.text(text))
  const recalledTokens = recalled.reduce((sum, tokens) => sum + tokens + blockTokens(input), 0)
  const share = fixed.plan.freeTokens * maxEpochShare - recalledTokens
  return Math.floor(Math.min(left, share, roomBelowLimit(fixed, shown)))
}

// Of the tokens up to the trigger for one recall, and of all free tokens for an epoch's recalls.
const remainingShare = 0.3
const maxEpochShare = 0.1
const firstRequestShare = 0.6

function roomInFirstRequest(input: ContextInputs, fixed: FixedParts, shown: RenderedRequest) {
  const { maxTokens, totalTokens } = recallLimits(input, fixed)
  const { triggerTokens } = fixed.plan.budget
  const { tokens } = shown.size
  // The history block may be larger than planned; recall then gets most of what is left.
  const left = Math.max(totalTokens - tokens, (triggerTokens - tokens) * firstRequestShare)
  return Math.floor(Math.min(maxTokens, left, roomBelowLimit(fixed, shown)))
}

function roomBelowLimit({ plan }: FixedParts, { size }: RenderedRequest): number {
  return (plan.limitTokens - plan.tokensAgainstLimit(size)) / wireRatio
}

// Recalled text grows in the request's JSON: line ends are escaped.
const wireRatio = 1.3
