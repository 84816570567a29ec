/** A promise that was not kept: which, and what was seen. */
export interface Violation {
  readonly rule: Rule
  readonly detail: string
}

export type Rule =
  | 'budget'
  | 'accepted'
  | 'pairs'
  | 'unicode'
  | 'same-bytes'
  | 'overflow'
  | 'fill'
  | 'sealed'
  | 'listed'
  | 'system-role'
  | 'pins'
  | 'prefix'
  | 'error'
  | 'expand'

export function violation(rule: Rule, detail: string): Violation {
  return { rule, detail }
}
