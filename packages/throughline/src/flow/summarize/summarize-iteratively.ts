/**
 * Writes a summary in one style, step by step. The model that answered a step is asked first for
 * the next, because the plan was made for it.
 */
import type { Seq } from '../../domain/ids.ts'
import {
  type Draft,
  type DraftMark,
  type DraftRepair,
  nextLink,
  type SummarizationStop,
} from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type {
  StyledModels,
  SummaryPiece,
  SummaryPlan,
  SummaryStep,
} from '../../ports/summary-style.ts'
import { type AskAccount, addAccounts, askModels, limitsAfter } from './ask-models.ts'
import type { CountedQuestion } from './ask-once.ts'
import { type DraftJudge, draftJudge, type JudgedDraft } from './judge-draft.ts'
import { type SummarizedChunks, summarizeChunks } from './summarize-chunks.ts'
import {
  type ConversationStep,
  conversationStep,
  inputTokensFor,
  type ModelAndMeter,
  measuredRequest,
  planFor,
} from './summary-plan.ts'
import {
  loadMeters,
  type MessagesToSummarize,
  type MeterOf,
  type WriteSummary,
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
  input: WriteSummary,
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
  const judgeOfConversation = draftJudge(input, toSummarize, fromConversation?.seen ?? [])
  const asking = { input, toSummarize, meterOf, startedAt, judge, judgeOfConversation }
  let next = stepsOf(first, plan.kind === 'planned' ? plan.steps : [])
  do {
    const asked = await askStep(asking, progress, next, fromConversation)
    progress = asked.progress
    if (asked.drafted === null) return stopped(progress, base?.covers.to ?? 0)
    const { judged, answered } = asked.drafted
    const { to } = answered.step.covers
    fromConversation = null
    next = stepsOf(answered.model, answered.rest)
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
  { writer, base }: WriteSummary,
  styled: StyledModels,
  before: SummaryProgress | null,
): SummaryProgress {
  const account = before?.account ?? { attempts: [], passedOver: [], state: writer.state }
  return {
    ...{ styled, draft: null, model: null, degraded: false, coveredTo: base?.covers.to ?? 0 },
    ...{ why: null, repairs: [], marks: [], pieces: null, account },
  }
}

/**
 * If a limit stops the summary within one very long message, that message counts as summarized:
 * the next attempt would stop at the same place and pay again (invariant 8).
 */
function stopped(progress: SummaryProgress, from: Seq): SummaryProgress {
  if (progress.draft === null || progress.coveredTo > from) return progress
  const isLimit = progress.why === 'calls' || progress.why === 'time'
  return isLimit
    ? { ...progress, coveredTo: from + 1, degraded: true }
    : { ...progress, draft: null }
}

interface PlannedStep {
  readonly model: LanguageModel
  readonly step: SummaryStep
  readonly rest: readonly SummaryStep[]
  readonly isFromConversation: boolean
}

function stepsOf(
  model: LanguageModel,
  [step, ...rest]: readonly SummaryStep[],
): PlannedStep | null {
  return step === undefined ? null : { model, step, rest, isFromConversation: false }
}

interface StepAsking extends Readonly<Record<'judge' | 'judgeOfConversation', DraftJudge>> {
  readonly input: WriteSummary
  readonly toSummarize: MessagesToSummarize
  readonly meterOf: MeterOf
  readonly startedAt: number
}

type StepQuestion = CountedQuestion & { readonly planned: PlannedStep }

/** `drafted` is null if no draft was accepted; then `progress` says why. */
async function askStep(
  { input, toSummarize, meterOf, startedAt, ...judges }: StepAsking,
  progress: SummaryProgress,
  next: PlannedStep | null,
  fromConversation: ConversationStep | null,
) {
  const { writer } = input
  const { clock, timer, signal } = writer
  const { attempts, state } = progress.account
  const previous = progress.draft ?? input.base
  const stepFor = (model: LanguageModel) => {
    if (next?.model === model) return next
    const plan = planOf(input, progress, toSummarize, { model, meter: meterOf(model) })
    return stepsOf(model, plan.kind === 'planned' ? plan.steps : [])
  }
  const asked = await askModels<{ judged: JudgedDraft; answered: PlannedStep }, StepQuestion>({
    models: modelsInOrder(progress.styled.models, next?.model ?? null, fromConversation),
    requestFor: (model, again) => {
      if (fromConversation?.model === model && !again) {
        const { step, measured } = fromConversation
        return { ...measured, planned: { model, step, rest: [], isFromConversation: true } }
      }
      const planned = stepFor(model)
      const of = { model, meter: meterOf(model) }
      const measured = planned && measuredRequest(planned.step, previous, of)
      return measured && { ...measured, planned }
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
    note: (event) => writer.note(event),
  })
  const since = { ...progress, account: addAccounts(progress.account, asked) }
  return asked.kind === 'accepted'
    ? { progress: since, drafted: asked.value }
    : { progress: { ...since, why: asked.why }, drafted: null }
}

/**
 * The model that answered last comes first. The conversation's own model is asked twice: as the
 * next turn of the conversation, then with the usual request.
 */
function modelsInOrder(
  models: readonly LanguageModel[],
  first: LanguageModel | null,
  fromConversation: ConversationStep | null,
): readonly LanguageModel[] {
  const ordered = first === null ? models : [first, ...models.filter((model) => model !== first)]
  return ordered.flatMap((model) => (model === fromConversation?.model ? [model, model] : [model]))
}

function planOf(
  { base, summaryTokens, limits, instructions }: WriteSummary,
  { styled, coveredTo, pieces, draft, account }: SummaryProgress,
  { messages, calls }: MessagesToSummarize,
  of: ModelAndMeter,
): SummaryPlan {
  return planFor(styled.style, of, {
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

// Reserved for the final summary and a retry, with time and money for both.
const callsKept = 2
const shareOfChunks = 0.75

/** Summarizes chunks first if one request cannot take all messages; null if no chunks are needed. */
async function summarizeInChunks(
  { writer, limits, summaryTokens, pinned }: WriteSummary,
  { messages, calls }: MessagesToSummarize,
  { styled, account }: SummaryProgress,
  meterOf: MeterOf,
): Promise<SummarizedChunks | null> {
  const { tree } = styled.style
  const [first, ...others] = styled.models
  if (tree === null || first === undefined) return null
  const roomIn = (model: LanguageModel) => inputTokensFor(model, meterOf(model), summaryTokens)
  // Chunks fit every model, except those with less than half the room of the first.
  const rooms = styled.models.map(roomIn).filter((room) => room >= roomIn(first) / 2)
  return summarizeChunks({
    ...{ tree, input: { messages, calls }, meterOf, writer, account, pinned },
    inputTokens: Math.min(...rooms),
    models: [first, ...others],
    limits: {
      ...limits,
      calls: limits.calls - callsKept,
      timeMs: Math.floor(limits.timeMs * shareOfChunks),
      usd: limits.usd === null ? null : limits.usd * shareOfChunks,
    },
  })
}
