/**
 * One style, asked step by step: whoever has answered a step well is asked for the next one
 * first, because its plan is known to fit. Each step begins with the draft of the one before.
 */
import type { AskState, ModelAttempt } from '../../domain/model-calls.ts'
import { nextLink } from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { StyledModels, SummaryPlan } from '../../ports/summary-style.ts'
import type { Meter } from '../measure/measure.ts'
import { askModels } from './ask-models.ts'
import type { CountedQuestion } from './ask-once.ts'
import { type ConversationStep, conversationStep } from './conversation-step.ts'
import { type DraftJudge, draftJudge, type JudgedDraft } from './judge-draft.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import { numbered, numberedFrom } from './numbered-attempts.ts'
import { usdLeft } from './spent-lately.ts'
import { inputTokensFor, measuredRequest, planFor } from './summary-plan.ts'
import type { WriteSummary } from './summary-writer.ts'
import { type ToldChunks, tellChunks } from './tell-chunks.ts'
import {
  type Following,
  followed,
  nextStep,
  nothingTold,
  stopped,
  type Told,
  withChunks,
  withDraft,
} from './told.ts'

/** `before`: what another style has used up of the limits. */
export async function tellInSteps(
  input: WriteSummary,
  styled: StyledModels,
  toTell: MessagesToTell,
  before: Told | null,
): Promise<Told> {
  const { writer, base } = input
  const begunAt = writer.clock.now()
  const meters = new Map<LanguageModel, Meter>()
  for (const model of styled.models) meters.set(model, await writer.meterFor(model.id))
  let told = nothingTold(input, styled, before)
  const [first] = styled.models
  const firstMeter = first && meters.get(first)
  if (first === undefined || firstMeter === undefined) return { ...told, why: 'nobody' }
  const chunks = await tellSlice(input, styled, toTell, { meters, ...told })
  if (chunks !== null) told = withChunks(told, chunks)
  const plan = planOf(input, told, first, firstMeter, toTell)
  if (plan.kind === 'nothing-to-tell') return { ...told, why: 'nothing-to-tell' }
  const meterOf = (model: LanguageModel) => meters.get(model)
  // What is too long for one look is not looked at in the conversation either.
  const fromConversation =
    chunks === null ? await conversationStep(input, styled, toTell, meterOf) : null
  const asking = {
    input,
    toTell,
    meters,
    begunAt,
    judge: draftJudge(input, toTell, []),
    judgeOfConversation: draftJudge(input, toTell, fromConversation?.seen ?? []),
  }
  let following = followed(first, plan)
  let opening = fromConversation
  do {
    const asked = await askStep(asking, told, following, opening)
    if (asked.drafted === null) return stopped(asked.told, base?.covers.to ?? 0)
    const { judged, step } = asked.drafted
    opening = null
    following = nextStep(step)
    told = withDraft(asked.told, judged, step, following)
    if (chunks !== null) told = { ...told, marks: [...chunks.marks, ...told.marks] }
  } while (following !== null)
  return told
}

interface StepAsking {
  readonly input: WriteSummary
  readonly toTell: MessagesToTell
  readonly meters: ReadonlyMap<LanguageModel, Meter>
  readonly begunAt: number
  readonly judge: DraftJudge
  /** Of a model that has seen more than the messages that are to be told. */
  readonly judgeOfConversation: DraftJudge
}

interface StepQuestion extends CountedQuestion {
  readonly step: Following
  readonly meter: Meter
}

interface Drafted {
  readonly judged: JudgedDraft
  readonly step: Following
}

/** Null where nobody has brought a draft: then `told` says why. */
async function askStep(
  asking: StepAsking,
  told: Told,
  following: Following | null,
  fromConversation: ConversationStep | null,
): Promise<{ readonly told: Told; readonly drafted: Drafted | null }> {
  const { input, toTell, meters, begunAt } = asking
  const { writer, base, limits } = input
  const { attempts, state, styled } = told
  const previous = told.draft ?? base
  const asked = await askModels({
    models: askedTwice(inOrder(styled.models, following?.model ?? null), fromConversation),
    requestFor: (model, again): StepQuestion | null => {
      const meter = meters.get(model)
      if (meter === undefined) return null
      if (fromConversation?.model === model && !again) {
        const { step, measured } = fromConversation
        return { ...measured, step: { model, step, rest: [], isFromConversation: true }, meter }
      }
      const step =
        following?.model === model
          ? following
          : followed(model, planOf(input, told, model, meter, toTell))
      const measured = step && measuredRequest(step.step, previous, { model, meter })
      return measured && { ...measured, step, meter }
    },
    judge: async (answer, { step, meter }) => {
      const judge = step.isFromConversation ? asking.judgeOfConversation : asking.judge
      const judged = await judge(answer, { step: step.step, previous, meter })
      return judged.kind === 'ok' ? { kind: 'ok', value: { judged: judged.value, step } } : judged
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
  const since: Told = {
    ...told,
    attempts: [...attempts, ...asked.attempts.map((each) => numbered(each, attempts.length))],
    passedOver: [...told.passedOver, ...asked.passedOver],
    state: asked.state,
  }
  return asked.kind === 'accepted'
    ? { told: since, drafted: asked.value }
    : { told: { ...since, why: asked.why }, drafted: null }
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

/** The messages of a summary that are too many for one look, told in chunks before the summary is asked for. */
interface SliceOptions {
  readonly meters: ReadonlyMap<LanguageModel, Meter>
  /** What was asked before, under the same limits. */
  readonly attempts: readonly ModelAttempt[]
  readonly state: AskState
}

// The last request, and another one where that fails; and time and money for them.
const callsKept = 2
const shareOfChunks = 0.75

/** Null where it is told as it stands. */
async function tellSlice(
  { writer, limits, summaryTokens, pinned }: WriteSummary,
  { style: { tree }, models }: StyledModels,
  { messages, calls }: MessagesToTell,
  { meters, attempts, state }: SliceOptions,
): Promise<ToldChunks | null> {
  const [first, ...others] = models
  if (tree === null || first === undefined) return null
  return tellChunks({
    tree,
    input: { messages, calls },
    inputTokens: roomInEach(models, meters, summaryTokens),
    models: [first, ...others],
    meterOf: (model) => meters.get(model),
    writer,
    note: (event) => writer.note(numberedFrom(event, attempts.length)),
    limits: {
      ...limits,
      calls: limits.calls - attempts.length - callsKept,
      timeMs: Math.floor(limits.timeMs * shareOfChunks),
      usd: limits.usd === null ? null : limits.usd * shareOfChunks,
    },
    state,
    pinned,
  })
}

/** Chunks are made for all that may be asked, but for those that take much less than the first. */
function roomInEach(
  models: readonly LanguageModel[],
  meters: ReadonlyMap<LanguageModel, Meter>,
  summaryTokens: number,
): number {
  const rooms = models.flatMap((model) => {
    const meter = meters.get(model)
    return meter === undefined ? [] : [inputTokensFor(model, meter, summaryTokens)]
  })
  const [first = 0] = rooms
  return Math.min(...rooms.filter((room) => room >= first / 2))
}
