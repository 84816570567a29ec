/**
 * What a measure returns: rows that a person can read as a table and a program
 * as JSON. `size` is a number (messages, bytes, tokens of a window …), so that
 * rows can be plotted; what is ours is named `throughline`.
 */
export interface BenchRow {
  readonly source: string
  readonly method: string
  readonly size: number
  readonly value: number
  readonly unit: string
  readonly n: number
}

export interface BenchReport {
  readonly measure: string
  readonly policyHash: string
  readonly rows: readonly BenchRow[]
}

export interface BenchOptions {
  /** A folder of transcripts, or null to measure on generated ones. */
  readonly dataDir: string | null
  /** Told now and then how far a long measure is. */
  readonly progress?: ((line: string) => void) | undefined
}
