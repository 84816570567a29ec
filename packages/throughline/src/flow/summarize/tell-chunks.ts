/**
 * A tree, from below: chunks of what is to be told, each told by a request of its own, several
 * at once; what they tell is the input of the next level, until one request takes it in.
 *
 * Each level is shorter than the one before, and there are few of them: whatever comes, it
 * ends (invariant 8). A chunk that nobody tells well is stood in for by excerpts of it, and
 * marked.
 */

import type { Message } from '../../domain/message.ts'
import {
  type AskLimits,
  type AskState,
  breakerState,
  type ModelAttempt,
  type ModelEvent,
} from '../../domain/model-calls.ts'
import { anchorOf } from '../../domain/span.ts'
import type { DraftMark, DraftRepair, PassedOver } from '../../domain/summary.ts'
import { oneLine } from '../../extract/one-line.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type {
  ChunkSource,
  LevelInput,
  SummaryTree,
  ToldPiece,
  TreeChunk,
  TreeLevel,
} from '../../ports/summary-style.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { excerpt } from '../text/excerpt.ts'
import { textOfParts } from '../text/message-text.ts'
import { askMany } from './ask-many.ts'
import { type JudgedDraft, judgeChunk } from './judge-draft.ts'
import { numbered, numberedFrom } from './numbered-attempts.ts'
import { usdLeft } from './spent-lately.ts'
import { measuredRequest, summaryMeter } from './summary-plan.ts'
import type { SummaryWriter } from './summary-writer.ts'

interface TellChunks {
  readonly tree: SummaryTree
  readonly input: Pick<LevelInput, 'messages' | 'calls'>
  readonly inputTokens: number
  /** The best first; each has a meter. */
  readonly models: readonly [LanguageModel, ...LanguageModel[]]
  readonly meterOf: (model: LanguageModel) => Meter | undefined
  readonly writer: Pick<SummaryWriter, 'clock' | 'timer' | 'signal'>
  readonly note: (event: ModelEvent) => void
  /** Without what is kept for telling it all in the end. */
  readonly limits: AskLimits
  readonly state: AskState
  readonly pinned: readonly Message[]
}

export interface ToldChunks {
  /** What the messages have become, in their order. */
  readonly pieces: readonly ToldPiece[]
  readonly degraded: boolean
  readonly repairs: readonly DraftRepair[]
  /** What was told by rules. */
  readonly marks: readonly DraftMark[]
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  readonly state: AskState
}

// With a twentieth left of each, three take in whatever fits into a store.
const levelsMost = 3
const atOnce = 4

/** Null where there is nothing to cut: it is short enough, or nobody may be asked. */
export async function tellChunks(tell: TellChunks): Promise<ToldChunks | null> {
  const { tree, input, writer, inputTokens, models, meterOf } = tell
  const meter = meterOf(models[0])
  if (meter === undefined) return null
  if (breakerState(tell.state.breaker, writer.clock.now()) === 'open') return null
  const begunAt = writer.clock.now()
  const levelOf = (pieces: readonly ToldPiece[] | null) =>
    tree.level({ ...input, pieces, inputTokens, meter: summaryMeter(meter) })
  let level = levelOf(null)
  if (level === null) return null
  let told: ToldChunks = { ...nothingTold, pieces: [], state: tell.state }
  for (let number = 1; number <= levelsMost && level !== null; number += 1) {
    const before: number = level.tokens
    told = await tellLevel(tell, level, { told, meter, begunAt })
    level = levelOf(told.pieces)
    if (level !== null && level.tokens >= before) break
  }
  return level === null ? told : cutShort(told, level, meter)
}

const nothingTold = {
  degraded: false,
  repairs: [],
  marks: [],
  attempts: [],
  passedOver: [],
} as const

interface SoFar {
  readonly told: ToldChunks
  readonly meter: Meter
  readonly begunAt: number
}

