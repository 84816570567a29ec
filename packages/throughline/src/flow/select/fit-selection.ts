/** A selection that fits once it is shown: repairs add to it, so we look, and select again with less. */
import { defaults } from '../../defaults-data.ts'
import { addSizes, type Size } from '../../domain/context.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { noteSize, requestFrame } from '../assemble/fixed-texts.ts'
import { type Judged, judge } from '../classify/classify.ts'
import { userTextTokens } from '../measure/plan-budget.ts'
import { goByRatio } from '../measure/triggers.ts'
import { degradations, degrade } from '../project/fixed-parts.ts'
import type {
  Candidate,
  Candidates,
  ContextInputs,
  FixedParts,
  SelectedView,
} from '../project/records.ts'
import { pinSizes, renderSelected } from '../project/render-view.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { select } from './select.ts'
import { type SelectOptions, stubTokensOf } from './select-options.ts'
import { selectRecent } from './select-recent.ts'

const attempts = 8
const filledShare = 0.85

export function selectToFit(
  input: ContextInputs,
  fixed: FixedParts,
  considered: Candidates,
  /** For the history block. */
  reserved: Size,
): Pick<SelectedView, 'shown' | 'selected' | 'degraded'> | null {
  for (const degraded of degradations(fixed)) {
    const variant = degrade(input, fixed, degraded)
    const found = selectWithin(variant.input, variant.fixed, considered, reserved)
    if (found !== null) return { ...found, degraded }
  }
  return null
}

function selectWithin(
  input: ContextInputs,
  fixed: FixedParts,
  considered: Candidates,
  reserved: Size,
): Pick<SelectedView, 'shown' | 'selected'> | null {
  const { plan } = fixed
  const goBy = optionsFor(input, fixed, considered, reserved)
  const selectBy = input.policy.fill === 'recent' ? selectRecent : select
  let hardTokens = plan.hardTokens
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const selected = selectBy(considered, {
      ...goBy,
      limits: {
        ...goBy.limits,
        hardTokens: attempt === attempts ? 0 : hardTokens,
        // Not up to the edge: the next request would have to begin anew.
        filledTokens: Math.min(hardTokens, plan.hardTokens * filledShare),
      },
    })
    const shown = renderSelected(input, fixed, considered, { ...selected, past: null })
    const over = plan.hard(shown.size) + plan.hard(reserved) - plan.hardTokens
    if (over <= 0) return { shown, selected }
    // It may have thought to be far below: what it thought is what has to become less.
    hardTokens = Math.min(hardTokens, plan.hard(selected.size)) - over - 8
  }
  return null
}

function optionsFor(
  input: ContextInputs,
  fixed: FixedParts,
  { candidates }: Candidates,
  reserved: Size,
): SelectOptions {
  const { meter, policy, log } = input
  const { plan, sizes, supplied, offered } = fixed
  const first = candidates[0]?.message.seq ?? log.head
  const pins = [...pinSizes(input, fixed)].flatMap(([seq, size]) => (seq < first ? [size] : []))
  const note = noteSize(log.head, offered, meter)
  const { system, tools } = sizes
  return {
    fixed: addSizes([requestFrame(meter), system, tools, ...pins, supplied.size, note, reserved]),
    pastTokens: reserved.tokens,
    limits: {
      targetTokens: plan.budget.targetTokens,
      availableTokens: plan.countedTokens,
      // A conversation may be long, and its newest messages far from filling the window.
      triggerTokens: goByRatio(policy.triggers) ? plan.budget.triggerTokens : plan.countedTokens,
      hard: plan.hard,
      hardTokens: plan.hardTokens,
    },
    keepRecent: policy.keepRecent,
    judged: judgedOnce(candidates, policy.trim),
    stubTokens: stubTokensOf(policy.stub, plan.countedTokens),
    stubLeastTokens: defaults.stubLeastTokens.value,
    keptTokens: userTextTokens(policy, plan),
    meter,
  }
}

// From the same candidates is selected several times, with more or less room.
const judgements = new WeakMap<
  readonly Candidate[],
  { readonly rules: TrimRules; readonly judged: Judged }
>()

function judgedOnce(candidates: readonly Candidate[], rules: TrimRules): Judged {
  const messages = () => candidates.map(({ message }) => message)
  const made = () => ({ rules, judged: judge(messages(), rules) })
  return getOrMake(judgements, candidates, made, (known) => known.rules === rules).judged
}
