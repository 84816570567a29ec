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

/** Rows drawn together, as people compare them. */
export interface BenchTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface BenchOptions {
  /** A folder of transcripts, or null to measure on generated ones. */
  readonly dataDir: string | null
  /** Those of the measure where left out; only measures that name theirs take others. */
  readonly sizes?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
  /** Told with each file that is opened; what it throws ends the measure. */
  readonly progress?: ((progress: BenchProgress) => void) | undefined
}

export interface BenchProgress {
  /** Files that were opened before, of so many. */
  readonly done: number
  readonly total: number
  readonly file: string
}
