/**
 * Summarizes long input as a tree: chunks in parallel, then their summaries, until one request takes
 * them all. Each level is shorter, so it ends (invariant 8). A failed chunk is excerpted and marked.
 */
import type { Message } from '../../domain/message.ts'
import {
  type AskLimits,
  type AskState,
  afterIneffective,
  breakerState,
  closedBreaker,
  type ModelAttempt,
} from '../../domain/model-calls.ts'
import { anchorOf } from '../../domain/span.ts'
import type { DigestRecord, DraftMark, DraftRepair } from '../../domain/summary.ts'
import { oneLine } from '../../extract/one-line.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type {
  ChunkSource,
  LevelInput,
  SummaryPiece,
  SummaryTree,
  TreeChunk,
  TreeLevel,
} from '../../ports/summary-style.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { excerpt } from '../text/excerpt.ts'
import { textOfParts } from '../text/readable-text.ts'
import { askMany } from './ask-many.ts'
import { type AskAccount, addAccounts, limitsAfter } from './ask-models.ts'
import { type JudgedDraft, judgeChunk } from './judge-draft.ts'
import { summaryMeter } from './summary-meter.ts'
import { countRequest, inputTokensFor } from './summary-plan.ts'
import { loadMeters, type MeterOf, type SummaryWriter } from './summary-writer.ts'

interface ChunksInput {
  readonly tree: SummaryTree
  readonly input: Pick<LevelInput, 'messages' | 'calls'>
  /** The room for input in one request. */
  readonly inputTokens: number
  /** Best first. */
  readonly models: readonly [LanguageModel, ...LanguageModel[]]
  readonly meterOf: MeterOf
  readonly writer: Pick<SummaryWriter, 'clock' | 'timer' | 'signal' | 'reportEvent'>
  /** Without the share that is reserved for the summary of the chunks. */
  readonly limits: AskLimits
  /** Earlier attempts under the same limits. */
  readonly account: AskAccount
  readonly pinned: readonly Message[]
}

export interface SummarizedChunks {
  readonly pieces: readonly SummaryPiece[]
  readonly degraded: boolean
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
  readonly account: AskAccount
}

// Each level shrinks to a twentieth, so three suffice for any stored log.
const maxLevels = 3
const atOnce = 4

/** Null if the input is short enough, or no model may be asked. */
export async function summarizeChunks(chunksInput: ChunksInput): Promise<SummarizedChunks | null> {
  const { tree, input, writer, inputTokens, models, meterOf, account } = chunksInput
  const meter = meterOf(models[0])
  if (breakerState(account.state.breaker, writer.clock.now()) === 'open') return null
  const startedAt = writer.clock.now()
  const levelOf = (pieces: readonly SummaryPiece[] | null) =>
    tree.level({ ...input, pieces, inputTokens, meter: summaryMeter(meter) })
  let level = levelOf(null)
  if (level === null) return null
  let done: SummarizedChunks = { pieces: [], degraded: false, repairs: [], marks: [], account }
  for (let number = 1; number <= maxLevels && level !== null; number += 1) {
    const tokensBefore: number = level.tokens
    done = await summarizeLevel(chunksInput, level, { done, meter, startedAt })
    level = levelOf(done.pieces)
    if (level !== null && level.tokens >= tokensBefore) break
  }
  return level === null ? done : cutToFit(done, level, meter)
}

async function summarizeLevel(
  { writer, models, meterOf, limits, pinned }: ChunksInput,
  level: TreeLevel,
  soFar: { readonly done: SummarizedChunks; readonly meter: Meter; readonly startedAt: number },
): Promise<SummarizedChunks> {
  const { done, meter, startedAt } = soFar
  const { clock, timer, signal, reportEvent } = writer
  const { attempts, state } = done.account
  const pins = pinned.map(({ parts }) => textOfParts(parts))
  const { chunks } = level
  // Chunks no longer than their summary stay as they are.
  const longChunks = chunks.filter((chunk) => chunk.tokens > chunk.mostTokens)
  const limitsLeft = limitsAfter(limits, attempts, clock.now() - startedAt)
  const asked = await askMany<JudgedDraft>({
    questions: longChunks.map((chunk) => ({
      requestFor: (model) => countRequest(chunk.request(null), { model, meter: meterOf(model) }),
      judge: (answer) => judgeChunk(answer, chunk, { meter, pins }),
    })),
    atOnce,
    models,
    limits: { ...limitsLeft, calls: limitsLeft.calls - callsForNextLevels(level) },
    state,
    attemptsBefore: attempts.length,
    clock,
    timer,
    signal,
    reportEvent,
  })
  const drafts = new Map(longChunks.map((chunk, index) => [chunk, asked.answers[index] ?? null]))
  const failed = longChunks.filter((chunk) => drafts.get(chunk) === null)
  const accepted = [...drafts.values()].filter((draft) => draft !== null)
  return {
    pieces: chunks.map((chunk) => pieceOf(chunk, drafts.get(chunk), meter)),
    degraded: done.degraded || failed.length > 0 || accepted.some(({ degraded }) => degraded),
    repairs: [...done.repairs, ...accepted.flatMap(({ repairs }) => repairs)],
    marks: [
      ...done.marks,
      ...failed.map(
        ({ covers }) => ({ kind: 'written-by-rules', text: anchorOf(covers) }) as const,
      ),
    ],
    account: addAccounts(done.account, asked),
  }
}

