/**
 * The result of a measure: rows that print as a table and serialize as JSON. `size` is a number
 * (messages, bytes, tokens of a window …), so that rows can be plotted; our own method is named
 * `throughline`.
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

/** Rows drawn together for comparison. */
export interface BenchTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface BenchOptions {
  /** A folder of transcripts, or null for generated ones. */
  readonly dataDir: string | null
  /** Default: those of the measure; only measures that list sizes accept others. */
  readonly sizes?: readonly number[] | undefined
  readonly methods?: readonly string[] | undefined
  /** Values of the measure's other dimensions, by name; all of them unless set. */
  readonly choices?: Readonly<Record<string, readonly string[]>> | undefined
  /** Called with each file that is opened; an error that it throws ends the measure. */
  readonly progress?: ((progress: BenchProgress) => void) | undefined
}

export interface BenchProgress {
  /** Files opened so far, of the total. */
  readonly done: number
  readonly total: number
  readonly file: string
}
