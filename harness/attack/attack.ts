/** An attack on a documented promise from outside: through the public API, the CLI or the files. */
export interface Attack {
  readonly name: string
  /** Runs every probe; `whole` is the full size, otherwise a sample small enough for `npm test`. */
  run(options: AttackOptions): Promise<AttackReport>
}

export interface AttackOptions {
  readonly seed: number
  readonly whole: boolean
}

export interface AttackReport {
  /** How many cases ran; zero means that the harness is broken. */
  readonly probes: number
  /** One sentence per broken promise, with the case that reproduces it. */
  readonly findings: readonly string[]
}
