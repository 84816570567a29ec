/** What sessions were worth, in figures. */
export interface SessionFigures {
  readonly sessions: number
  readonly turns: number
  /** Turns that stood in the log and that nobody had handed over. */
  readonly missed: number
  readonly contexts: number
  /** Questions to models, and answers that were taken. */
  readonly asked: number
  readonly taken: number
  /** Turns behind which lines of the history were folded. */
  readonly folds: number
  /** Drafts that were saved; entities that were forgotten. */
  readonly promoted: number
  readonly removed: number
  /** Pairs of turns at the same time. */
  readonly atOnce: number
  /** Calls that were to change nothing. */
  readonly unchanged: number
  readonly forks: number
  readonly restarts: number
  readonly crashes: number
}

export const noFigures: SessionFigures = {
  sessions: 0,
  turns: 0,
  missed: 0,
  contexts: 0,
  asked: 0,
  taken: 0,
  folds: 0,
  promoted: 0,
  removed: 0,
  atOnce: 0,
  unchanged: 0,
  forks: 0,
  restarts: 0,
  crashes: 0,
}

export function sumOfFigures(all: readonly SessionFigures[]): SessionFigures {
  const names = Object.keys(noFigures) as readonly (keyof SessionFigures)[]
  const sums = names.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)])
  return Object.fromEntries(sums) as SessionFigures
}
