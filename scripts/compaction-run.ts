/** Runs the session of docs/compaction.md through the public API, request by request. */
import {
  type Context,
  createThroughline,
  type Expanded,
  type Message,
  type Meter,
  type PolicyOptions,
  policies,
  type Receipt,
} from 'throughline'
import { fakeClock } from 'throughline/testing'
import { later } from './compaction-afterwards.ts'
import { session, system, tools } from './compaction-session.ts'

export interface CompactionRun {
  /** The log at the request that compacted. */
  readonly before: readonly Message[]
  /** The context of that request. */
  readonly context: Context
  readonly expanded: Expanded
  /** Including its follow-up. */
  readonly receipt: Receipt
  readonly meter: Meter
}

const model = 'small-window'
export const windowTokens = 8_192
export const expandedAnchor = '#8'
const requestsAfter = 30
const stepMs = 20_000

export async function runCompaction(changes: Partial<PolicyOptions> = {}): Promise<CompactionRun> {
  const clock = fakeClock(Date.UTC(2026, 2, 2, 9))
  const tl = createThroughline({
    clock,
    policy: { ...policies.balanced, ...changes },
    models: [
      {
        id: model,
        contextWindowTokens: windowTokens,
        tokenizer: 'o200k_base',
        windowSource: 'made up, small enough for a page',
      },
    ],
  })
  const chat = tl.conversation('reminders')
  const meter = await tl.meter(model)
  let compacted: Pick<CompactionRun, 'before' | 'context' | 'expanded'> | null = null
  let after = 0
  for (const message of later(session())) {
    if (message.role !== 'assistant') {
      clock.set(clock.now() + stepMs)
      await chat.append(message)
      continue
    }
    const context = await chat.context({ model, system, tools })
    if (compacted !== null) after += 1
    else if (context.decision.kind === 'compact') {
      const before = await Array.fromAsync(chat.messages())
      compacted = { before, context, expanded: found(await chat.expand(expandedAnchor)) }
    }
    if (after === requestsAfter) break
    clock.set(clock.now() + stepMs)
    // As a provider would report it; here the model's own tokenizer counts.
    const usage = { prompt_tokens: meter.request({ ...context, system }).tokens }
    await chat.append(message, { usage, of: context.fingerprint })
  }
  await tl.settled()
  const receipt = (await chat.receipts()).at(-1)
  await tl.close()
  return { ...found(compacted), receipt: found(receipt), meter }
}

/** Fails if the session no longer compacts: the page would have nothing to show. */
function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined)
    throw new Error('the session of docs/compaction.md lacks a compaction or the anchor')
  return value
}
