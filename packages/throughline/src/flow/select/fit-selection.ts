/** Selects until the rendered request fits: repairs can make it larger than the selection. */
import { addSizes, type Size } from '../../domain/context.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { notesSize, requestFrame } from '../assemble/fixed-texts.ts'
import { recalledMessage } from '../assemble/slots.ts'
import { type RankedMessages, rankMessages } from '../classify/classify.ts'
import { userTextTokens } from '../measure/plan-budget.ts'
import { usesRatio } from '../measure/triggers.ts'
import { degradations, degrade } from '../project/fixed-parts.ts'
import type {
  Candidate,
  Candidates,
  ContextInputs,
  FixedParts,
  SelectedView,
} from '../project/records.ts'
import { pinSizes, renderSelected } from '../project/render-view.ts'
import { digestedFrom } from '../stub/stub.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { select } from './select.ts'
import { type SelectOptions, stubTokensOf } from './select-options.ts'
import { selectRecent } from './select-recent.ts'

const maxAttempts = 8
const refillShare = 0.85

export function selectToFit(
  input: ContextInputs,
  fixed: FixedParts,
  loaded: Candidates,
  /** The room for the history block. */
  reserved: Size,
): Pick<SelectedView, 'shown' | 'selected' | 'degraded'> | null {
  for (const degraded of degradations(fixed)) {
    const variant = degrade(input, fixed, degraded)
    const found = selectWithin(variant.input, variant.fixed, loaded, reserved)
    if (found !== null) return { ...found, degraded }
  }
  return null
}

function selectWithin(
  input: ContextInputs,
  fixed: FixedParts,
  loaded: Candidates,
  reserved: Size,
): Pick<SelectedView, 'shown' | 'selected'> | null {
  const { plan } = fixed
  const options = selectOptions(input, fixed, loaded, reserved)
  const selectBy = input.policy.fill === 'recent' ? selectRecent : select
  let limitTokens = plan.limitTokens
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const selected = selectBy(loaded, {
      ...options,
      limits: {
        ...options.limits,
        // The last attempt selects as little as possible.
        limitTokens: attempt === maxAttempts ? 0 : limitTokens,
        // If the view were filled up to the limit, the next request would need a new epoch.
        refillTokens: Math.min(limitTokens, plan.limitTokens * refillShare),
      },
    })
    const shown = renderSelected(input, fixed, loaded, { ...selected, history: null })
    const excess =
      plan.tokensAgainstLimit(shown.size) + plan.tokensAgainstLimit(reserved) - plan.limitTokens
    if (excess <= 0) return { shown, selected }
    // Reduce from the selection's own estimate, which may be far below the rendered size.
    const estimate = plan.tokensAgainstLimit(selected.size)
    limitTokens = Math.min(limitTokens, estimate) - excess - marginTokens
  }
  return null
}

const marginTokens = 8

function selectOptions(
  input: ContextInputs,
  fixed: FixedParts,
  { candidates }: Candidates,
  reserved: Size,
): SelectOptions {
  const { meter, policy, log } = input
  const { plan, sizes, supplied, offered } = fixed
  const first = candidates[0]?.message.seq ?? log.head
  // The sizes of later pins are those of candidates.
  const pins = [...pinSizes(input, fixed)].flatMap(([seq, size]) => (seq < first ? [size] : []))
  const notes = notesSize(log.head, offered, meter)
  const { system, tools } = sizes
  return {
    fixed: addSizes([
      requestFrame(meter),
      system,
      tools,
      ...pins,
      supplied.size,
      notes,
      ...insertSizes(input),
      reserved,
    ]),
    historyTokens: reserved.tokens,
    limits: {
      targetTokens: plan.budget.targetTokens,
      availableTokens: plan.countedTokens,
      // Without a ratio trigger, a long log may compact although its tail is small.
      triggerTokens: usesRatio(policy.triggers) ? plan.budget.triggerTokens : plan.countedTokens,
      tokensAgainstLimit: plan.tokensAgainstLimit,
      limitTokens: plan.limitTokens,
    },
    keepRecent: policy.keepRecent,
    ranked: rankOnce(candidates, policy.trim),
    stubTokens: stubTokensOf(policy.stub, plan.countedTokens),
    digestedFrom: digestedFrom(policy, meter),
    userTextTokens: userTextTokens(policy, plan),
    meter,
  }
}

/** The sizes of text that was recalled before, and stays. */
export function insertSizes({ inserts, meter }: ContextInputs): readonly Size[] {
  return inserts.map((insert) => meter.closeSize(recalledMessage(insert)))
}

// Several selections with different room use the same candidates.
const rankings = new WeakMap<
  readonly Candidate[],
  { readonly rules: TrimRules; readonly ranked: RankedMessages }
>()

function rankOnce(candidates: readonly Candidate[], rules: TrimRules): RankedMessages {
  const messages = () => candidates.map(({ message }) => message)
  const made = () => ({ rules, ranked: rankMessages(messages(), rules) })
  return getOrMake(rankings, candidates, made, (known) => known.rules === rules).ranked
}
