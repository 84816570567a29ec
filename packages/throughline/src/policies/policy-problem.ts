/** What is wrong with a policy, in words that name the field; null where nothing is. */
import { resolveAmount } from '../domain/amount.ts'
import { messageClasses } from '../domain/message-class.ts'
import type { KeepRecent, ModelOverride, Policy, TrimRules } from '../domain/policy.ts'
import type { Guards } from '../domain/trigger.ts'
import { turnRules } from '../domain/turn-rules.ts'
import { policies } from '../policies.ts'
import { isCount, isFields, isNumber, isRatio, unknownField } from './field-checks.ts'
import { slotsProblem } from './slots-problem.ts'
import { limitsProblem, summarizersProblem } from './summarizers-problem.ts'
import { triggersProblem } from './triggers-problem.ts'

const { balanced } = policies

const derivedRoles = ['user-message', 'system-message', 'merged-into-system']

export function policyProblem(policy: Policy, extensionSlots: readonly string[]): string | null {
  const { reserve, stub, slots } = policy
  if (typeof policy.name !== 'string' || policy.name === '') return 'needs a name'
  if (!isCount(stub?.least) || !isCount(stub?.most) || stub.most < stub.least)
    return 'stub needs whole numbers least <= most'
  if (!derivedRoles.includes(policy.derivedRole))
    return `derivedRole must be one of ${derivedRoles.join(', ')}`
  return (
    unknownField(policy, { ...balanced, turns: turnRules }, '') ??
    reserveProblem(reserve) ??
    triggersProblem(policy.triggers, 'triggers') ??
    guardsProblem(policy.guards) ??
    keepRecentProblem(policy.keepRecent) ??
    narrativeProblem(policy.narrative) ??
    recallProblem(policy.recall) ??
    fillProblem(policy) ??
    runProblem(policy.run) ??
    summarizersProblem(policy.summarizers) ??
    limitsProblem(policy.limits) ??
    trimProblem(policy.trim) ??
    slotsProblem(slots, extensionSlots) ??
    turnsProblem(policy.turns) ??
    amountsProblem(policy) ??
    pinSaidProblem(policy) ??
    targetProblem(policy, policy) ??
    modelsProblem(policy)
  )
}

function reserveProblem(reserve: Policy['reserve']): string | null {
  return isCount(reserve?.tokens) && isRatio(reserve.ratioMax)
    ? null
    : 'reserve is { tokens: a whole number, ratioMax: 0 to 1 }'
}

function guardsProblem(guards: Guards): string | null {
  if (!isFields(guards)) return 'guards must be an object'
  if (!isCount(guards.cooldownMessages) || !isCount(guards.minMessages))
    return 'guards need whole numbers cooldownMessages and minMessages'
  if (!isRatio(guards.regrowthRatio)) return 'guards.regrowthRatio must be 0 to 1'
  return unknownField(guards, balanced.guards, 'guards.')
}

const keepUnits = ['messages', 'turns', 'exchanges', 'tokens']

function keepRecentProblem(keepRecent: KeepRecent): string | null {
  const [unit, ...others] = isFields(keepRecent) ? Object.keys(keepRecent) : []
  if (unit === undefined || others.length > 0 || !keepUnits.includes(unit))
    return `keepRecent is a number of one of ${keepUnits.join(', ')}`
  const count: unknown = Object.values(keepRecent)[0]
  if (!isCount(count) || count < 1) return `keepRecent.${unit} must be a whole number`
  return unit === 'messages' && count < 2
    ? 'keepRecent.messages must be at least 2: a question and its answer'
    : null
}

function narrativeProblem(narrative: Policy['narrative']): string | null {
  if (!isFields(narrative)) return 'narrative must be an object'
  switch (narrative.style) {
    case 'chronicle':
      return unknownField(narrative, { style: '' }, 'narrative.')
    case 'tool-lines':
      if (typeof narrative.errorDetails !== 'boolean')
        return 'narrative.errorDetails must be true or false'
      return unknownField(narrative, { style: '', errorDetails: true }, 'narrative.')
    default:
      return 'narrative.style must be chronicle or tool-lines'
  }
}

function recallProblem(recall: Policy['recall']): string | null {
  if (recall === null) return null
  if (!isFields(recall)) return 'recall must be null or an object'
  if (!isCount(recall.most)) return 'recall.most must be a whole number'
  return unknownField(recall, { share: 0, most: 0, upTo: 0 }, 'recall.')
}

const fills = ['target', 'recent']
const failures = ['rules', 'no-change', 'throw']

function fillProblem({ fill, onFailure }: Policy): string | null {
  if (!fills.includes(fill)) return `fill must be one of ${fills.join(', ')}`
  return failures.includes(onFailure) ? null : `onFailure must be one of ${failures.join(', ')}`
}

