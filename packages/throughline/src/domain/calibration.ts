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

export interface Growth extends Observation {
  /** By how much the report exceeded our expectation, per root of a token. */
  readonly shortfall: number
}

// A report outside these bounds does not describe the text that we counted.
export const minFactor = 0.4
export const maxFactor = 3
// The prior counts as much as this much text: a first tiny step teaches little.
const priorWeightTokens = 1_000
// Reports differ by some tokens even for equal text.
export const noiseTokens = 100
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

export function expectedTokens(
  calibration: Calibration,
  from: Observation,
  counted: number,
): number {
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

/** Zero where nothing fell short. */
function quantile(growths: readonly Growth[], share: number): number {
  const sorted = growths.map((growth) => growth.shortfall).sort((one, other) => one - other)
  return Math.max(0, sorted[Math.ceil(share * (sorted.length - 1))] ?? 0)
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
