/** Measures the parts of a request that are not messages of the log, and plans the remaining budget. */
import type { Policy } from '../../domain/policy.ts'
import { offeredTools } from '../../domain/recall.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { View } from '../../domain/view.ts'
import {
  measureProtected,
  measureSupplied,
  withoutExtension,
  withoutTexts,
} from '../assemble/fixed-texts.ts'
import { planBudget } from '../measure/plan-budget.ts'
import { readPins } from '../read/readers.ts'
import type { ContextInputs, FixedParts } from './records.ts'

export async function measureFixedParts(input: ContextInputs): Promise<FixedParts> {
  const { log, request, meter, policy, calibration } = input
  const pinned = (await readPins(log)).filter((message) => !isRemoved(message))
  const sizes = measureProtected(request, pinned, meter)
  const { replyTokens } = request
  const planWith = (suppliedTokens: number) =>
    planBudget(meter, policy, sizes, calibration, { replyTokens, suppliedTokens })
  const planWithoutTexts = planWith(0)
  const supplied = await measureSupplied(input, planWithoutTexts, sizes)
  const { tokens } = supplied.size
  const plan = tokens === 0 ? planWithoutTexts : planWith(tokens)
  return { sizes, plan, pinned, supplied, offered: offeredTools(request.tools) }
}

/** The levels to try, in this order, while no selection fits. */
export function degradations({
  supplied,
}: Pick<FixedParts, 'supplied'>): readonly View['degraded'][] {
  const levels = [null, 'texts', 'texts and role'] as const
  return supplied.extension.messages.length > 0 ? [...levels, 'texts, role and memory'] : levels
}

/** Leaves out the caller's texts and our notes, and at the last level the extension's blocks. */
export function degrade(
  input: ContextInputs,
  fixed: FixedParts,
  degraded: View['degraded'],
): { readonly input: ContextInputs; readonly fixed: FixedParts } {
  if (degraded === null) return { input, fixed }
  const texts = withoutTexts(fixed.supplied)
  const supplied = degraded === 'texts, role and memory' ? withoutExtension(texts) : texts
  const reduced = { ...fixed, supplied, offered: null }
  if (degraded === 'texts') return { input, fixed: reduced }
  const policy: Policy = { ...input.policy, derivedRole: 'user-message' }
  return { input: { ...input, policy }, fixed: reduced }
}

/** For a summary that was awaited: messages appended meanwhile stay shown, even above the trigger. */
export function withTriggerAtLimit(fixed: FixedParts): FixedParts {
  const { plan } = fixed
  const budget = { ...plan.budget, triggerTokens: plan.countedTokens }
  return { ...fixed, plan: { ...plan, budget } }
}

/** A trim has no summary of what it hides, so it hides only enough for the next few requests. */
export function withTrimTarget(fixed: FixedParts): FixedParts {
  const { plan } = fixed
  const { protectedTokens, freeTokens, budget } = plan
  const targetTokens = Math.max(
    budget.targetTokens,
    protectedTokens + Math.floor(freeTokens * trimTargetShare),
  )
  return withTriggerAtLimit({ ...fixed, plan: { ...plan, budget: { ...budget, targetTokens } } })
}

const trimTargetShare = 0.6

/** Scales the whole budget to a smaller target, as a smaller window would. */
export function withTarget(fixed: FixedParts, tokens: number): FixedParts {
  const { plan } = fixed
  const { protectedTokens, freeTokens, budget } = plan
  const contentTokens = budget.targetTokens - protectedTokens
  const targetTokens = Math.max(protectedTokens + contentTokens * minTargetShare, tokens)
  const share = (targetTokens - protectedTokens) / Math.max(1, contentTokens)
  return {
    ...fixed,
    plan: {
      ...plan,
      countedTokens: Math.floor(plan.countedTokens * share),
      freeTokens: Math.floor(Math.max(freeTokens * share, Math.min(freeTokens, minFreeTokens))),
      budget: { ...budget, targetTokens: Math.floor(targetTokens) },
    },
  }
}

/** Below this, a summary has no room, and no model would be asked for one. */
const minFreeTokens = 1_500

/** However large the recall, the newest messages and the history block stay. */
const minTargetShare = 0.25
