/** How a calibration learns from what a provider reports, or from a request that it refused. */
import {
  type Calibration,
  clamp,
  expectedTokens,
  type Growth,
  maxFactor,
  minFactor,
  noiseTokens,
  type Observation,
} from './calibration.ts'
import type { ProviderOverflow } from './provider-overflow.ts'

const maxGrowths = 24
// No window is a thousandth of this.
const maxReportedTokens = 1e12

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
