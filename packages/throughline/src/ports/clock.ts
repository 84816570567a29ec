/** The clock is a parameter, so that tests can set it. The engine orders nothing by time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
