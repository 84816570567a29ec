import type { Draft, DraftMark, DraftRepair } from '../../domain/summary.ts'
import type { ModelAnswer } from '../../ports/language-model.ts'
import type { SourceMessage, SummaryStep, TreeChunk } from '../../ports/summary-style.ts'
import { draftText } from '../gate/draft-text.ts'
import { gate } from '../gate/gate.ts'
import {
  type GateSource,
  indexSources,
  indexWithPauses,
  messageSource,
  type SourceIndex,
} from '../gate/source-index.ts'
import type { Meter } from '../measure/measure.ts'
import { textOfParts } from '../text/readable-text.ts'
import type { MessagesToSummarize, SummaryTask } from './summary-writer.ts'

export interface JudgedDraft {
  readonly draft: Draft
  /** The answer was cut off, so the draft ends with its last whole sentence. */
  readonly degraded: boolean
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
}

type Refused = { readonly kind: 'refused'; readonly reasons: readonly string[] }
type Judgement = { readonly kind: 'ok'; readonly value: JudgedDraft } | Refused
type Drafted = Extract<ReturnType<SummaryStep['read']>, { kind: 'drafted' }>

function refused(...reasons: readonly string[]): Refused {
  return { kind: 'refused', reasons }
}

/** `meter` belongs to the model that answered. */
export type DraftJudge = (
  answer: ModelAnswer,
  to: { readonly step: SummaryStep; readonly previous: Draft | null; readonly meter: Meter },
) => Promise<Judgement>

// An answer that ends below this share of its limit was not cut off by the limit.
const minCutOffShare = 0.5

export function draftJudge(
  input: SummaryTask,
  { messages, originals }: Pick<MessagesToSummarize, 'messages' | 'originals'>,
  /** What the model saw beside the messages to summarize. */
  otherSources: readonly GateSource[],
): DraftJudge {
  const { base, pinned } = input
  let index: SourceIndex | null = null
  // A summary does not replace pins: they are shown beside it.
  const unpinned = originals.filter(({ seq }) => !pinned.some((pin) => pin.seq === seq))
  const tokensReplacedBy = ({ covers }: SummaryStep) =>
    input.meter.messages(unpinned.filter(({ seq }) => seq < covers.to)) +
    (base === null ? 0 : input.meter.text(draftText(base)))
  const pause = () => input.writer.timer.wait(0, input.writer.signal)
  return async (answer, { step, previous, meter }) => {
    const read = step.read(answer, previous)
    if (read.kind === 'refused') return refused(`${read.reason}: ${read.message}`)
    if (base !== null && dropsSummary(read.draft, base, step, meter))
      return refused('too-short: it drops most of the previous summary')
    // Reads the sources once, and only if there is something to check against them.
    index ??= await indexWithPauses([...gateSources(input, messages), ...otherSources], pause)
    const pins = pinned.map(({ parts }) => textOfParts(parts))
    const replacedTokens = tokensReplacedBy(step)
    return judgeWithSources(read, { answer, step, meter, pins, sources: index, replacedTokens })
  }
}

/** An updated summary must not shrink to a tenth. */
function dropsSummary(draft: Draft, base: Draft, { mostTokens }: SummaryStep, meter: Meter) {
  const before = Math.min(mostTokens, meter.text(draftText(base)))
  return meter.text(draftText(draft)) < before * minKeptShare
}

const minKeptShare = 0.1

export function judgeChunk(
  answer: ModelAnswer,
  chunk: TreeChunk,
  { meter, pins }: { readonly meter: Meter; readonly pins: readonly string[] },
): Judgement {
  const read = chunk.read(answer, null)
  if (read.kind === 'refused') return refused(`${read.reason}: ${read.message}`)
  const sources = indexSources(
    chunk.sources.map(({ role, text }) =>
      role === 'segment' ? { kind: 'summary', role: null, text } : messageSource(role, text),
    ),
  )
  const replacedTokens = chunk.tokens
  return judgeWithSources(read, { answer, meter, pins, sources, step: chunk, replacedTokens })
}

function judgeWithSources(
  read: Drafted,
  options: {
    readonly answer: ModelAnswer
    readonly step: Pick<SummaryStep, 'mostTokens' | 'prompt'>
    readonly meter: Meter
    readonly pins: readonly string[]
    readonly sources: SourceIndex
    readonly replacedTokens: number
  },
): Judgement {
  const { answer, step, meter, ...sources } = options
  const isLong = meter.text(read.draft.text) >= step.mostTokens * minCutOffShare
  // The draft was read up to its last whole sentence, so the gate need not refuse it as cut off.
  const isCutOff = answer.finish === 'length' && isLong
  const finish = isCutOff ? 'stop' : answer.finish
  const asked = { prompt: step.prompt, finish, unread: null }
  const limits = { tokens: step.mostTokens }
  const outcome = gate(read.draft, { ...sources, meter, limits, asked })
  if (outcome.kind === 'refused')
    return refused(
      ...outcome.reasons.map(({ reason, detail }) =>
        detail === null ? reason : `${reason}: ${detail}`,
      ),
    )
  const { draft, repairs, marks } = outcome
  return { kind: 'ok', value: { draft, degraded: read.cutOff || isCutOff, repairs, marks } }
}

/** The sources of a summary: its exact values must be in one of them (invariant 13). */
function gateSources(
  { request, pinned, ledger, base, instructions }: SummaryTask,
  messages: readonly SourceMessage[],
): readonly GateSource[] {
  const source = (kind: GateSource['kind'], text: string) => ({ kind, role: null, text })
  return [
    ...messages.map(({ role, parts }) => messageSource(role, textOfParts(parts))),
    ...request.system.map(({ text }) => source('system', text)),
    ...(request.tools.length === 0 ? [] : [source('tools', JSON.stringify(request.tools))]),
    ...pinned.map(({ parts }) => source('pin', textOfParts(parts))),
    ...(base === null ? [] : [source('summary', draftText(base))]),
    source('ledger', ledger.entries.map(({ label, value }) => `${label} ${value}`).join('\n')),
    // Instructions may use other names than the conversation.
    ...(instructions === null ? [] : [messageSource('user', instructions)]),
  ]
}
