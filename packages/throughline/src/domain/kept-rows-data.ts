/** How many rows of a kind a conversation keeps; the oldest make room. See `derivedKinds`. */
export const keptRows = {
  /** Of the models whose views were committed last. */
  views: 8,
  /** Of all models together. */
  requests: 100,
  /** Of system prompts, and as many of tools; those used longest ago make room. */
  prompts: 20,
  /** Of the models whose calibrations were recorded last. */
  calibrations: 8,
  receipts: 200,
  /** Of all models and epochs together. */
  inserts: 200,
  /** Views that were in force, of all models together. */
  versions: 200,
  /** Different spans counted with a receipt; later ones are dropped. */
  expansions: 100,
} as const
