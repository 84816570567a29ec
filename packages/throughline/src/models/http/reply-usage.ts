/** What an answer has cost, as its provider tells it. */

/** Whole tokens, only what the provider told. `inputTokens` is all of the input, cached or not. */
export type ReplyUsage = Readonly<Record<string, number>>

/** Null where nothing was told that is a count. */
export function countsOf(told: Readonly<Record<string, unknown>>): ReplyUsage | null {
  const counts = Object.entries(told).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  )
  return counts.length === 0 ? null : Object.fromEntries(counts)
}
