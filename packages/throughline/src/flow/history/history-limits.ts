import { defaults } from '../../defaults-data.ts'
import { type Policy, resolveAmount } from '../../domain/policy.ts'
import { repeatsUserText, userTextTokens } from '../measure/user-text.ts'
import type { ContextInputs, FixedParts } from '../project/records.ts'
import { countedPerToken } from '../summarize/summary-meter.ts'

export interface HistoryLimits {
  readonly userTextTokens: number
  /** The part of it that only recent messages may use. */
  readonly recentUserTextTokens: number
  /** Quotes user messages even if a summary covers them. */
  readonly repeatsUserText: boolean
  readonly summaryTokens: number
  readonly ledgerTokens: number
  readonly filesTokens: number
  /** For the first words of the user's messages; used only if every message can have them. */
  readonly userOpeningsTokens: number
  /** For a summary by a model; unlike the other limits, it does not shrink for recall. */
  readonly modelSummaryTokens: number
}

export function historyLimits(
  { policy, meter }: Pick<ContextInputs, 'policy'> & Partial<Pick<ContextInputs, 'meter'>>,
  { plan }: Pick<FixedParts, 'plan'>,
  {
    isRecalling = false,
    takenTokens = 0,
  }: {
    readonly isRecalling?: boolean
    /** For messages that stay whatever the block needs: a long task, text that was recalled before. */
    readonly takenTokens?: number
  } = {},
): HistoryLimits {
  const slotTokens = (
    kind: 'summary' | 'ledger' | 'files',
    freeTokens = plan.freeTokens,
    perToken = 1,
  ) => {
    const slot = policy.slots.find((each) => each.kind === kind)
    const tokens = slot?.share === undefined ? 0 : resolveAmount(slot.share, freeTokens)
    return Math.min(tokens, slot?.most === undefined ? tokens : slot.most * perToken)
  }
  // The history block must leave room for recent messages.
  const contentTokens = plan.budget.targetTokens - plan.protectedTokens
  const roomTokens = Math.max(contentTokens - takenTokens, contentTokens / 2)
  // The summary is served first, because a cut summary is of little use. Ledger and files shrink.
  const otherTokens = slotTokens('ledger') + slotTokens('files')
  const digestShare = otherTokens > 0 ? digestShareBeside : 1
  const summaryTokens = Math.min(
    slotTokens('summary') * digestShare,
    roomTokens * maxHistoryShares.summary,
  )
  const otherRoomTokens = roomTokens * maxHistoryShares.all - summaryTokens
  const factor = Math.min(1, otherRoomTokens / Math.max(1, otherTokens))
  const hasSummarySlot = policy.slots.some(({ kind }) => kind === 'summary')
  // What is free before recall takes its room.
  const { historyTokens } = plan
  const userTokens = hasSummarySlot ? userTextTokens(policy, plan) : 0
  // What recall finds for a question is worth more than what was typed lately.
  const hasRecent = repeatsUserText(policy) && !isRecalling
  const recentUserTextTokens = hasRecent ? userTokens * recentUserTextFactor : 0
  return {
    userTextTokens: Math.max(0, userTokens + recentUserTextTokens - requestsFrameTokens),
    recentUserTextTokens,
    repeatsUserText: repeatsUserText(policy),
    summaryTokens: Math.floor(summaryTokens),
    ledgerTokens: Math.floor(slotTokens('ledger') * factor),
    filesTokens: Math.floor(slotTokens('files') * factor),
    userOpeningsTokens: hasSummarySlot
      ? userTextTokens(policy, { freeTokens: historyTokens }) * openingsFactorOf(policy)
      : 0,
    modelSummaryTokens: Math.floor(
      Math.max(summaryTokens, slotTokens('summary', historyTokens, countedPerToken(meter ?? {}))),
    ),
  }
}

/** What was typed lately gets more than the policy's room for user text: this share of it on top. */
const recentUserTextFactor = 2 / 3

/** Beside a ledger and excerpts, a digest by rules says little; a model's summary says more. */
const digestShareBeside = 0.25

/**
 * First words of every message are worth more than the policy's room for user text. A policy that
 * leaves user text to its summary gets no more than that.
 */
function openingsFactorOf(policy: Pick<Policy, 'userText'>): number {
  return repeatsUserText(policy) ? 1.5 : 1
}

/** The label and delimiters around the user's words. */
const requestsFrameTokens = 48

const maxHistoryShares = { all: 0.86, summary: 0.4 }

export function scaledLimits({ repeatsUserText, ...tokens }: HistoryLimits, factor: number) {
  const scaled = Object.entries(tokens).map(([name, limit]) => [name, limit * factor])
  return { repeatsUserText, ...(Object.fromEntries(scaled) as typeof tokens) }
}

/** A smaller history block would not help the model. */
export function hasRoom(limits: HistoryLimits): boolean {
  const { userTextTokens, summaryTokens, ledgerTokens, filesTokens } = limits
  const largest = Math.max(userTextTokens, summaryTokens, ledgerTokens, filesTokens)
  return largest >= defaults.summaryLeastTokens
}
