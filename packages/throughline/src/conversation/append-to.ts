import { loadRequests } from '../derived/rows.ts'
import { loadState, recordRequest } from '../derived/state.ts'
import { startCalibration } from '../domain/calibration.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import { observe } from '../domain/learn-calibration.ts'
import type { MessageInput } from '../domain/message.ts'
import { wholeNumber } from '../domain/span.ts'
import { describe } from '../domain/text.ts'
import { inputTokensOf, type UsageInput } from '../domain/usage.ts'
import { type Appended, append } from '../flow/append/append.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { sha256 } from '../system.ts'
import type { Internals } from './runtime.ts'

export async function appendTo(
  chat: Internals,
  messages: MessageInput | readonly MessageInput[],
  appendOptions: AppendOptions,
): Promise<AppendResult> {
  const { store, id, runtime } = chat
  const options = checkOptions(appendOptions, ['key', 'usage', 'of', 'head'], 'append')
  const reported = checkUsage(options)
  const { messageBytesMax } = runtime.settings
  const head = options.head === undefined ? undefined : wholeNumber(options.head)
  const batch = { messages, key: options.key, head }
  const sealing = { sha256, now: runtime.now(), messageBytesMax }
  const { appended, written } = await append(store, id, batch, sealing)
  if (written !== null) {
    runtime.tails.extend(written.serial, written.messages)
    runtime.summaryAhead.appended(runtime.tenant, id, written.messages)
  }
  if (reported === null) return { ...appended, usage: null }
  // A retry reports what was already reported.
  const isRetry = appended.entries.length > 0 && appended.entries.every((entry) => entry.repeated)
  return { ...appended, usage: isRetry ? 'repeated' : await calibrateWithUsage(chat, reported) }
}

type UsageOutcome = 'taken' | 'unknown-request' | 'implausible' | 'repeated'

/** Null where no usage was given. */
function checkUsage({ usage, of }: AppendOptions): { of: string; tokens: number } | null {
  if (usage === undefined && of === undefined) return null
  if (usage === undefined || of === undefined)
    throw invalidOption(
      'append: pass usage and of together: the reported usage, and the fingerprint of its context',
    )
  if (typeof of !== 'string')
    throw invalidOption(`append: of must be the fingerprint of a context, got ${describe(of)}`)
  const tokens = typeof usage === 'object' && usage !== null ? inputTokensOf(usage) : null
  if (tokens === null)
    throw invalidOption('append: usage has no count of input tokens, such as inputTokens')
  return { of, tokens }
}

async function calibrateWithUsage(
  chat: Internals,
  { of, tokens: reportedTokens }: { readonly of: string; readonly tokens: number },
): Promise<UsageOutcome> {
  const known = await findRequest(chat, of)
  if (known === null) return 'unknown-request'
  const { request, meter, calibration: before } = known
  const { model, tokens: countedTokens } = request
  // A provider that accepted a request has not counted more than its window.
  if (reportedTokens > meter.card.contextWindowTokens) return 'implausible'
  const calibration = observe(before, { countedTokens, reportedTokens })
  if (calibration === before) return 'implausible'
  await recordRequest(chat.store, { id: chat.id, calibration: { model, calibration } })
  return 'taken'
}

/** A recorded request with its model; null if it is old, or of another conversation. */
export async function findRequest({ store, id, runtime }: Internals, fingerprint: string) {
  const requests = (await loadRequests(store, { id, limit: keptRows.requests })) ?? []
  const request = requests.find((record) => record.fingerprint === fingerprint)
  if (request === undefined) return null
  const { model } = request
  const state = await loadState(store, { id, model })
  const meter = await runtime.meter(model)
  const known = state?.calibration ?? null
  // Counts of another tokenizer are not comparable.
  const isFresh = known === null || known.tokenizerId !== meter.tokenizer.id
  return { request, meter, calibration: isFresh ? startCalibration(meter) : known }
}

/** The options of `chat.append`. */
export interface AppendOptions {
  /** Your key for the whole batch: sent again with the same content, nothing is added. */
  readonly key?: string | undefined
  /** Appends only if the log still ends at this `appended.head`; otherwise throws LOG_MOVED. */
  readonly head?: number | undefined
  /** What the provider reported for the request that led to these messages … */
  readonly usage?: UsageInput | undefined
  /** … which is the one with this fingerprint. */
  readonly of?: string | undefined
}

/** The places of the messages, and whether their usage was accepted. */
export interface AppendResult extends Appended {
  /** Whether the usage updated the calibration; null where none was given. */
  readonly usage: UsageOutcome | null
}
