/**
 * What programs have expanded since a receipt was written: each span once, with how often.
 * Every store asks here, so that stores cannot differ.
 */
import type { Expansion } from '../domain/receipt.ts'
import type { Span } from '../domain/span.ts'
import { keptRows } from '../ports/kept-rows.ts'

/**
 * What was expanded since a receipt was written, with one span more: each once, with how often.
 *
 * @example
 * const expanded = withExpansion([], { from: 12, to: 15 })
 */
export function withExpansion(
  expanded: readonly Expansion[],
  { from, to }: Span,
): readonly Expansion[] {
  const at = expanded.findIndex(({ span }) => span.from === from && span.to === to)
  const known = expanded[at]
  if (known !== undefined) return expanded.with(at, { ...known, times: known.times + 1 })
  return expanded.length < keptRows.expansions
    ? [...expanded, { span: { from, to }, times: 1 }]
    : expanded
}
