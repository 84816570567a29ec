/** What of the log a view does not show whole. */
import type { Omission } from '../../domain/context.ts'
import type { Message } from '../../domain/message.ts'
import type { View } from '../../domain/view.ts'

/** Spans of the log that are not shown whole, in order. */
export function omissions(
  { line, keeps, stubs }: Pick<View, 'line' | 'keeps' | 'stubs'>,
  pinned: readonly Message[],
): readonly Omission[] {
  const shown = [...new Set([...keeps, ...pinned.map(({ seq }) => seq)])]
    .filter((seq) => seq < line)
    .sort((left, right) => left - right)
  const omitted: Omission[] = []
  let from = 0
  for (const seq of [...shown, line]) {
    if (seq > from) omitted.push({ span: { from, to: seq }, why: 'left-out', tokens: null })
    from = seq + 1
  }
  for (const { seq, wholeTokens, size } of stubs)
    omitted.push({
      span: { from: seq, to: seq + 1 },
      why: 'stubbed',
      tokens: wholeTokens - size.tokens,
    })
  return omitted
}
