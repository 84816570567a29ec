/** Writes a summary step by step. The plan was made for the model that answered, so it is asked first. */
import type { Seq } from '../../domain/ids.ts'
import {
  type Draft,
  type DraftMark,
  type DraftRepair,
  nextLink,
  type SummarizationStop,
} from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { StyledModels, SummaryPiece, SummaryStep } from '../../ports/summary-style.ts'
import { type AskAccount, addAccounts, askModels, limitsAfter } from './ask-models.ts'
import type { CountedRequest } from './ask-once.ts'
import { type DraftJudge, draftJudge, type JudgedDraft } from './judge-draft.ts'
import { type SummarizedChunks, summarizeChunks } from './summarize-chunks.ts'
import {
  type ConversationStep,
  conversationStep,
  countRequest,
  inputTokensFor,
  type ModelAndMeter,
  planFor,
} from './summary-plan.ts'
import {
  loadMeters,
  type MessagesToSummarize,
  type MeterOf,
  type SummaryTask,
} from './summary-writer.ts'

export interface SummaryProgress {
  readonly styled: StyledModels
  /** Null if nothing was summarized. */
  readonly draft: Draft | null
  readonly model: string | null
  readonly degraded: boolean
  /** The draft covers the messages before it. */
  readonly coveredTo: Seq
  /** Why it stopped; null if everything is summarized. */
  readonly why: SummarizationStop | null
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
  /** Summaries of chunks that replace the messages; null without a tree. */
  readonly pieces: readonly SummaryPiece[] | null
  readonly account: AskAccount
}

/** `before`: the progress of another style, which has used some of the limits. */
export async function summarizeIteratively(
  input: SummaryTask,
  styled: StyledModels,
  toSummarize: MessagesToSummarize,
  before: SummaryProgress | null,
): Promise<SummaryProgress> {
  const { writer, base } = input
  const startedAt = writer.clock.now()
  const meterOf = await loadMeters(writer, styled.models)
  let progress = noProgress(input, styled, before)
  const [first] = styled.models
  if (first === undefined) return { ...progress, why: 'no-model' }
  const chunks = await summarizeInChunks(input, toSummarize, progress, meterOf)
  if (chunks !== null) progress = { ...progress, ...chunks }
  const plan = planOf(input, progress, toSummarize, { model: first, meter: meterOf(first) })
  if (plan.kind === 'nothing-to-summarize') return { ...progress, why: 'nothing-to-summarize' }
  // Input that needs chunks is too long for the conversation's own model too.
  let fromConversation =
    chunks === null ? await conversationStep(input, styled, toSummarize, meterOf) : null
  const judge = draftJudge(input, toSummarize, [])
  // The conversation's own model also sees messages that are not summarized.
  const otherSources = fromConversation?.otherSources ?? []
  const judgeOfConversation = draftJudge(input, toSummarize, otherSources)
  const asking = { input, toSummarize, meterOf, startedAt, judge, judgeOfConversation }
  let next = firstOf(first, plan.kind === 'planned' ? plan.steps : [])
  do {
    const asked = await askStep(asking, progress, next, fromConversation)
    progress = asked.progress
    if (asked.drafted === null) return stopProgress(progress, base?.covers.to ?? 0)
    const { judged, answered } = asked.drafted
    const { to } = answered.step.covers
    fromConversation = null
    next = firstOf(answered.model, answered.laterSteps)
    progress = {
      ...progress,
      draft: judged.draft,
      degraded: progress.degraded || judged.degraded,
      model: answered.model.id,
      coveredTo: Math.min(to, next?.step.covers.from ?? to),
      repairs: [...progress.repairs, ...judged.repairs],
      marks: [...(chunks?.marks ?? []), ...judged.marks],
    }
  } while (next !== null)
  return progress
}

function noProgress(
  { writer, base }: SummaryTask,
  styled: StyledModels,
  before: SummaryProgress | null,
): SummaryProgress {
  const account = before?.account ?? { attempts: [], passedOver: [], state: writer.state }
  return {
    styled,
    draft: null,
    model: null,
    degraded: false,
    coveredTo: base?.covers.to ?? 0,
    why: null,
    repairs: [],
    marks: [],
    pieces: null,
    account,
  }
}

/**
 * If a limit stops the summary within one very long message, that message counts as summarized:
 * the next attempt would stop at the same place and pay again (invariant 8).
 */
function stopProgress(progress: SummaryProgress, from: Seq): SummaryProgress {
  if (progress.draft === null || progress.coveredTo > from) return progress
  const isLimit = progress.why === 'calls' || progress.why === 'time'
  return isLimit
    ? { ...progress, coveredTo: from + 1, degraded: true }
    : { ...progress, draft: null }
}

interface PlannedStep {
  readonly model: LanguageModel
  readonly step: SummaryStep
  readonly laterSteps: readonly SummaryStep[]
  readonly isFromConversation: boolean
}

/** Null if no step is left. */
function firstOf(model: LanguageModel, [step, ...laterSteps]: readonly SummaryStep[]) {
  return step === undefined ? null : { model, step, laterSteps, isFromConversation: false }
}

