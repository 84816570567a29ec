import { defaults } from '../../defaults-data.ts'
import { resolveAmount } from '../../domain/policy.ts'
import { repeatsUserText, userTextTokens } from '../measure/plan-budget.ts'
import type { ContextInputs, FixedParts } from '../project/records.ts'

export interface HistoryLimits {
  readonly userTextTokens: number
  /** Quotes user messages even if a summary covers them. */
  readonly repeatsUserText: boolean
  readonly summaryTokens: number
  readonly ledgerTokens: number
  readonly filesTokens: number
  /** For the first words of all user messages; used only if it suffices for all of them. */
  readonly namesTokens: number
  /** For a summary by a model; recall takes nothing from it. */
  readonly writtenTokens: number
}

export function historyLimits(
  { policy }: Pick<ContextInputs, 'policy'>,
  { plan }: Pick<FixedParts, 'plan'>,
): HistoryLimits {
  const shareOf = (kind: 'summary' | 'ledger' | 'files', of = plan.freeTokens) => {
    const slot = policy.slots.find((each) => each.kind === kind)
    const tokens = slot?.share === undefined ? 0 : resolveAmount(slot.share, of)
    return Math.min(tokens, slot?.most ?? tokens)
  }
  const asked = shareOf('ledger') + shareOf('files')
  // Recent messages keep room beside the ledger and the files.
  const room = (plan.budget.targetTokens - plan.protectedTokens) * historyShare
  // A summary is short, and a cut one is of little use.
  const summaryTokens = Math.min(shareOf('summary'), room / 2)
  const share = Math.min(1, (room - summaryTokens) / Math.max(1, asked))
  const hasSummary = policy.slots.some(({ kind }) => kind === 'summary')
  return {
    userTextTokens: hasSummary
      ? Math.max(0, userTextTokens(policy, plan) - requestsFrameTokens)
      : 0,
    repeatsUserText: repeatsUserText(policy),
    summaryTokens: Math.floor(summaryTokens),
    ledgerTokens: Math.floor(shareOf('ledger') * share),
    filesTokens: Math.floor(shareOf('files') * share),
    namesTokens: hasSummary ? userTextTokens(policy, { freeTokens: plan.historyTokens }) : 0,
    writtenTokens: Math.floor(Math.max(summaryTokens, shareOf('summary', plan.historyTokens))),
  }
}

/** The label and marks around the user's words. */
const requestsFrameTokens = 48

const historyShare = 0.8

export function scaledLimits(
  { repeatsUserText, ...tokens }: HistoryLimits,
  share: number,
): HistoryLimits {
  const scaled = Object.entries(tokens).map(([name, most]) => [name, most * share])
  return { repeatsUserText, ...(Object.fromEntries(scaled) as typeof tokens) }
}

/** A smaller history block would not help the model. */
export function hasRoom(limits: HistoryLimits): boolean {
  const { userTextTokens, summaryTokens, ledgerTokens, filesTokens } = limits
  const most = Math.max(userTextTokens + summaryTokens, ledgerTokens, filesTokens)
  return most >= defaults.summaryLeastTokens.value
}
