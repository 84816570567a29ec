/** The size of the next request, measured by a dry run, and after an undo. */
import { call, pathOf } from './api.ts'
import { percent, tokens as tokensText } from './format.ts'
import type { Preview, RebuiltRequest, Receipt } from './types.ts'

export interface NextRequest {
  readonly tokens: number
  readonly availableTokens: number
  readonly compacts: boolean
}

/** With the system prompt and tools of the last request. */
export async function measureNext(
  id: string,
  model: string,
  fingerprint: string,
  signal: AbortSignal,
): Promise<NextRequest | null> {
  const { system, tools } = await call<RebuiltRequest>(pathOf(id, 'requests', fingerprint), {
    signal,
  })
  const { decision, receipt } = await call<Preview>(pathOf(id, 'compactions', 'preview'), {
    method: 'POST',
    body: { model, ...(system !== null && { system }), ...(tools !== null && { tools }) },
    signal,
  })
  const { tokens: measured, availableTokens } = decision.figures
  // What would be built again is measured only when it is built.
  if (decision.kind === 'renew') return null
  const tokens = measured ?? receipt?.tokensBefore ?? null
  const compacts = decision.kind === 'compact' && !decision.shadow
  return tokens === null ? null : { tokens, availableTokens, compacts }
}

type Sizes = Pick<Receipt, 'tokensBefore' | 'tokensAfter'>

/** The next request has again what each undone compaction saved. Null if one of them was not measured. */
export function sizeAfterUndo(tokens: number, undone: readonly Sizes[]): number | null {
  let size = tokens
  for (const { tokensBefore, tokensAfter } of undone) {
    if (tokensBefore === null) return null
    size += tokensBefore - tokensAfter
  }
  return size
}

export interface Forecast {
  readonly text: string
  readonly lasts: boolean
}

// Before a provider reports usage, the limit applies to the JSON, which is larger than the estimate.
const surelyFits = 0.85

/** After an undo, only a request that does not fit is compacted. */
export function forecastOf(tokens: number, availableTokens: number): Forecast {
  const ratio = tokens / availableTokens
  const size = `The next request would be about ${percent(ratio)} of the ${tokensText(availableTokens)} that are available`
  const lasts = ratio <= surelyFits
  const again = ratio > 1 ? 'so it will be compacted again' : 'so it may be compacted again'
  return { text: lasts ? `${size}.` : `${size}, ${again}.`, lasts }
}
