/**
 * Trimming for those who keep their messages themselves and want no state: what messages
 * are, which files they are about, whether they fit, and what is left where they must.
 */
import type { TokenizerChoice } from './config.ts'
import { defaults } from './defaults.ts'
import type { Seq } from './domain/ids.ts'
import type { MessageInput } from './domain/message-input.ts'
import { type ModelCardInput, modelCard } from './domain/model-card.ts'
import { noSize } from './domain/size.ts'
import type { ToolSchema } from './domain/tool-schema.ts'
import { type BudgetFigures, budgetFigures } from './flow/budget-figures.ts'
import { checkOptions, invalidOption } from './flow/check-options.ts'
import type { Classified } from './flow/classify.ts'
import { judge } from './flow/judge.ts'
import type { Meter } from './flow/measure.ts'
import { planBudget } from './flow/plan-budget.ts'
import { policyFor } from './flow/policy-for.ts'
import { checkRequest } from './flow/request.ts'
import { sealAll } from './flow/seal-all.ts'
import { type TrackedFiles, trackFiles as trackSealed } from './flow/track-files.ts'
import { type Trimmed, trimMessages } from './flow/trim.ts'
import { rememberedMeters } from './meters.ts'
import type { Tokenizer } from './ports/tokenizer.ts'
import { type PolicyInput, readPolicy } from './read-policy.ts'
import { sha256 } from './system.ts'

/** Which model is counted for: its name, or a meter that is there already. */
export interface CountOptions {
  readonly model?: string | undefined
  readonly meter?: Meter | undefined
  readonly tokenizer?: TokenizerChoice | undefined
  readonly models?: readonly ModelCardInput[] | undefined
  readonly policy?: PolicyInput | undefined
}

export interface TrimOptions extends CountOptions {
  /** The most that the messages may have together. */
  readonly targetTokens: number
  /** A summary stands for the messages before this place: they go first. */
  readonly summarizedTo?: Seq | undefined
}

export interface BudgetOptions extends CountOptions {
  readonly system?: string | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  /** The most that the request may have; by the model's window and the policy when left out. */
  readonly maxInputTokens?: number | undefined
}

export interface ClassifyOptions {
  readonly policy?: PolicyInput | undefined
  readonly summarizedTo?: Seq | undefined
  /** Counts the messages. */
  readonly meter?: Meter | undefined
}

export interface ClassifiedMessage extends Classified {
  readonly message: MessageInput
  /** Null without a meter. */
  readonly tokens: number | null
}

const countFields = ['model', 'meter', 'tokenizer', 'models', 'policy'] as const

/**
 * Fits messages into so many tokens: output of tools becomes shorter first, then the oldest
 * leave, calls together with their results.
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
  const target = checkCount(targetTokens, 'trim: targetTokens')
  const { meter, policy } = await counting(options, 'trim')
  const place = checkCount(summarizedTo, 'trim: summarizedTo')
  return trimMessages(messages, {
    targetTokens: target,
    summarizedTo: place,
    meter,
    policy,
    sha256,
  })
}

/**
 * What each message is to a context that has to become smaller.
 *
 * @example
 * const stale = classify(inputs).filter((message) => message.class === 'stale-output')
 */
export function classify(
  messages: readonly MessageInput[],
  options: ClassifyOptions = {},
): readonly ClassifiedMessage[] {
  const {
    policy,
    summarizedTo = 0,
    meter,
  } = checkOptions(options, ['policy', 'summarizedTo', 'meter'], 'classify')
  const { trim: rules } = readPolicy(policy ?? defaults.policy.value)
  const sealed = sealAll(messages, sha256)
  const place = checkCount(summarizedTo, 'classify: summarizedTo')
  const { classified } = judge(sealed, rules, place)
  return sealed.flatMap((message, at) => {
    const [found, input] = [classified[at], messages[at]]
    if (found === undefined || input === undefined) return []
    return [{ ...found, message: input, tokens: meter?.message(message) ?? null }]
  })
}

/**
 * The files that the tools of a conversation have touched.
 *
 * @example
 * const changed = modifiedFiles(trackFiles(inputs)).map(({ path }) => path)
 */
export function trackFiles(messages: readonly MessageInput[]): TrackedFiles {
  return trackSealed(sealAll(messages, sha256))
}

/**
 * Whether messages fit a model, and how full they make it.
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
  const { meter, policy } = await counting(options, 'budgetOf')
  // Checked as they are for a context.
  const asked = checkRequest({ model: meter.card.id, system, tools })
  const { tokens } = meter.request({
    system: asked.system.map(({ text }) => text).join('\n'),
    tools: asked.tools,
    messages: sealAll(messages, sha256),
  })
  const free = { system: noSize, tools: noSize, pins: noSize }
  const most = maxInputTokens ?? planBudget(meter, policy, free, null).budget.availableTokens
  return budgetFigures({
    maxInputTokens: checkCount(most, 'budgetOf: maxInputTokens'),
    currentTokens: tokens,
  })
}

async function counting({ model, meter, tokenizer, models, policy }: CountOptions, where: string) {
  const asked = readPolicy(policy ?? defaults.policy.value)
  if (meter !== undefined) {
    if (typeof meter?.message !== 'function' || typeof meter.card?.id !== 'string')
      throw invalidOption(`${where}: meter must be what meter(model) gave`)
    return { meter, policy: policyFor(asked, [meter.card.id]) }
  }
  if (typeof model !== 'string') throw invalidOption(`${where}: give a model or a meter`)
  const isNamed =
    tokenizer === undefined || ['auto', 'exact', 'estimate'].includes(tokenizer as string)
  if (!isNamed && typeof (tokenizer as Tokenizer | null)?.count !== 'function')
    throw invalidOption(`${where}: tokenizer must be "auto", "exact", "estimate" or a tokenizer`)
  const cards = (models ?? []).map(modelCard)
  const found = await rememberedMeters(tokenizer ?? defaults.tokenizer.value, cards)(model)
  return { meter: found, policy: policyFor(asked, [model, found.card.id]) }
}

function checkCount(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidOption(`${name} must be a whole number from 0`)
  return value
}
