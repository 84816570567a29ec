/** The messages of a summary that are too many for one look, told in chunks before the summary is asked for. */
import type { AskState } from '../../domain/asking.ts'
import type { ModelAttempt } from '../../domain/model-attempt.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { StyledModels } from '../../ports/summary-style.ts'
import type { Meter } from '../measure/measure.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import { numberedFrom } from './numbered-attempts.ts'
import { inputTokensFor } from './summary-plan.ts'
import type { WriteSummary } from './summary-writer.ts'
import { type ToldChunks, tellChunks } from './tell-chunks.ts'

export interface SliceOptions {
  readonly meters: ReadonlyMap<LanguageModel, Meter>
  /** What was asked before, under the same limits. */
  readonly attempts: readonly ModelAttempt[]
  readonly state: AskState
}

// The last request, and another one where that fails; and time and money for them.
const callsKept = 2
const shareOfChunks = 0.75

/** Null where it is told as it stands. */
export async function tellSlice(
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
