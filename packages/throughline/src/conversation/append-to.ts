/** Messages appended to a conversation in a store, with what the provider reported of their request. */

import { loadRequests } from '../derived/rows.ts'
import { loadState, recordRequest } from '../derived/state.ts'
import { type Calibration, observe, startCalibration } from '../domain/calibration.ts'
import { keptRows } from '../domain/derived-kinds.ts'
import type { MessageInput } from '../domain/message.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import { wholeNumber } from '../domain/span.ts'
import { describe } from '../domain/text.ts'
import { inputTokensOf, type Usage } from '../domain/usage.ts'
import { type Appended, append } from '../flow/append/append.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { sha256 } from '../system.ts'
import type { Internals } from './runtime.ts'

export async function appendTo(
  { store, id, runtime }: Internals,
  asked: {
    readonly batch: MessageInput | readonly MessageInput[]
    readonly options: AppendOptions
  },
): Promise<AppendResult> {
  const { key, usage, of, head } = checkOptions(
    asked.options,
    ['key', 'usage', 'of', 'head'],
    'append',
  )
  const reported = checkUsage(usage, of)
  const { messageBytesMax } = runtime.settings
  const { appended, written } = await append(
    store,
    id,
    { messages: asked.batch, key, head: head === undefined ? undefined : wholeNumber(head) },
    { sha256, now: runtime.now(), messageBytesMax },
  )
  if (written !== null) {
    runtime.tails.extend(written.serial, written.messages)
    runtime.replies.appended(runtime.tenant, id, written.messages)
  }
  if (reported === null) return { ...appended, usage: null }
  // A retry reports what was reported.
  const isRetry = appended.entries.length > 0 && appended.entries.every((entry) => entry.repeated)
  const taken = isRetry ? 'repeated' : await takeUsage({ store, id, runtime }, reported)
  return { ...appended, usage: taken }
}

/** What became of usage that a provider reported. */
type UsageTaken = 'taken' | 'unknown-request' | 'implausible' | 'repeated'

interface ReportedUsage {
  readonly fingerprint: string
  readonly inputTokens: number
}

/** Null where no usage was handed in. */
function checkUsage(usage: unknown, of: unknown): ReportedUsage | null {
  if (usage === undefined && of === undefined) return null
  if (usage === undefined || of === undefined)
    throw invalidOption(
      'append: usage and of go together: what was reported, and for which request',
    )
  if (typeof of !== 'string')
    throw invalidOption(`append: of must be the fingerprint of a context, got ${describe(of)}`)
  const inputTokens =
    typeof usage === 'object' && usage !== null ? inputTokensOf(usage as Usage) : null
  if (inputTokens === null)
    throw invalidOption('append: usage holds no count of input tokens, such as inputTokens')
  return { fingerprint: of, inputTokens }
}

async function takeUsage(
  { store, id, runtime }: Internals,
  { fingerprint, inputTokens }: ReportedUsage,
): Promise<UsageTaken> {
  const known = await findRequest({ store, id, runtime }, fingerprint)
  if (known === null) return 'unknown-request'
  const { request, meter, calibration: before } = known
  // A provider that has accepted a request has not counted more than it takes.
  if (inputTokens > meter.card.contextWindowTokens) return 'implausible'
  const calibration = observe(before, {
    countedTokens: request.tokens,
    reportedTokens: inputTokens,
  })
  if (calibration === before) return 'implausible'
  await recordRequest(store, { id, calibration: { model: request.model, calibration } })
  return 'taken'
}

/** A request of ours that somebody tells us about, with what is known of its model. */
interface KnownRequest {
  readonly request: RequestRecord
  readonly meter: Meter
  readonly calibration: Calibration
}

/** Old requests are forgotten, and a fingerprint may be another conversation's: then null. */
export async function findRequest(
  { store, id, runtime }: Internals,
  fingerprint: string,
): Promise<KnownRequest | null> {
  const requests = (await loadRequests(store, { id, limit: keptRows.requests })) ?? []
  const request = requests.find((record) => record.fingerprint === fingerprint)
  if (request === undefined) return null
  const { model } = request
  const state = await loadState(store, { id, model })
  const meter = await runtime.meter(model)
  const known = state?.calibration ?? null
  // Counts of another tokenizer say nothing.
  const isFresh = known === null || known.tokenizerId !== meter.tokenizer.id
  return { request, meter, calibration: isFresh ? startCalibration(meter) : known }
}

/** The options of `chat.append`. */
export interface AppendOptions {
  /** Your key for the whole batch: sent again with the same content, nothing is added. */
  readonly key?: string | undefined
  /** Append only where the log ends here, as `appended.head` said; otherwise LOG_MOVED. */
  readonly head?: number | undefined
  /** What the provider reported for the request that led to these messages … */
  readonly usage?: Usage | undefined
  /** … which is the one with this fingerprint. */
  readonly of?: string | undefined
}

/** Where the messages stand, and what became of the usage that came with them. */
export interface AppendResult extends Appended {
  /** Whether the usage was taken in; null where none was handed in. */
  readonly usage: UsageTaken | null
}
