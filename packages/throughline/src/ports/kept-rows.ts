/** How long derived state is kept, in every store alike. */

/**
 * How much derived state a conversation keeps; the oldest makes room.
 *
 * @example
 * const rows = receipts.slice(-keptRows.receipts)
 */
export const keptRows = {
  /** Of the models whose views were committed last. */
  views: 8,
  /** Of all models together. */
  requests: 100,
  /** Of the models whose calibrations were recorded last. */
  calibrations: 8,
  receipts: 200,
  /** Of all models and epochs together. */
  inserts: 200,
  /** Views that were in force, of all models together. */
  versions: 200,
  /** Different spans that are noted with a receipt; those that come later are not. */
  expansions: 100,
} as const
