/** A promise of a context that was not kept. */
import type { Finding } from '../kernel/finding.ts'

export type Violation = Finding<Rule>

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