interface StepAsking {
  readonly judge: DraftJudge
  /** For an answer of the conversation's own model. */
  readonly judgeOfConversation: DraftJudge
  readonly input: SummaryTask
  readonly toSummarize: MessagesToSummarize
  readonly meterOf: MeterOf
  readonly startedAt: number
}

type StepRequest = CountedRequest & { readonly planned: PlannedStep }

/** `drafted` is null if no draft was accepted; then `progress` says why. */
async function askStep(
  { input, toSummarize, meterOf, startedAt, ...judges }: StepAsking,
  progress: SummaryProgress,
  next: PlannedStep | null,
  fromConversation: ConversationStep | null,
) {
  const { writer } = input
  const { clock, timer, signal, reportEvent } = writer
  const { attempts, state } = progress.account
  const previous = progress.draft ?? input.base
  const stepFor = (model: LanguageModel) => {
    if (next?.model === model) return next
    const plan = planOf(input, progress, toSummarize, { model, meter: meterOf(model) })
    return firstOf(model, plan.kind === 'planned' ? plan.steps : [])
  }
  const asked = await askModels<{ judged: JudgedDraft; answered: PlannedStep }, StepRequest>({
    models: modelsInOrder(progress.styled.models, next?.model ?? null, fromConversation),
    requestFor: (model, isAgain) => {
      if (fromConversation?.model === model && !isAgain) {
        const { step, counted } = fromConversation
        return { ...counted, planned: { model, step, laterSteps: [], isFromConversation: true } }
      }
      const planned = stepFor(model)
      const meter = meterOf(model)
      const counted = planned && countRequest(planned.step.request(previous), { model, meter })
      return counted && { ...counted, planned }
    },
    judge: async (answer, { planned: answered }) => {
      const { step, model, isFromConversation } = answered
      const judge = isFromConversation ? judges.judgeOfConversation : judges.judge
      const judged = await judge(answer, { step, previous, meter: meterOf(model) })
      return judged.kind === 'ok'
        ? { ...judged, value: { judged: judged.value, answered } }
        : judged
    },
    limits: limitsAfter(input.limits, attempts, clock.now() - startedAt),
    state,
    attemptsBefore: attempts.length,
    clock,
    timer,
    signal,
    reportEvent,
  })
  const progressAfter = { ...progress, account: addAccounts(progress.account, asked) }
  return asked.kind === 'accepted'
    ? { progress: progressAfter, drafted: asked.value }
    : { progress: { ...progressAfter, why: asked.why }, drafted: null }
}

/** The last to answer is first. The conversation's own model is asked as its next turn, then as usual. */
function modelsInOrder(
  models: readonly LanguageModel[],
  first: LanguageModel | null,
  fromConversation: ConversationStep | null,
): readonly LanguageModel[] {
  const ordered = first === null ? models : [first, ...models.filter((model) => model !== first)]
  return ordered.flatMap((model) => (model === fromConversation?.model ? [model, model] : [model]))
}

function planOf(
  { base, summaryTokens, limits, instructions }: SummaryTask,
  { styled, coveredTo, pieces, draft, account }: SummaryProgress,
  { messages, calls }: MessagesToSummarize,
  modelAndMeter: ModelAndMeter,
) {
  return planFor(styled.style, modelAndMeter, {
    messages: messages.filter(({ seq }) => seq >= coveredTo),
    calls,
    pieces: pieces?.filter(({ seq }) => seq >= coveredTo) ?? null,
    previous: draft ?? base,
    depth: base === null ? 0 : nextLink(base, styled.depthMax).depth,
    summaryTokens,
    // One call is reserved for a retry.
    requests: Math.max(1, limits.calls - account.attempts.length - 1),
    isAbove: false,
    instructions,
  })
}

// Of the limits, the final summary and a retry of it need some calls, time and money.
const callsAfterChunks = 2
const chunksShare = 0.75

/** Summarizes chunks first if one request cannot take all messages; null if no chunks are needed. */
async function summarizeInChunks(
  { writer, limits, summaryTokens, pinned }: SummaryTask,
  { messages, calls }: MessagesToSummarize,
  { styled, account }: SummaryProgress,
  meterOf: MeterOf,
): Promise<SummarizedChunks | null> {
  const { tree } = styled.style
  const [first, ...others] = styled.models
  if (tree === null || first === undefined) return null
  const inputTokensOf = (model: LanguageModel) =>
    inputTokensFor(model, meterOf(model), summaryTokens)
  // Chunks fit every model, except those that take less than half the input of the first.
  const largeInputs = styled.models
    .map(inputTokensOf)
    .filter((tokens) => tokens >= inputTokensOf(first) / 2)
  return summarizeChunks({
    tree,
    input: { messages, calls },
    meterOf,
    writer,
    account,
    pinned,
    inputTokens: Math.min(...largeInputs),
    models: [first, ...others],
    limits: {
      ...limits,
      calls: limits.calls - callsAfterChunks,
      timeMs: Math.floor(limits.timeMs * chunksShare),
      usd: limits.usd === null ? null : limits.usd * chunksShare,
    },
  })
}
