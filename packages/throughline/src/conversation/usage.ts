/** Usage that a provider reported for a request of ours, taken into the calibration. */
import { observe } from '../domain/calibration.ts'
import { describe } from '../domain/describe.ts'
import type { ConversationId } from '../domain/ids.ts'
import { inputTokensOf, type Usage } from '../domain/usage.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'
import { findRequest } from './known-request.ts'

/** What became of usage that a provider reported. */
export type UsageTaken = 'taken' | 'unknown-request' | 'implausible' | 'repeated'

export interface ReportedUsage {
  readonly fingerprint: string
  readonly inputTokens: number
}

/** Null where no usage was handed in. */
export function checkUsage(usage: unknown, of: unknown): ReportedUsage | null {
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

export async function takeUsage(
  store: TenantStore,
  id: ConversationId,
  { fingerprint, inputTokens }: ReportedUsage,
  front: Front,
): Promise<UsageTaken> {
  const known = await findRequest(store, id, fingerprint, front)
  if (known === null) return 'unknown-request'
  const { request, meter, calibration: before } = known
  // A provider that has accepted a request has not counted more than it takes.
  if (inputTokens > meter.card.contextWindowTokens) return 'implausible'
  const calibration = observe(before, {
    countedTokens: request.tokens,
    reportedTokens: inputTokens,
  })
  if (calibration === before) return 'implausible'
  await store.record({ id, calibration: { model: request.model, calibration } })
  return 'taken'
}
