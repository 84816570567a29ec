/** Waiting, handed in: tests let it pass at once. */
export interface Timer {
  /** Resolves when the time is over or the signal is aborted, whichever comes first. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}
