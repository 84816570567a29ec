/** The tokens that compactions kept out of the last requests of conversations. */
import type { Conversation, Receipt, RequestUse } from '../index.ts'
import { loadReceipts, type TenantStore } from '../stores/index.ts'
import { statusOf } from '../toolkit/index.ts'
import { counted, grouped, percent } from './screen/numbers.ts'

export interface SavedTokens {
  readonly requests: number
  readonly sentTokens: number
  readonly savedTokens: number
}

export async function savedIn(
  store: TenantStore,
  ids: readonly Conversation['id'][],
): Promise<SavedTokens> {
  const all: SavedTokens[] = []
  for (const id of ids) {
    const { requests, conversation } = await statusOf(store, id)
    const receipts = (await loadReceipts(store, { id, limit: receiptsRead, before: null })) ?? []
    const suspended = conversation?.compaction.suspended ?? []
    const isUndone = ({ model, version }: Receipt) =>
      suspended.some((each) => each.model === model && version <= each.version)
    all.push(
      savedBy(
        requests,
        receipts.filter((receipt) => !isUndone(receipt)),
      ),
    )
  }
  const sumOf = (name: keyof SavedTokens) => all.reduce((sum, each) => sum + each[name], 0)
  return {
    ...{ requests: sumOf('requests'), sentTokens: sumOf('sentTokens') },
    savedTokens: sumOf('savedTokens'),
  }
}

const receiptsRead = 200

/**
 * A compaction makes all later requests smaller, by as much as its own. It does not count what it did not read, so
 * this is the least that was saved.
 */
function savedBy(requests: readonly RequestUse[], receipts: readonly Receipt[]): SavedTokens {
  const sent = requests.filter(({ decision }) => !decision.shadow)
  const gains = receipts.flatMap(({ model, at, tokensBefore, tokensAfter, decision }) => {
    const isReal = tokensBefore !== null && !decision.shadow
    return isReal ? [{ model, at, tokens: tokensBefore - tokensAfter }] : []
  })
  const gainOf = (use: RequestUse) =>
    gains
      .filter(({ model, at }) => model === use.model && at <= use.at)
      .reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    requests: sent.length,
    sentTokens: sent.reduce((sum, { tokens }) => sum + tokens, 0),
    savedTokens: sent.reduce((sum, use) => sum + Math.max(0, gainOf(use)), 0),
  }
}

/** Null where no compaction made a request smaller. */
export function savedText({ requests, sentTokens, savedTokens }: SavedTokens): string | null {
  if (savedTokens <= 0) return null
  const whole = grouped(sentTokens + savedTokens)
  const share = percent(savedTokens / (sentTokens + savedTokens))
  return `at least ${grouped(savedTokens)} of ${whole} tokens (${share}) in ${counted(requests, 'request')}`
}
