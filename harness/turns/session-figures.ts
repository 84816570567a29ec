/** What sessions were worth, in figures. */
export const noFigures = {
  sessions: 0,
  turns: 0,
  /** Turns that were in the log and that nobody had handed over. */
  missed: 0,
  contexts: 0,
  /** Questions to models, and answers that were taken. */
  asked: 0,
  taken: 0,
  /** Turns after which lines of the history were folded. */
  folds: 0,
  /** Drafts that were saved; entities that were forgotten. */
  promoted: 0,
  removed: 0,
  /** Pairs of turns at the same time. */
  atOnce: 0,
  /** Calls that were to change nothing. */
  unchanged: 0,
  forks: 0,
  restarts: 0,
  crashes: 0,
}

export type SessionFigures = Readonly<typeof noFigures>
