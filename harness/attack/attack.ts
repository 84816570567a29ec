/** An attack on what we promise, from outside: through the public API, the command line or the files. */
export interface Attack {
  readonly name: string
  /** Runs every probe; `whole` is the full size, otherwise a sample that fits into `npm test`. */
  run(options: AttackOptions): Promise<AttackReport>
}

export interface AttackOptions {
  readonly seed: number
  readonly whole: boolean
}

export interface AttackReport {
  /** How many cases were tried; zero is a broken harness. */
  readonly probes: number
  /** One sentence for each broken promise, with what reproduces it. */
  readonly findings: readonly string[]
}
