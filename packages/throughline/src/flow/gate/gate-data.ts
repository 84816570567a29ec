/** Figures that the gate goes by. */

export const gateLimits = {
  // No token is that long in a text that anyone reads, and to count megabytes takes seconds.
  charactersPerToken: 40,
  leastShared: 0.15,
  // With fewer terms in the sources a true summary may share none of them.
  fewTerms: 80,
  veryFewTerms: 40,
  leastWords: 4,
  fewTokens: 200,
  // A slip in a draft of three sentences costs one of them; several cost what was worth reading.
  mostLostToSlips: 0.34,
  mostLost: 0.15,
  mostNamed: 5,
  // One or two are slips; where a fifth of all is made up, the rest is not to be trusted either.
  fewInvented: 2,
  mostInvented: 0.2,
} as const

/** What is evidence that a draft is about its sources. */
export const topicFigures = {
  // How likely a text with so many different terms, about anything, has a given one among them.
  sampleTerms: 200,
  chanceOfCommon: 0.3,
  chanceOfOther: 0.05,
  // The least share of the terms of a true summary that come from its sources and are not there
  // by chance: less of short ones, which leave more to say in other words. Everyday words are known
  // in English alone, and pairs of letters are no words.
  takenFromSources: { long: 0.3, short: 0.2, otherLanguage: 0.1, pairs: 0.05 },
  longTerms: 200,
  fewTerms: 5,
  fewSourceTerms: 80,
  // Files, ids and hashes are in two conversations only if they are about the same thing.
  weightOfExact: 2,
} as const
