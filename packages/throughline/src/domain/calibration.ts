/**
 * Calibration: how our count relates to what the provider reports, per model.
 *
 * reported = hidden text + factor × counted, and neither is known: the provider
 * adds a prompt of its own, and its vocabulary is not ours. But a request mostly
 * extends the one before it, so the newest trusted report (the anchor) carries
 * everything hidden, and only the growth since then is estimated:
 *
 *   tokens = anchor.reported + factor × (counted − anchor.counted) + margin
 *
 * The factor is the growth reported over the growth counted in the last steps.
 * The margin is how much we fell short lately, so that the answer is an upper
 * bound nearly always; errors of independent texts add up like the square root
 * of their length, and so does the margin.
 *
 * Plain JSON of constant size. Kept per conversation and model: an anchor of another
 * conversation is far away, and then we extrapolate. A new conversation begins with
 * the factor that an earlier one has learned.
 */
import type { ModelCard } from './model-card.ts'
import type { ProviderOverflow } from './provider-overflow.ts'

/** How our token counts relate to what a provider reports for one model; plain JSON. */
export interface Calibration {
  readonly modelId: string
  /** Counts of another tokenizer are not comparable. */
  readonly tokenizerId: string
  readonly priorFactor: number
  /** Reports taken in, implausible ones excluded. */
  readonly observed: number
  readonly anchor: Observation | null
  /** A report far from our expectation, kept until the next one confirms it. */
  readonly suspect: Observation | null
  readonly growths: readonly Growth[]
  /** Set where the provider has refused a request as too long. */
  readonly ceiling?:
    | {
        /** By our count, the most that may be sent. */
        readonly tokens: number
        /** Reports at the time it was set: a later one means that a request was accepted. */
        readonly observed: number
      }
    | undefined
}

export interface Observation {
  readonly countedTokens: number
  /** What the provider reported, including everything read from or written to a cache. */
  readonly reportedTokens: number
}

/** The card and tokenizer of a meter. */
export interface CountedWith {
  readonly card: Pick<ModelCard, 'id'>
  readonly tokenizer: { readonly id: string }
}

interface Growth extends Observation {
  /** By how much the report exceeded our expectation, per root of a token. */
  readonly shortfall: number
}

const maxGrowths = 24
// A report outside these bounds does not describe the text that we counted.
const minFactor = 0.4
const maxFactor = 3
// The prior counts as much as this much text: a first tiny step teaches little.
const priorWeightTokens = 1_000
// No window is a thousandth of this.
const maxReportedTokens = 1e12
// Reports differ by some tokens even for equal text.
const noiseTokens = 100
const headroomRatio = 0.005
const shortfallQuantile = 0.85

/**
 * Starts the calibration of a conversation. If an earlier conversation used the same model and
 * tokenizer, its learned factor is kept.
 *
 * @example
 * let calibration = startCalibration(await tl.meter('anthropic/claude-sonnet-5-5'))
 * calibration = observe(calibration, { countedTokens: 10_000, reportedTokens: 31_000 })
 * console.log(calibrated(calibration, 10_500)) // what the next request will be billed at
 */
export function startCalibration(meter: CountedWith, earlier?: Calibration): Calibration {
  const { card, tokenizer } = meter
  const isSameMeter = earlier?.modelId === card.id && earlier.tokenizerId === tokenizer.id
  return {
    modelId: card.id,
    tokenizerId: tokenizer.id,
    // Before the first report, a meter knows the vocabulary of its card as well as we do.
    priorFactor: isSameMeter ? factorOf(earlier) : 1,
    observed: 0,
    anchor: null,
    suspect: null,
    growths: [],
  }
}

/** Takes in a provider's report, unless it cannot be true. See `startCalibration`. */
export function observe(calibration: Calibration, observation: Observation): Calibration {
  if (!isPlausible(observation)) return calibration
  const { anchor, suspect } = calibration
  const next = { ...calibration, observed: calibration.observed + 1, suspect: null }
  if (anchor === null) return { ...next, anchor: observation }
  if (isExpected(calibration, anchor, observation))
    return { ...next, anchor: observation, growths: growthsWith(calibration, anchor, observation) }
  // Hidden text came or went: two reports that agree with each other are believed.
  if (suspect !== null && isExpected(calibration, suspect, observation))
    return { ...next, anchor: observation, growths: growthsWith(calibration, suspect, observation) }
  if (isBelievedAtOnce(calibration, anchor, observation)) return { ...next, anchor: observation }
  // Two reports disagree, but both exceed our expectation: the lower one is believed.
  if (
    suspect !== null &&
    isAbove(calibration, anchor, suspect) &&
    isAbove(calibration, anchor, observation)
  )
    return {
      ...next,
      anchor: suspect.reportedTokens < observation.reportedTokens ? suspect : observation,
    }
  return { ...next, suspect: observation }
}

/**
 * Sets a ceiling below a request that was refused as too long, by the provider's own figures if
 * given. Null where a smaller request is of no use: it was below the ceiling already and none was
 * accepted since, or the requested reply is too long, not the prompt.
 */
