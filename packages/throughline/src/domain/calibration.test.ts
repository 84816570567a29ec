import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Calibration, calibrated, startCalibration } from './calibration.ts'
import { observe } from './learn-calibration.ts'
import { completeCard } from './model-card.ts'

const card = completeCard({
  id: 'house-model',
  contextWindowTokens: 200_000,
  tokensPerEstimate: 1.1,
})
const meter = { card, tokenizer: { id: 'estimate', exact: false } }

interface Provider {
  readonly hiddenTokens: number
  readonly factor: number
  readonly noise: number
  readonly stepTokens: readonly number[]
  readonly draws: readonly number[]
}

// Of whole percents, because arbitrary doubles are mostly tiny.
function percent(min: number, max: number) {
  return fc.integer({ min, max }).map((value) => value / 100)
}

// A provider that counts each new text its own way: factor ± noise, over a hidden prompt.
const provider = fc.record<Provider>({
  hiddenTokens: fc.integer({ min: 0, max: 60_000 }),
  factor: percent(60, 180),
  noise: percent(10, 60),
  stepTokens: fc.array(fc.integer({ min: 200, max: 4_000 }), { minLength: 60, maxLength: 60 }),
  draws: fc.array(percent(-100, 100), { minLength: 60, maxLength: 60 }),
})

function replay({ hiddenTokens, factor, noise, stepTokens, draws }: Provider) {
  let calibration = startCalibration(meter)
  let countedTokens = 0
  let reported = hiddenTokens
  const errors: number[] = []
  for (const [step, tokens] of stepTokens.entries()) {
    countedTokens += tokens
    reported += tokens * factor * (1 + noise * (draws[step] ?? 0))
    const reportedTokens = Math.round(reported)
    if (step >= 10)
      errors.push((calibrated(calibration, countedTokens) - reportedTokens) / reportedTokens)
    calibration = observe(calibration, { countedTokens, reportedTokens })
  }
  return { calibration, errors }
}

/** 10,000 counted and 30,000 reported, growing by 500 counted and 600 reported a step. */
function settled(steps = 15): Calibration {
  let calibration = startCalibration(meter)
  for (let step = 0; step < steps; step += 1)
    calibration = observe(calibration, {
      countedTokens: 10_000 + 500 * step,
      reportedTokens: 30_000 + 600 * step,
    })
  return calibration
}

const settledCounted = 10_000 + 500 * 14
const settledReported = 30_000 + 600 * 14

