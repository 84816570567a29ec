/** One message that is too large to be shown, told by models: the digest that its stub will hold. */

import type { Message } from '../../domain/message.ts'
import {
  type AskLimits,
  type AskState,
  afterIneffective,
  closedBreaker,
  type ModelAttempt,
} from '../../domain/model-calls.ts'
import type { DigestRecord } from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { SummaryTree } from '../../ports/summary-style.ts'
import type { Meter } from '../measure/measure.ts'
import { redactedOnce } from '../redact/redacted-message.ts'
import { inputTokensFor } from './summary-plan.ts'
import type { SummaryWriter } from './summary-writer.ts'
import { tellChunks } from './tell-chunks.ts'

export interface TellMessage {
  readonly message: Message
  readonly tree: SummaryTree
  readonly writer: SummaryWriter
  readonly limits: AskLimits
}

export interface ToldMessageDigest {
  /** Null where no model has told any of it. */
  readonly record: DigestRecord | null
  readonly attempts: readonly ModelAttempt[]
  readonly breaker: AskState['breaker']
}

/** What it may have to be a digest; a request is made for it. */
const digestTokens = 500

/** Null where nobody was asked: there is little to read in it. */
export async function tellMessage(tell: TellMessage): Promise<ToldMessageDigest | null> {
  const { tree, writer, limits } = tell
  const { seq } = tell.message
  const message = { ...tell.message, ...redactedOnce(tell.message).message }
  const [first, ...others] = writer.styles[0]?.models ?? []
  if (first === undefined) return null
  const meters = new Map<LanguageModel, Meter>()
  for (const model of [first, ...others]) meters.set(model, await writer.meterFor(model.id))
  const meter = meters.get(first)
  if (meter === undefined) return null
  const told = await tellChunks({
    tree,
    input: { messages: [message], calls: new Map() },
    inputTokens: inputTokensFor(first, meter, digestTokens),
    models: [first, ...others],
    meterOf: (model) => meters.get(model),
    writer,
    note: (event) => writer.note(event),
    limits,
    state: writer.state,
    pinned: [],
  })
  if (told === null || told.attempts.length === 0) return null
  const { attempts, pieces, degraded } = told
  const model = attempts.findLast(({ outcome }) => outcome.kind === 'accepted')?.model
  const now = writer.clock.now()
  const { breaker } = told.state
  // Whoever was stopped has not failed; what it has cost is kept.
  if (writer.signal.aborted) return { record: null, attempts, breaker }
  if (model === undefined)
    return { record: null, attempts, breaker: afterIneffective(breaker, now) }
  const { version, promptHash } = tree
  const record = {
    seq,
    text: pieces.map((piece) => piece.text).join('\n\n'),
    madeBy: { summarizer: 'tree', version, model, promptHash },
    degraded,
    createdAt: now,
  }
  return { record, attempts, breaker: closedBreaker }
}
