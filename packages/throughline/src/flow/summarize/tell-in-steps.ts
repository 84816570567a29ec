/**
 * One style, asked step by step: whoever has answered a step well is asked for the next one
 * first, because its plan is known to fit. Each step begins with the draft of the one before.
 */
import { nextLink } from '../../domain/summary-chain.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { StyledModels, SummaryPlan } from '../../ports/summary-style.ts'
import type { Meter } from '../measure/measure.ts'
import { askModels } from './ask-models.ts'
import type { CountedQuestion } from './ask-once.ts'
import { type ConversationStep, conversationStep } from './conversation-step.ts'
import { currentStep, type Following, followed, nextStep } from './following-steps.ts'
import { draftJudge, type JudgedDraft } from './judge-draft.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import { numbered, numberedFrom } from './numbered-attempts.ts'
import { usdLeft } from './spent-lately.ts'
import { measuredRequest, planFor } from './summary-plan.ts'
import type { WriteSummary } from './summary-writer.ts'
import { tellSlice } from './tell-slice.ts'
import { nothingTold, stopped, type Told, withChunks, withDraft } from './told.ts'

/** `before`: what another style has used up of the limits. */
export async function tellInSteps(
  input: WriteSummary,
  styled: StyledModels,
  toTell: MessagesToTell,
  before: Told | null,
): Promise<Told> {
  const { writer, base, limits } = input
  const begunAt = writer.clock.now()
  const meters = new Map<LanguageModel, Meter>()
  for (const model of styled.models) meters.set(model, await writer.meterFor(model.id))
  const judge = draftJudge(input, toTell, [])
  let told = nothingTold(input, styled, before)
  const [first] = styled.models
  const firstMeter = first && meters.get(first)
  if (first === undefined || firstMeter === undefined) return { ...told, why: 'nobody' }
  const chunks = await tellSlice(input, styled, toTell, { meters, ...told })
  if (chunks !== null) told = withChunks(told, chunks)
  const plan = planOf(input, told, first, firstMeter, toTell)
  if (plan.kind === 'nothing-to-tell') return { ...told, why: 'nothing-to-tell' }
  let following = followed(first, plan)
  const meterOf = (model: LanguageModel) => meters.get(model)
  // What is too long for one look is not looked at in the conversation either.
  let fromConversation =
    chunks === null ? await conversationStep(input, styled, toTell, meterOf) : null
  const judgeOfConversation = draftJudge(input, toTell, fromConversation?.seen ?? [])
  do {
    const { attempts, state } = told
    const asking: { step: Following | null } = { step: null }
    const previous = told.draft ?? base
    const asked = await askModels<JudgedDraft>({
      models: askedTwice(inOrder(styled.models, following?.model ?? null), fromConversation),
      requestFor: (model): CountedQuestion | null => {
        const meter = meters.get(model)
        if (meter === undefined) return null
        if (fromConversation?.model === model) {
          const { step, measured } = fromConversation
          asking.step = { model, steps: [step], at: 0, isFromConversation: true }
          fromConversation = null
          return measured
        }
        asking.step =
          following?.model === model
            ? following
            : followed(model, planOf(input, told, model, meter, toTell))
        const step = currentStep(asking.step)
        return step === undefined ? null : measuredRequest(step, previous, { model, meter })
      },
      judge: (answer) => {
        const step = currentStep(asking.step)
        const meter = asking.step === null ? undefined : meters.get(asking.step.model)
        if (step === undefined || meter === undefined)
          throw new Error('an answer that nobody asked for')
        return (asking.step?.isFromConversation === true ? judgeOfConversation : judge)(answer, {
          step,
          previous,
          meter,
        })
      },
      limits: {
        ...limits,
        calls: limits.calls - attempts.length,
        usd: usdLeft(limits, attempts),
        timeMs: Math.max(1, limits.timeMs - (writer.clock.now() - begunAt)),
      },
      state,
      clock: writer.clock,
      timer: writer.timer,
      signal: writer.signal,
      note: (event) => writer.note(numberedFrom(event, attempts.length)),
    })
    told = {
      ...told,
      attempts: [...attempts, ...asked.attempts.map((each) => numbered(each, attempts.length))],
      passedOver: [...told.passedOver, ...asked.passedOver],
      state: asked.state,
    }
    fromConversation = null
    if (asked.kind === 'given-up') return stopped({ ...told, why: asked.why }, base?.covers.to ?? 0)
    const step = asking.step
    following = step === null ? null : nextStep(step)
    told = withDraft(told, asked.value, step, following)
    if (chunks !== null) told = { ...told, marks: [...chunks.marks, ...told.marks] }
  } while (following !== null)
  return told
}

function inOrder(
  models: readonly LanguageModel[],
  first: LanguageModel | null,
): readonly LanguageModel[] {
  return first === null ? models : [first, ...models.filter((model) => model !== first)]
}

/** First as in the conversation, then as usual: another question may be answered better. */
function askedTwice(
  models: readonly LanguageModel[],
  fromConversation: ConversationStep | null,
): readonly LanguageModel[] {
  return models.flatMap((model) => (model === fromConversation?.model ? [model, model] : [model]))
}

/** Of what is not told yet. */
function planOf(
  { base, summaryTokens, limits, wishes }: WriteSummary,
  told: Told,
  model: LanguageModel,
  meter: Meter,
  { messages, calls }: MessagesToTell,
): SummaryPlan {
  return planFor(model, meter, {
    style: told.styled.style,
    toTell: { messages: messages.filter(({ seq }) => seq >= told.toldTo), calls },
    pieces: told.pieces?.filter(({ seq }) => seq >= told.toldTo) ?? null,
    previous: told.draft ?? base,
    depth: base === null ? 0 : nextLink(base, told.styled.depthMax).depth,
    summaryTokens,
    // One may fail, and be asked for again.
    requests: Math.max(1, limits.calls - told.attempts.length - 1),
    isAbove: false,
    wishes,
  })
}