describe('calibration', () => {
  it('starts with the plain count', () => {
    expect(calibrated(startCalibration(meter), 1_000)).toBe(1_000)
  })

  it('starts with the factor of another conversation with the same model', () => {
    const tokens = calibrated(startCalibration(meter, settled()), 10_000)
    expect(tokens).toBeGreaterThan(11_700)
    expect(tokens).toBeLessThanOrEqual(12_000)
    const other = { ...meter, card: { ...card, id: 'other-model' } }
    expect(calibrated(startCalibration(other, settled()), 10_000)).toBe(10_000)
  })

  it('knows hidden text after one report', () => {
    const calibration = observe(startCalibration(meter), {
      countedTokens: 1_000,
      reportedTokens: 21_000,
    })
    expect(calibrated(calibration, 1_000)).toBeGreaterThanOrEqual(21_000)
    expect(calibrated(calibration, 1_000)).toBeLessThan(21_300)
  })

  it('is near the report after ten steps, and under it in at most one step of twenty', () => {
    const all: number[] = []
    fc.assert(
      fc.property(provider, (given) => {
        const { errors } = replay(given)
        all.push(...errors)
        for (const error of errors) expect(Math.abs(error)).toBeLessThan(0.25)
      }),
      { seed: 7, numRuns: 300 },
    )
    const sorted = all.toSorted((one, other) => one - other)
    expect(all.filter((error) => error >= 0).length / all.length).toBeGreaterThanOrEqual(0.95)
    expect(Math.abs(sorted[Math.floor(sorted.length / 2)] ?? 1)).toBeLessThan(0.02)
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(0.05)
  })

  it('has learned the factor after ten steps', () => {
    const calibration = settled(10)
    // Far from the anchor the factor decides: 1.2, where the card has 1.1.
    const tokens = calibrated(calibration, 110_000)
    const truth = 30_000 + 1.2 * 100_000
    expect(tokens).toBeGreaterThan(truth * 0.98)
    expect(tokens).toBeLessThan(truth * 1.02)
  })

  it('keeps its size whatever is reported, and survives JSON', () => {
    const { calibration } = replay({
      hiddenTokens: 5_000,
      factor: 1.2,
      noise: 0.1,
      stepTokens: Array.from({ length: 2_000 }, () => 300),
      draws: Array.from({ length: 2_000 }, (_, step) => Math.sin(step)),
    })
    expect(calibration.growths.length).toBeLessThanOrEqual(24)
    const read = JSON.parse(JSON.stringify(calibration)) as Calibration
    expect(calibrated(read, 700_000)).toBe(calibrated(calibration, 700_000))
  })

  it.each([
    ['nothing', 0],
    ['a negative number', -5],
    ['no number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['only what was not in the cache', 3],
  ])('ignores a report of %s', (_, reportedTokens) => {
    const calibration = settled()
    expect(observe(calibration, { countedTokens: settledCounted, reportedTokens })).toBe(
      calibration,
    )
  })

  it('does not follow one wild report, and forgets it', () => {
    const wild = observe(settled(), {
      countedTokens: settledCounted + 500,
      reportedTokens: 900_000,
    })
    expect(calibrated(wild, settledCounted + 500)).toBeLessThan(settledReported * 1.05)
    const after = observe(wild, {
      countedTokens: settledCounted + 1_000,
      reportedTokens: settledReported + 1_200,
    })
    expect(after.suspect).toBeNull()
    expect(calibrated(after, settledCounted + 1_000)).toBeLessThan(settledReported * 1.1)
  })

  it('does not believe one lower report for a longer request', () => {
    const calibration = observe(settled(), {
      countedTokens: settledCounted + 500,
      reportedTokens: settledReported - 15_000,
    })
    expect(calibrated(calibration, settledCounted + 500)).toBeGreaterThan(settledReported)
  })

  it('believes a lower level when two reports agree on it', () => {
    let calibration = settled()
    for (const step of [1, 2])
      calibration = observe(calibration, {
        countedTokens: settledCounted + 500 * step,
        reportedTokens: settledReported - 15_000 + 600 * step,
      })
    const tokens = calibrated(calibration, settledCounted + 1_500)
    expect(tokens).toBeGreaterThanOrEqual(settledReported - 15_000 + 1_800)
    expect(tokens).toBeLessThan((settledReported - 15_000 + 1_800) * 1.05)
  })

  it('believes more hidden text at once, because too low a count is refused by the provider', () => {
    const calibration = observe(settled(), {
      countedTokens: settledCounted + 500,
      reportedTokens: settledReported + 20_000,
    })
    expect(calibrated(calibration, settledCounted + 1_000)).toBeGreaterThan(
      settledReported + 20_000,
    )
  })

  it('keeps the hidden text in its answer after a compaction', () => {
    const tokens = calibrated(settled(), 2_000)
    // 18,000 are hidden and the factor is 1.2.
    expect(tokens).toBeGreaterThanOrEqual(20_400)
    expect(tokens).toBeLessThan(23_000)
  })

  it('expects no negative hidden text when a request shrinks', () => {
    let calibration = startCalibration(meter)
    // Old text was light, the newest dense: the factor alone would lead below zero.
    for (const step of [0, 1, 2, 3, 4, 5])
      calibration = observe(calibration, {
        countedTokens: 100_000 + 2_000 * step,
        reportedTokens: 80_000 + 3_000 * step,
      })
    expect(calibrated(calibration, 10_000)).toBeGreaterThan(8_000)
  })

  it('never answers less than the least factor allows', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            countedTokens: fc.double({ min: -10, max: 300_000 }),
            reportedTokens: fc.double({ min: -10, max: 600_000 }),
          }),
          { maxLength: 40 },
        ),
        fc.integer({ min: 0, max: 1_000_000 }),
        (observations, counted) => {
          const calibration = observations.reduce(observe, startCalibration(meter))
          const tokens = calibrated(calibration, counted)
          expect(Number.isSafeInteger(tokens)).toBe(true)
          expect(tokens).toBeGreaterThanOrEqual(0.4 * counted)
        },
      ),
    )
  })

  it('believes the lower of two reports that are both far above what it expects', () => {
    let calibration = startCalibration(meter)
    for (let step = 0; step < 50; step += 1)
      calibration = observe(calibration, {
        countedTokens: 10_000 + step * 50,
        reportedTokens: step === 0 ? 10_000 : step % 2 ? 30_000 : 45_000,
      })
    expect(calibrated(calibration, 12_500)).toBeGreaterThanOrEqual(30_000)
  })

  it('returns 0 for an invalid count', () => {
    for (const count of [Number.NaN, -5, Number.POSITIVE_INFINITY])
      expect(calibrated(startCalibration(meter), count)).toBe(0)
  })
})