/** `draft`: undefined if no model was needed, null if no answer was accepted. */
function pieceOf(
  { covers, sources, mostTokens }: TreeChunk,
  draft: JudgedDraft | null | undefined,
  meter: Meter,
): SummaryPiece {
  const seq = covers.to - 1
  if (draft === null)
    return { seq, text: excerptChunk(sources, mostTokens, meter), isExcerpt: true }
  const text = draft?.draft.text ?? sources.map((source) => source.text).join('\n\n')
  return { seq, text, isExcerpt: false }
}

/** Calls to reserve for the summaries of this level's summaries. */
function callsForNextLevels({ chunks, mostTokens }: TreeLevel): number {
  const tokens = chunks.reduce((sum, chunk) => sum + Math.min(chunk.tokens, chunk.mostTokens), 0)
  return tokens <= mostTokens ? 0 : Math.ceil(tokens / mostTokens)
}

/** The last level is still too long, so each piece is cut to an equal share. */
function cutToFit(done: SummarizedChunks, { mostTokens }: TreeLevel, meter: Meter) {
  const pieceTokens = Math.floor(mostTokens / done.pieces.length) - labelTokens
  const pieces = done.pieces.map((piece) => {
    const text = fitToTokens(piece.text, pieceTokens, meter)
    return text === piece.text ? piece : { ...piece, text, isExcerpt: true }
  })
  return { ...done, pieces: pieces.filter(({ text }) => text !== ''), degraded: true }
}

/** The label that a style puts before each piece. */
const labelTokens = 16
const minLineTokens = 32
// With its note about the gap, an excerpt has a few tokens more than it keeps.
const keptRatio = 0.9

/** By rules (no LLM): a line for each source; if they are too many, the first and the last lines. */
export function excerptChunk(
  sources: readonly ChunkSource[],
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  const count = (text: string) => meter.text(text)
  const lineTokens = Math.max(minLineTokens, Math.floor(mostTokens / Math.max(1, sources.length)))
  const note = () => ' … '
  const lines = sources.map(
    ({ role, text }) =>
      `(${role}) ${oneLine(excerpt(text.trim(), { keepTokens: lineTokens, count, note }))}`,
  )
  const keepTokens = Math.floor(mostTokens * keptRatio)
  const kept = excerpt(lines.join('\n'), { keepTokens, count, note: () => '\n…\n' })
  return fitToTokens(kept, mostTokens, meter)
}

export interface SummarizedMessage {
  /** Null if no model summarized any of it. */
  readonly record: DigestRecord | null
  readonly attempts: readonly ModelAttempt[]
  readonly breaker: AskState['breaker']
}

/** The size of a digest; requests leave room for it. */
const digestTokens = 500

/** Writes the digest for the stub of a very large message. Null if no model was asked. */
export async function summarizeMessage(input: {
  readonly message: Message
  readonly tree: SummaryTree
  readonly writer: SummaryWriter
  readonly limits: AskLimits
}): Promise<SummarizedMessage | null> {
  const { tree, writer, limits } = input
  const { seq } = input.message
  const message = { ...input.message, ...redactLogMessage(input.message).message }
  const [first, ...others] = writer.styles[0]?.models ?? []
  if (first === undefined) return null
  const meterOf = await loadMeters(writer, [first, ...others])
  const done = await summarizeChunks({
    tree,
    meterOf,
    writer,
    limits,
    pinned: [],
    input: { messages: [message], calls: new Map() },
    inputTokens: inputTokensFor(first, meterOf(first), digestTokens),
    models: [first, ...others],
    account: { attempts: [], passedOver: [], state: writer.state },
  })
  if (done === null || done.account.attempts.length === 0) return null
  const { attempts, state } = done.account
  const model = attempts.findLast(({ outcome }) => outcome.kind === 'accepted')?.model
  const { breaker } = state
  const createdAt = writer.clock.now()
  // An abort is no failure, but its cost is recorded.
  if (writer.signal.aborted) return { record: null, attempts, breaker }
  if (model === undefined)
    return { record: null, attempts, breaker: afterIneffective(breaker, createdAt) }
  const { version, promptHash } = tree
  const text = done.pieces.map((piece) => piece.text).join('\n\n')
  const madeBy = { summarizer: 'tree', version, model, promptHash }
  const record = { seq, text, madeBy, degraded: done.degraded, createdAt }
  return { record, attempts, breaker: closedBreaker }
}
