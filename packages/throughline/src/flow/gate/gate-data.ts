/** The figures of the gate. */

export const gateLimits = {
  // Readable text has no such long tokens; counting megabytes would take seconds.
  charactersPerToken: 40,
  minSharedTerms: 0.15,
  // With fewer source terms, even a good summary may share none of them.
  minSourceTerms: 80,
  // With fewer source terms, even a good summary may have no terms at all.
  minTermsToSummarize: 40,
  minWords: 4,
  // A summary that replaces fewer tokens may be very short.
  minReplacedTokens: 200,
  // One slip in three sentences removes a third; more removals leave no useful summary.
  maxLostToSlips: 0.34,
  maxLost: 0.15,
  maxNamedValues: 5,
  // One or two values are slips; with a fifth invented, the rest is not trustworthy either.
  maxSlips: 2,
  maxInventedShare: 0.2,
} as const

/** Figures for the evidence that a draft is about its sources. */
export const topicFigures = {
  // The chance that an unrelated text with this many different terms contains a given term.
  sampleTerms: 200,
  chanceOfCommon: 0.3,
  chanceOfOther: 0.05,
  // The minimum share of a good summary's terms that come from its sources and not by chance. It is
  // lower for short sources, for other languages (we know everyday words only in English), and for
  // pairs of letters, which are no words.
  takenFromSources: { long: 0.3, short: 0.2, otherLanguage: 0.1, pairs: 0.05 },
  minLongSourceTerms: 200,
  minTerms: 5,
  minSourceTerms: 80,
  // Two conversations share files, ids and hashes only if they have the same topic.
  weightOfExact: 2,
} as const
