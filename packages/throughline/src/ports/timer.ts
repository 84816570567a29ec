/** The timer is a parameter, so that tests need not wait. */
export interface Timer {
  /** Resolves when the time is over or the signal is aborted, whichever comes first. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}
