/** The services that all handles of an engine share. */
import type { Settings } from '../config.ts'
import type { ContextWarning } from '../domain/context.ts'
import type { LiveEventBody } from '../domain/event.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { describe } from '../domain/text.ts'
import { invalidOption, refuseUnknownModel } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { ContextExtension } from '../ports/context-extension.ts'
import type { Queue } from '../ports/queue.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { StyledModels, SummaryTree } from '../ports/summary-style.ts'
import type { Background } from './background.ts'
import type { FactsCache } from './facts-cache.ts'
import type { Indexing } from './indexing.ts'
import type { LedgerCache } from './ledger-cache.ts'
import type { RecentMap, TailCache } from './message-cache.ts'
import type { EnqueueFollowUp } from './receipts.ts'
import type { SummaryAhead } from './summary-ahead.ts'
import type { Purges, SummaryLocks } from './summary-locks.ts'
import type { ViewCache } from './view-cache.ts'

export interface Runtime {
  readonly tenant: string
  readonly settings: Settings
  readonly styles: readonly StyledModels[]
  /** Summarizes a message that is too large to be shown. */
  readonly tree: SummaryTree
  readonly extension: ContextExtension
  readonly meter: (model: string) => Promise<Meter>
  readonly modelWarnings: (model: string) => readonly ContextWarning[]
  /** For counts without a model: rather too high than too low. */
  readonly estimate: () => Promise<Meter>
  readonly tails: TailCache
  readonly views: ViewCache
  readonly ledgers: LedgerCache
  readonly factRows: FactsCache
  readonly background: Background
  readonly enqueueFollowUp: EnqueueFollowUp
  readonly indexing: Indexing
  readonly locks: SummaryLocks
  /** The end of the log when a job found nothing to summarize; no compaction waits there. */
  readonly emptyJobs: RecentMap<string, Seq>
  readonly purges: Purges
  readonly summaryAhead: SummaryAhead
  readonly queue: Queue
  readonly reportEvent: (event: LiveEventBody, conversation: ConversationId) => void
  /** Whole milliseconds, from the engine's clock. */
  readonly now: () => number
}

/** For entry points of this package that do more than a handle offers. */
export interface Internals extends StoredConversation {
  readonly runtime: Runtime
}

/** The signal of work that cannot be aborted. */
export const neverAborted: AbortSignal = new AbortController().signal

// A registered symbol, because two copies of the package in one process have two module scopes.
const internalsKey = Symbol.for('throughline.internals')

/** `internals` waits for the engine while it is loading. */
export function withInternals<Handle extends object>(
  handle: Handle,
  internals: () => Promise<Internals>,
): Handle {
  return Object.defineProperty(handle, internalsKey, { value: internals })
}

export async function internalsOf(handle: object, where: string): Promise<Internals> {
  const known = handle as { readonly [internalsKey]?: () => Promise<Internals> } | null | undefined
  const internals = known?.[internalsKey]
  if (internals === undefined)
    throw invalidOption(
      `${where} expects a conversation from tl.conversation(id), got ${describe(handle)}`,
    )
  return internals()
}

export function meterNamed(model: unknown, where: string, runtime: Runtime): Promise<Meter> {
  if (typeof model !== 'string' || model === '')
    throw invalidOption(`${where}: model must be a name`)
  checkModel(model, runtime)
  return runtime.meter(model)
}

/** Before a call for a model that the caller names. Jobs continue with what a call has allowed. */
export function checkModel(
  model: string,
  { settings, modelWarnings }: Pick<Runtime, 'settings' | 'modelWarnings'>,
): void {
  if (settings.strictModels) refuseUnknownModel(model, modelWarnings(model))
}