async function tellLevel(
  tell: TellChunks,
  level: TreeLevel,
  { told, meter, begunAt }: SoFar,
): Promise<ToldChunks> {
  const { writer, models, meterOf, limits } = tell
  const pins = tell.pinned.map(({ parts }) => textOfParts(parts))
  const { chunks } = level
  // What is no longer than what would be told of it stays as it is.
  const long = chunks.filter((chunk) => chunk.tokens > chunk.mostTokens)
  const before = told.attempts.length
  const asked = await askMany<JudgedDraft>({
    questions: long.map((chunk) => ({
      requestFor: (model) => {
        const own = meterOf(model)
        return own === undefined ? null : measuredRequest(chunk, null, { model, meter: own })
      },
      judge: (answer) => judgeChunk(answer, chunk, { meter, pins }),
    })),
    atOnce,
    models,
    limits: {
      ...limits,
      calls: limits.calls - before - callsAbove(level),
      timeMs: Math.max(1, limits.timeMs - (writer.clock.now() - begunAt)),
      usd: usdLeft(limits, told.attempts),
    },
    state: told.state,
    clock: writer.clock,
    timer: writer.timer,
    signal: writer.signal,
    note: (event) => tell.note(numberedFrom(event, before)),
  })
  const drafts = new Map(long.map((chunk, index) => [chunk, asked.answers[index] ?? null]))
  const untold = long.filter((chunk) => drafts.get(chunk) === null)
  const accepted = [...drafts.values()].filter((draft) => draft !== null)
  return {
    pieces: chunks.map((chunk) => pieceOf(chunk, drafts.get(chunk), meter)),
    degraded: told.degraded || untold.length > 0 || accepted.some(({ degraded }) => degraded),
    repairs: [...told.repairs, ...accepted.flatMap(({ repairs }) => repairs)],
    marks: [...told.marks, ...untold.map(markOf)],
    attempts: [...told.attempts, ...asked.attempts.map((each) => numbered(each, before))],
    passedOver: [...told.passedOver, ...asked.passedOver],
    state: asked.state,
  }
}

/** `draft`: undefined where nobody had to be asked, null where nobody has answered well. */
function pieceOf(
  { covers, sources, mostTokens }: TreeChunk,
  draft: JudgedDraft | null | undefined,
  meter: Meter,
): ToldPiece {
  const seq = covers.to - 1
  if (draft === undefined)
    return { seq, text: sources.map(({ text }) => text).join('\n\n'), isExcerpt: false }
  return draft === null
    ? { seq, text: excerptChunk(sources, mostTokens, meter), isExcerpt: true }
    : { seq, text: draft.draft.text, isExcerpt: false }
}

function markOf({ covers }: TreeChunk): DraftMark {
  return { kind: 'told-by-rules', text: anchorOf(covers) }
}

/** Kept for the levels above this one. */
function callsAbove({ chunks, mostTokens }: TreeLevel): number {
  const tokens = chunks.reduce((sum, chunk) => sum + Math.min(chunk.tokens, chunk.mostTokens), 0)
  return tokens <= mostTokens ? 0 : Math.ceil(tokens / mostTokens)
}

/** There is no end in sight: of each piece stays as much as all of them have room for. */
function cutShort(told: ToldChunks, { mostTokens }: TreeLevel, meter: Meter): ToldChunks {
  const each = Math.floor(mostTokens / told.pieces.length) - labelTokens
  const pieces = told.pieces.map((piece) => {
    const text = fitToTokens(piece.text, each, meter)
    return text === piece.text ? piece : { ...piece, text, isExcerpt: true }
  })
  return { ...told, pieces: pieces.filter(({ text }) => text !== ''), degraded: true }
}

/** Which part of how many it is. */
const labelTokens = 16

/**
 * A chunk that no model has told, by rules: the beginning of each thing that was said or
 * done in it, and of those again the first and the last, within so many tokens.
 */
// About a sentence.
const lineTokens = 32

export function excerptChunk(
  sources: readonly ChunkSource[],
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  const count = (text: string) => meter.text(text)
  const each = Math.max(lineTokens, Math.floor(mostTokens / Math.max(1, sources.length)))
  const note = () => ' … '
  const lines = sources.map(
    ({ role, text }) =>
      `(${role}) ${oneLine(excerpt(text.trim(), { keepTokens: each, count, note }))}`,
  )
  const keepTokens = Math.floor(mostTokens * keptRatio)
  return fitToTokens(
    excerpt(lines.join('\n'), { keepTokens, count, note: () => '\n…\n' }),
    mostTokens,
    meter,
  )
}

// Excerpts may have a little more than they keep, with their notes.
const keptRatio = 0.9
