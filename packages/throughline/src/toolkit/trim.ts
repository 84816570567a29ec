/** Trimming, classes, files and budgets for callers who store their messages. */
import { defaults } from '../defaults-data.ts'
import { noSize, type ToolSchema } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { MessageInput } from '../domain/message.ts'
import { sealMessages } from '../flow/append/append.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { checkRequest } from '../flow/check/check-request.ts'
import { type MessageClassification, rankMessages } from '../flow/classify/classify.ts'
import { type TrackedFiles, trackFiles as trackSealed } from '../flow/classify/track-files.ts'
import { type BudgetFigures, budgetFigures } from '../flow/measure/budget-figures.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { planBudget } from '../flow/measure/plan-budget.ts'
import { type Trimmed, trimMessages } from '../flow/select/trim-messages.ts'
import type { PolicyInput } from '../policies/policy-input.ts'
import { readPolicy } from '../policies/read-policy.ts'
import { sha256 } from '../system.ts'
import { type CountOptions, checkCount, countFields, resolveMeterAndPolicy } from './counting.ts'

/** The options of `trim`. */
export interface TrimOptions extends CountOptions {
  /** The maximum for all messages together. */
  readonly targetTokens: number
  /** A summary covers the messages before this position, which are dropped first. */
  readonly summarizedTo?: Seq | undefined
}

export interface BudgetOptions extends CountOptions {
  readonly system?: string | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  /** The maximum for the request; by default from the model's window and the policy. */
  readonly maxInputTokens?: number | undefined
}

export interface ClassifyOptions {
  readonly policy?: PolicyInput | undefined
  readonly summarizedTo?: Seq | undefined
  readonly meter?: Meter | undefined
}

export interface ClassifiedMessage extends MessageClassification {
  readonly message: MessageInput
  /** Null without a meter. */
  readonly tokens: number | null
}

/**
 * Fits messages into a number of tokens: shortens tool output first, then drops the oldest
 * messages, calls together with their results.
 *
 * @example
 * const { messages: fewer, dropped } = await trim(inputs, { targetTokens: 8_000, model: 'gpt-4o' })
 */
export async function trim(
  messages: readonly MessageInput[],
  options: TrimOptions,
): Promise<Trimmed> {
  const { targetTokens, summarizedTo = 0 } = checkOptions(
    options,
    [...countFields, 'targetTokens', 'summarizedTo'],
    'trim',
  )
  const limits = {
    targetTokens: checkCount(targetTokens, 'trim: targetTokens'),
    summarizedTo: checkCount(summarizedTo, 'trim: summarizedTo'),
  }
  const { meter, policy } = await resolveMeterAndPolicy(options, 'trim')
  return trimMessages(messages, { ...limits, meter, policy, sha256 })
}

/**
 * Classifies each message by how early it is shortened when a context has to become smaller.
 *
 * @example
 * const stale = classify(inputs).filter((message) => message.class === 'stale-output')
 */
export function classify(
  messages: readonly MessageInput[],
  options: ClassifyOptions = {},
): readonly ClassifiedMessage[] {
  const checked = checkOptions(options, ['policy', 'summarizedTo', 'meter'], 'classify')
  const { policy, summarizedTo = 0, meter } = checked
  const { trim: rules } = readPolicy(policy ?? defaults.policy)
  const sealed = sealMessages(messages, sha256)
  const end = checkCount(summarizedTo, 'classify: summarizedTo')
  const { classified } = rankMessages(sealed, rules, end)
  return sealed.flatMap((message, index) => {
    const [classification, input] = [classified[index], messages[index]]
    if (classification === undefined || input === undefined) return []
    return [{ ...classification, message: input, tokens: meter?.message(message) ?? null }]
  })
}

/**
 * The files that the tools of a conversation used.
 *
 * @example
 * const changed = modifiedFiles(trackFiles(inputs)).map(({ path }) => path)
 */
export function trackFiles(messages: readonly MessageInput[]): TrackedFiles {
  return trackSealed(sealMessages(messages, sha256))
}

/**
 * Whether messages fit into the window of a model, and how much of it they use.
 *
 * @example
 * const { withinBudget, utilizationPercent } = await budgetOf(inputs, { model: 'gpt-4o' })
 */
export async function budgetOf(
  messages: readonly MessageInput[],
  options: BudgetOptions,
): Promise<BudgetFigures> {
  const { system, tools, maxInputTokens } = checkOptions(
    options,
    [...countFields, 'system', 'tools', 'maxInputTokens'],
    'budgetOf',
  )
  const { meter, policy } = await resolveMeterAndPolicy(options, 'budgetOf')
  // The same checks as for a context.
  const request = checkRequest({ model: meter.card.id, system, tools }, 'budgetOf')
  const { tokens: currentTokens } = meter.request({
    system: request.system.map(({ text }) => text).join('\n'),
    tools: request.tools,
    messages: sealMessages(messages, sha256),
  })
  const noSizes = { system: noSize, tools: noSize, pins: noSize }
  const maxTokens =
    maxInputTokens ?? planBudget(meter, policy, noSizes, null).budget.availableTokens
  const checkedMax = checkCount(maxTokens, 'budgetOf: maxInputTokens')
  return budgetFigures({ maxInputTokens: checkedMax, currentTokens })
}
