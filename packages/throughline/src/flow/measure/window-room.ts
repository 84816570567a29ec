/** How much of a model's window a request may have, as its provider counts and as we do. */
import { resolveAmount } from '../../domain/amount.ts'
import { type Calibration, calibrated } from '../../domain/calibration.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Meter } from './measure.ts'

export interface WindowRoom {
  readonly reserveTokens: number
  readonly marginTokens: number
  /** As the provider counts. */
  readonly availableTokens: number
  /** As we count. */
  readonly countedTokens: number
  /** How the two relate; null as long as the provider has reported nothing. */
  readonly reported: Calibration | null
}

export function roomIn(
  { card, tokenizer }: Pick<Meter, 'card' | 'tokenizer'>,
  policy: Policy,
  calibration: Calibration | null,
  { replyTokens, heldTokens }: { readonly replyTokens: number | null; readonly heldTokens: number },
): WindowRoom {
  const reserveTokens = replyTokens ?? reserveOf(card, policy)
  const marginTokens = resolveAmount(policy.margin, card.contextWindowTokens)
  const takenTokens = Math.min(
    card.contextWindowTokens - reserveTokens,
    card.maxInputTokens ?? Number.POSITIVE_INFINITY,
  )
  const refusedTokens = calibration?.ceiling?.tokens ?? Number.POSITIVE_INFINITY
  // Whatever was refused, there is room for a question and its answer.
  const ceiling = Math.max(refusedTokens, heldTokens + leastFreeTokens)
  const availableTokens = Math.max(0, Math.min(takenTokens - marginTokens, ceiling))
  const isReported =
    calibration !== null && calibration.anchor !== null && calibration.tokenizerId === tokenizer.id
  const reported = isReported ? calibration : null
  // Whatever was reported, there is room for a conversation.
  const believed =
    reported === null
      ? availableTokens
      : Math.max(countedFor(availableTokens, reported), availableTokens * leastBelieved)
  // Where the tokenizer is the model's own, no report can make the text shorter.
  const counted = tokenizer.exact ? Math.min(believed, availableTokens) : believed
  const countedTokens = Math.floor(Math.min(ceiling, counted))
  return { reserveTokens, marginTokens, availableTokens, countedTokens, reported }
}

const leastBelieved = 0.25
const leastFreeTokens = 1_000

function reserveOf(card: ModelCard, { reserve }: Policy): number {
  return Math.min(
    reserve.tokens,
    Math.floor(reserve.ratioMax * card.contextWindowTokens),
    card.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  )
}

/** The most that we may count so that the provider counts no more than is available. */
function countedFor(availableTokens: number, calibration: Calibration): number {
  let fits = 0
  let over = availableTokens * 4 + 1
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (calibrated(calibration, middle) <= availableTokens) fits = middle
    else over = middle
  }
  return fits
}