function runProblem(run: Policy['run']): string | null {
  if (!isFields(run)) return 'run must be an object'
  switch (run.mode) {
    case 'blocking':
      return unknownField(run, { mode: '' }, 'run.')
    case 'background':
      if (!isCount(run.waitMs) || run.waitMs >= 2 ** 31)
        return 'run.waitMs must be a whole number of milliseconds'
      return unknownField(run, { mode: '', waitMs: 0 }, 'run.')
    default:
      return 'run.mode must be blocking or background'
  }
}

function trimProblem(trim: TrimRules): string | null {
  if (!isFields(trim)) return 'trim must be an object'
  const { order, priorities, protectedFrom, recentSteps, recentTurns, smallTokens } = trim
  if (order !== 'priority' && order !== 'age') return 'trim.order must be priority or age'
  if (!isFields(priorities)) return 'trim.priorities must be an object'
  const wrong = messageClasses.find((name) => !isNumber(priorities[name]))
  if (wrong !== undefined) return `trim.priorities.${wrong} must be a number`
  if (!isNumber(protectedFrom)) return 'trim.protectedFrom must be a number'
  if (![recentSteps, recentTurns, smallTokens].every(isCount))
    return 'trim needs whole numbers recentSteps, recentTurns and smallTokens'
  if (typeof trim.keepErrors !== 'boolean') return 'trim.keepErrors must be true or false'
  return (
    unknownField(trim, balanced.trim, 'trim.') ??
    unknownField(priorities, balanced.trim.priorities, 'trim.priorities.')
  )
}

/** Of these there may be none; of what is kept for some turns there is some. */
const mayBeNone: readonly string[] = ['responseCharacters', 'fullSteps', 'proposalCharacters']

function turnsProblem(turns: Policy['turns']): string | null {
  if (turns === undefined) return null
  if (!isFields(turns)) return 'turns must be an object'
  for (const name of Object.keys(turnRules)) {
    const least = mayBeNone.includes(name) ? 0 : 1
    const value = turns[name]
    if (!isCount(value) || value < least)
      return `turns.${name} must be a whole number from ${least}`
  }
  return unknownField(turns, turnRules, 'turns.')
}

function amountsProblem(policy: Policy): string | null {
  const amounts: readonly unknown[] = [
    policy.margin,
    policy.target,
    policy.said,
    ...(policy.pinSaid === null ? [] : [policy.pinSaid]),
    policy.stub.tokens,
    ...(policy.recall === null ? [] : [policy.recall.share, policy.recall.upTo]),
    ...policy.slots.flatMap(({ share }) => (share === undefined ? [] : [share])),
    ...(Array.isArray(policy.models) ? policy.models : []).flatMap(({ target }) => target ?? []),
  ]
  for (const amount of amounts) {
    if (!isFields(amount) || Object.keys(amount).length !== 1)
      return 'an amount is { tokens } or { ratio }'
    resolveAmount(amount as { readonly tokens: number }, 0)
  }
  return null
}

function pinSaidProblem({ pinSaid }: Policy): string | null {
  return pinSaid !== null && 'ratio' in pinSaid && pinSaid.ratio > 0.5
    ? 'pinSaid may have at most { ratio: 0.5 }: pins are sent whole, and need room beside them'
    : null
}

/** Otherwise every request would begin an epoch. */
function targetProblem(
  { triggers }: Pick<Policy, 'triggers'>,
  { target }: Pick<Policy, 'target'>,
): string | null {
  for (const trigger of triggers) {
    if (trigger.kind === 'tokenRatio' && 'ratio' in target && target.ratio >= trigger.at)
      return `target (${target.ratio}) must be below the trigger (${trigger.at}), or every request begins an epoch`
    if (trigger.kind === 'tokens' && 'tokens' in target && target.tokens >= trigger.at)
      return `target (${target.tokens}) must be below the trigger (${trigger.at}), or every request begins an epoch`
  }
  return null
}

const overrideFields: Readonly<Record<keyof ModelOverride, true>> = {
  match: true,
  triggers: true,
  target: true,
  reserve: true,
  keepRecent: true,
}

function modelsProblem(policy: Policy): string | null {
  if (!Array.isArray(policy.models)) return 'models must be an array of overrides'
  for (const [index, override] of policy.models.entries()) {
    const where = `models[${index}]`
    if (typeof override?.match !== 'string' || override.match === '')
      return `${where}.match must be the name of a model, with * for any characters`
    const { triggers = policy.triggers, target = policy.target, reserve, keepRecent } = override
    const wrong =
      unknownField(override, overrideFields, `${where}.`) ??
      triggersProblem(triggers, `${where}.triggers`) ??
      (reserve === undefined ? null : reserveProblem(reserve)) ??
      (keepRecent === undefined ? null : keepRecentProblem(keepRecent)) ??
      targetProblem({ triggers }, { target })
    if (wrong !== null) return wrong
  }
  return null
}
