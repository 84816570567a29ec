/**
 * The running sum of an estimate: what the pieces are expected to cost, and how
 * far off that may be.
 *
 * Errors of different pieces even out, so the margin grows with the square root
 * of the text: variances add. Errors of the same piece do not: a word that was
 * misjudged once is misjudged each time, and a log repeats its words a thousand
 * times. So its n-th sight adds what makes the variance n² times that of one.
 */
export interface Totals {
  readonly text: string
  tokens: number
  variance: number
  /** Tokens expected beyond one a piece: the part that is judged, not counted. */
  judged: number
  /** Share of frequent words among the latest Latin words, 0 to 1. */
  familiarity: number
  latinWords: number
  readonly sights: Uint16Array
}

export function newTotals(text: string): Totals {
  return {
    text,
    tokens: 0,
    variance: 0,
    judged: 0,
    familiarity: familiarityAtStart,
    latinWords: 0,
    sights: new Uint16Array(sightSlots),
  }
}

// Before the first word is seen: between English (0.6) and other languages (0.1).
const familiarityAtStart = 0.35

// Pieces that share a slot count as the same one, which errs to the safe side.
const sightSlots = 4096

/** Books a piece of `1 + extra` tokens. */
export function addPiece(totals: Totals, extra: number, variance: number, hash: number): void {
  totals.tokens += 1 + extra
  totals.judged += extra
  if (variance === 0) return
  const slot = (hash ^ (hash >>> 15)) & (sightSlots - 1)
  const seen = totals.sights[slot] ?? 0
  if (seen < 65_535) totals.sights[slot] = seen + 1
  totals.variance += variance * (2 * seen + 1)
}

/** An average over the latest words; over all of them while they are few. */
export function noteFamiliarity(totals: Totals, listed: 0 | 1): void {
  totals.latinWords += 1
  const words = Math.min(totals.latinWords + 3, 12)
  totals.familiarity += (listed - totals.familiarity) / words
}

/** Books what a piece may cost beyond what is booked for it already. */
export function addDoubt(totals: Totals, extra: number, variance: number): void {
  totals.tokens += extra
  totals.judged += extra
  totals.variance += variance
}

/** Sum plus margin, as a whole number of tokens. */
export function upperEstimate(totals: Totals): number {
  const bias = totals.judged * biasOfJudgement
  const margin = deviations * Math.sqrt(totals.variance + bias * bias)
  return Math.ceil(totals.tokens + margin)
}

// The first is for what evens out; the second for what does not: a language or a
// field whose words are all dearer than we think. Chosen on 122,230 texts in 130
// languages: 5 of them are under, in rare languages, and none of 27,280 messages.
const deviations = 2.7
const biasOfJudgement = 0.1
