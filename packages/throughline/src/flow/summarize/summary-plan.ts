import { nextLink } from '../../domain/summary.ts'
import type { LanguageModel, ModelRequest } from '../../ports/language-model.ts'
import { requestTokens } from '../../ports/request-tokens.ts'
import type {
  StyledModels,
  SummaryInput,
  SummaryPlan,
  SummaryStep,
  SummaryStyle,
} from '../../ports/summary-style.ts'
import { type GateSource, messageSource } from '../gate/source-index.ts'
import type { Meter } from '../measure/measure.ts'
import { redactor, redactStrings } from '../redact/redact-message.ts'
import { textOfParts } from '../text/readable-text.ts'
import type { CountedRequest } from './ask-once.ts'
import { countedPerToken, summaryMeter } from './summary-meter.ts'
import type { ConversationSoFar, MessagesToSummarize, SummaryTask } from './summary-writer.ts'

// For differences between tokenizers, and text that providers add to a request.
const marginRatio = 0.05
// The largest answer that a style asks for: so many summaries, and tokens for its frame.
const summariesPerAnswer = 2
const answerFrameTokens = 512
// Of the window: two eighths for the answer, one for the previous summary, half for the messages.
const maxSummaryShare = 1 / 8

export interface ModelAndMeter {
  readonly model: LanguageModel
  readonly meter: Meter
}

/** `summaryTokens` in the model's own tokens. */
export function inputTokensFor(model: LanguageModel, meter: Meter, summaryTokens: number) {
  const { card } = meter
  const windowTokens = windowTokensOf(model, card)
  const answerTokens =
    limitSummary(model, meter, summaryTokens) * summariesPerAnswer + answerFrameTokens
  const inputTokens = Math.floor(windowTokens * (1 - marginRatio)) - answerTokens
  return Math.min(inputTokens, card.maxInputTokens ?? inputTokens)
}

/**
 * As the meter counts. The conversation's window may allow a longer summary than the summarizing
 * model can write.
 */
function limitSummary(model: LanguageModel, meter: Meter, summaryTokens: number): number {
  const countedTokens = Math.ceil(summaryTokens * countedPerToken(meter))
  return Math.min(countedTokens, Math.floor(windowTokensOf(model, meter.card) * maxSummaryShare))
}

function windowTokensOf(model: LanguageModel, card: Meter['card']): number {
  return model.card?.contextWindowTokens ?? card.contextWindowTokens
}

export function planFor(
  style: SummaryStyle,
  { model, meter }: ModelAndMeter,
  input: Omit<SummaryInput, 'inputTokens' | 'meter'>,
): SummaryPlan {
  const summaryTokens = limitSummary(model, meter, input.summaryTokens)
  const inputTokens = inputTokensFor(model, meter, input.summaryTokens)
  return style.plan({ ...input, inputTokens, summaryTokens, meter: summaryMeter(meter) })
}

/** Null if the request does not fit the model's window. */
export function countRequest(request: ModelRequest, { model, meter }: ModelAndMeter) {
  const inputTokens = requestTokens(request, meter.text)
  const windowTokens = windowTokensOf(model, meter.card)
  return inputTokens + request.maxOutputTokens > windowTokens ? null : { request, inputTokens }
}

/** Asks the conversation's own model as its next turn, so that most of the input is cached. */
export interface ConversationStep {
  readonly model: LanguageModel
  readonly step: SummaryStep
  readonly counted: CountedRequest
  /** What the model sees beside the messages to summarize. */
  readonly otherSources: readonly GateSource[]
}

/** Null if the conversation's own model cannot be asked so, or if the usual request is cheaper. */
export async function conversationStep(
  input: SummaryTask,
  styled: StyledModels,
  toSummarize: MessagesToSummarize,
  meterOf: (model: LanguageModel) => Meter,
): Promise<ConversationStep | null> {
  const { base, summaryTokens, instructions } = input
  const model = styled.models.find((each) => isOwnModel(each, input))
  if (model === undefined) return null
  const meter = meterOf(model)
  const soFar = await input.soFar()
  if (soFar === null || !showsAll(soFar, input, toSummarize)) return null
  const maxTokens = styled.style.tree?.chunkTokens ?? Number.POSITIVE_INFINITY
  if (soFar.context.tokens > maxTokens) return null
  if (!canContinue(model, soFar)) return null
  const { messages, calls } = toSummarize
  const { depth } = nextLink(base, styled.depthMax)
  const planInput = {
    messages,
    calls,
    pieces: null,
    previous: base,
    depth,
    summaryTokens,
    instructions,
  }
  const plan = (isAbove: boolean) =>
    planFor(styled.style, { model, meter }, { ...planInput, requests: 1, isAbove })
  const planned = plan(true)
  const step = planned.kind === 'planned' ? planned.steps[0] : undefined
  if (step === undefined) return null
  const showsBase = soFar.summaryId === (base?.id ?? null)
  const request = { ...step.request(showsBase ? null : base), continues: soFar.context }
  const inputTokens = soFar.context.tokens + requestTokens(request, meter.text)
  if (inputTokens > inputTokensFor(model, meter, summaryTokens)) return null
  // Compares cached input plus new input with a separate request that is all new. The answer costs
  // the same in both.
  const newTokens = inputTokens - soFar.sentTokens
  const continuedTokens = soFar.sentTokens * cachedPriceRatio(model) + newTokens
  if (continuedTokens >= plannedTokens(plan(false), input, meter)) return null
  const otherSources = sourcesBeside(soFar, toSummarize)
  return { model, step, counted: { request, inputTokens }, otherSources }
}

/** A custom model may throw here. */
function canContinue(model: LanguageModel, { context }: ConversationSoFar): boolean {
  try {
    return model.canContinue?.(context) === true
  } catch {
    return false
  }
}

/** By name, or by model card if the conversation names no provider. */
function isOwnModel({ id, card, canContinue }: LanguageModel, { request, meter }: SummaryTask) {
  if (canContinue === undefined) return false
  return id === request.model || (!request.model.includes('/') && card?.id === meter.card.id)
}

/** Tool output may be stubbed, because a transcript shortens it too; all else must be shown. */
function showsAll(
  { line, stubbed }: ConversationSoFar,
  { base }: SummaryTask,
  { messages }: MessagesToSummarize,
): boolean {
  if (line > (base?.covers.to ?? 0)) return false
  return messages.every(({ seq, role }) => role === 'tool' || !stubbed.has(seq))
}

const usualCachedPriceRatio = 0.1

function cachedPriceRatio({ prices }: LanguageModel): number {
  if (prices?.cachedInputUsd === undefined || prices.inputUsd === 0) return usualCachedPriceRatio
  return prices.cachedInputUsd / prices.inputUsd
}

function plannedTokens(plan: SummaryPlan, { base }: SummaryTask, { text }: Meter): number {
  if (plan.kind !== 'planned') return Number.POSITIVE_INFINITY
  return plan.steps.reduce((sum, step) => sum + requestTokens(step.request(base), text), 0)
}

/** Sources are redacted, so a summary that repeats a secret is refused. */
function sourcesBeside({ context }: ConversationSoFar, { messages }: MessagesToSummarize) {
  const summarized = new Set(messages.map(({ seq }) => seq))
  const { redact } = redactor()
  return context.messages
    .filter(({ seq }) => seq === null || !summarized.has(seq))
    .map(({ seq, role, parts }) => {
      const text = textOfParts(redactStrings({ seq: seq ?? 0, role, parts }, redact).parts)
      // The new summary may repeat the previous one.
      if (seq === null) return { kind: 'summary' as const, role: null, text }
      return messageSource(role, text)
    })
}
