/** A rule that a run has broken. */
export interface Finding {
  readonly rule: string
  readonly detail: string
}
