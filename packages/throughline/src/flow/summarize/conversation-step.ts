/**
 * The conversation's own model, asked for a summary as its next turn: tools, system prompt and
 * messages as it has had them, and one more message of the user. Its provider bills what it
 * has of that in a cache at a fraction.
 */
import { nextLink } from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { requestTokens } from '../../ports/request-tokens.ts'
import type { StyledModels, SummaryPlan, SummaryStep } from '../../ports/summary-style.ts'
import type { GateSource } from '../gate/source-index.ts'
import type { Meter } from '../measure/measure.ts'
import { redactedMessage, redactor } from '../redact/redacted-message.ts'
import { textOfParts } from '../text/message-text.ts'
import type { CountedQuestion } from './ask-once.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import { inputTokensFor, planFor } from './summary-plan.ts'
import type { ConversationSoFar, WriteSummary } from './summary-writer.ts'

export interface ConversationStep {
  readonly model: LanguageModel
  readonly step: SummaryStep
  readonly measured: CountedQuestion
  /** What the model sees beside the messages that are to be told. */
  readonly seen: readonly GateSource[]
}

/** Null where it cannot be asked so, or where the usual request is cheaper. */
export async function conversationStep(
  input: WriteSummary,
  styled: StyledModels,
  toTell: MessagesToTell,
  meterOf: (model: LanguageModel) => Meter | undefined,
): Promise<ConversationStep | null> {
  const { base, summaryTokens, wishes } = input
  const model = styled.models.find((each) => isOfConversation(each, input))
  const meter = model && meterOf(model)
  if (model === undefined || meter === undefined) return null
  const soFar = await input.soFar()
  if (soFar === null || !showsAll(soFar, input, toTell)) return null
  if (!canContinue(model, soFar)) return null
  const plan = (isAbove: boolean) =>
    planFor(model, meter, {
      style: styled.style,
      toTell,
      pieces: null,
      previous: base,
      depth: nextLink(base, styled.depthMax).depth,
      summaryTokens,
      requests: 1,
      isAbove,
      wishes,
    })
  const planned = plan(true)
  const step = planned.kind === 'planned' ? planned.steps[0] : undefined
  if (step === undefined) return null
  const isShown = soFar.summaryId === (base?.id ?? null)
  const request = { ...step.request(isShown ? null : base), continues: soFar.context }
  const count = (text: string) => meter.text(text)
  const inputTokens = soFar.context.tokens + requestTokens(request, count)
  if (inputTokens > inputTokensFor(model, meter, summaryTokens)) return null
  // What was sent before at the price of cached input, and the rest in full, against a request
  // of its own for which all is new. Both are answered at the same price.
  const newTokens = inputTokens - soFar.sentTokens
  const continuedTokens = soFar.sentTokens * cachedShare(model) + newTokens
  if (continuedTokens >= tokensOf(plan(false), input, count)) return null
  return { model, step, measured: { request, inputTokens }, seen: seenBeside(soFar, toTell) }
}

/** It is somebody else's, and may throw. */
function canContinue(model: LanguageModel, { context }: ConversationSoFar): boolean {
  try {
    return model.canContinue?.(context) === true
  } catch {
    return false
  }
}

/** Under the same name, or under the same card where the conversation names no provider. */
function isOfConversation(
  { id, card, canContinue }: LanguageModel,
  { request, meter }: WriteSummary,
): boolean {
  if (canContinue === undefined) return false
  return id === request.model || (!request.model.includes('/') && card?.id === meter.card.id)
}

/** A transcript shortens what tools said too; all else must be there to be told. */
function showsAll(
  { line, stubbed }: ConversationSoFar,
  { base }: WriteSummary,
  { messages }: MessagesToTell,
): boolean {
  return (
    line <= (base?.covers.to ?? 0) &&
    messages.every(({ seq, role }) => role === 'tool' || !stubbed.has(seq))
  )
}

const usualShare = 0.1

function cachedShare({ prices }: LanguageModel): number {
  if (prices?.cachedInputUsd === undefined || prices.inputUsd === 0) return usualShare
  return prices.cachedInputUsd / prices.inputUsd
}

function tokensOf(
  plan: SummaryPlan,
  { base }: WriteSummary,
  count: (text: string) => number,
): number {
  if (plan.kind !== 'planned') return Number.POSITIVE_INFINITY
  return plan.steps.reduce((sum, step) => sum + requestTokens(step.request(base), count), 0)
}

/** Secrets stand in no source: a summary that tells one is refused. */
function seenBeside(
  { context }: ConversationSoFar,
  { messages }: MessagesToTell,
): readonly GateSource[] {
  const told = new Set(messages.map(({ seq }) => seq))
  const { redact } = redactor()
  return context.messages
    .filter(({ seq }) => seq === null || !told.has(seq))
    .map(({ seq, role, parts }) => {
      const text = textOfParts(redactedMessage({ seq: seq ?? 0, role, parts }, redact).parts)
      // What was told of earlier messages may be told again.
      if (seq === null) return { kind: 'summary', role: null, text }
      return role === 'system'
        ? { kind: 'system', role: null, text }
        : { kind: 'message', role, text }
    })
}
