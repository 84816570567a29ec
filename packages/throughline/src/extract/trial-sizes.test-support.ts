/**
 * Sizes of the tests in this room: small in `npm test`, full, with printed figures, in
 * `npm run test:extract`.
 */
interface TrialSizes {
  /** The length of a text that is built to stall a reader. */
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

/** Prints a figure in the full mode. */
export function logFigure(figure: string): void {
  if (isWhole) console.log(figure)
}