export function lowerCeiling(
  calibration: Calibration,
  countedTokens: number,
  { limitTokens, requestedTokens }: ProviderOverflow,
): Calibration | null {
  const { ceiling, observed } = calibration
  if (limitTokens !== null && countedTokens < limitTokens * minPromptShare) return null
  if (ceiling && countedTokens <= ceiling.tokens && observed <= ceiling.observed) return null
  const share =
    limitTokens === null || requestedTokens === null || requestedTokens <= limitTokens
      ? shareWithoutFigures
      : (limitTokens / requestedTokens) * maxShare
  const tokens = Math.max(1, Math.floor(countedTokens * Math.min(share, maxShare)))
  return { ...calibration, ceiling: { tokens, observed } }
}

// A prompt below this share of the limit was refused because of its long reply.
const minPromptShare = 0.5
const shareWithoutFigures = 0.75
const maxShare = 0.9

/** The most tokens that the provider will likely report for our count. See `startCalibration`. */
export function calibrated(calibration: Calibration, countedTokens: number): number {
  // An invalid count is no request.
  const counted = countedTokens > 0 && Number.isFinite(countedTokens) ? countedTokens : 0
  const { anchor, priorFactor, growths } = calibration
  if (anchor === null) return Math.ceil(priorFactor * counted)
  const distance = Math.abs(counted - anchor.countedTokens)
  const margin = quantile(growths, shortfallQuantile) * Math.sqrt(distance + noiseTokens)
  const tokens = expectedTokens(calibration, anchor, counted) * (1 + headroomRatio) + margin
  return Math.ceil(Math.max(tokens, minFactor * counted))
}

function expectedTokens(calibration: Calibration, from: Observation, counted: number): number {
  const grown = counted - from.countedTokens
  const slope = factorOf(calibration)
  if (grown >= 0) return from.reportedTokens + slope * grown
  // Hidden text is never negative: a request of nothing would be reported as nothing or more.
  return from.reportedTokens + Math.min(slope, from.reportedTokens / from.countedTokens) * grown
}

function factorOf({ growths, priorFactor }: Calibration): number {
  let counted = priorWeightTokens
  let reported = priorWeightTokens * priorFactor
  for (const growth of growths) {
    counted += growth.countedTokens
    reported += growth.reportedTokens
  }
  return clamp(reported / counted, minFactor, maxFactor)
}

function growthsWith(calibration: Calibration, from: Observation, to: Observation) {
  const countedTokens = to.countedTokens - from.countedTokens
  // After a compaction the request shrank: that teaches where we are, not how text grows.
  if (countedTokens <= 0) return calibration.growths
  const shortTokens = to.reportedTokens - expectedTokens(calibration, from, to.countedTokens)
  const growth: Growth = {
    countedTokens,
    reportedTokens: clamp(
      to.reportedTokens - from.reportedTokens,
      minFactor * countedTokens,
      maxFactor * countedTokens + noiseTokens,
    ),
    shortfall: shortTokens / Math.sqrt(countedTokens + noiseTokens),
  }
  return [...calibration.growths, growth].slice(-maxGrowths)
}

/** Not zero, not negative, not NaN, and not the uncached rest of a cached prompt alone. */
function isPlausible({ countedTokens, reportedTokens }: Observation): boolean {
  return (
    Number.isFinite(countedTokens) &&
    Number.isFinite(reportedTokens) &&
    countedTokens > 0 &&
    reportedTokens >= minFactor * countedTokens &&
    reportedTokens > 0 &&
    reportedTokens <= maxReportedTokens
  )
}

function isExpected(calibration: Calibration, from: Observation, to: Observation): boolean {
  const expectation = expectedTokens(calibration, from, to.countedTokens)
  const tolerance = Math.max(toleranceTokens, toleranceRatio * expectation)
  return Math.abs(to.reportedTokens - expectation) <= tolerance
}

function isAbove(calibration: Calibration, from: Observation, to: Observation): boolean {
  return to.reportedTokens > expectedTokens(calibration, from, to.countedTokens)
}

const toleranceTokens = 2_000
const toleranceRatio = 0.25

/**
 * More than expected, within reason, is believed at once: too low a count ends in
 * a refused request, too high a one in an early compaction. So is a lower report
 * for a shorter request, which is what a compaction looks like.
 */
function isBelievedAtOnce(calibration: Calibration, from: Observation, to: Observation): boolean {
  const expectation = expectedTokens(calibration, from, to.countedTokens)
  if (to.reportedTokens > expectation) return to.reportedTokens <= 2 * expectation
  return to.countedTokens < from.countedTokens
}

/** Zero where nothing fell short. */
function quantile(growths: readonly Growth[], share: number): number {
  const sorted = growths.map((growth) => growth.shortfall).sort((one, other) => one - other)
  return Math.max(0, sorted[Math.ceil(share * (sorted.length - 1))] ?? 0)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
