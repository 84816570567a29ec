/**
 * How much the tests of this room go through: enough to find a mistake in `npm test`, and all
 * that is promised, with figures, in `npm run test:extract`.
 */
interface TrialSizes {
  /** Of a text that is made to stall a reader. */
  readonly hostileCharacters: number
  readonly cleanCharacters: number
  readonly secretsPerFormat: number
  readonly randomRuns: number
}

const isWhole = process.env['MODE'] === 'whole'

export const trialSizes: TrialSizes = isWhole
  ? {
      hostileCharacters: 1_000_000,
      cleanCharacters: 10_000_000,
      secretsPerFormat: 1_000,
      randomRuns: 3_000,
    }
  : {
      hostileCharacters: 20_000,
      cleanCharacters: 200_000,
      secretsPerFormat: 30,
      randomRuns: 300,
    }

/** Told where everything is gone through. */
export function tellFigure(figure: string): void {
  if (isWhole) console.log(figure)
}
