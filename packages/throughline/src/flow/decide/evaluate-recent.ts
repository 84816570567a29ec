/**
 * What only a policy with `fill: 'recent'` evaluates: messages without a view, and digests of long messages. It is
 * loaded by such a policy.
 */
import { addSizes, noSize } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { View } from '../../domain/view.ts'
import { showsSummary } from '../history/styled-summary.ts'
import { changedBasis } from '../project/basis.ts'
import type { Candidate, ContextInputs, FixedParts, RenderedRequest } from '../project/records.ts'
import { renderSelected } from '../project/render-view.ts'
import { fullView } from '../project/whole-log.ts'
import { candidatesAfter, loadCandidates } from '../select/load-candidates.ts'
import { digestedFrom, undigested } from '../stub/giants.ts'
import type { Unviewed } from './decide.ts'

/** Whether a model has written the digest of a long message that the view shows without it. */
export async function hasNewDigest(
  { policy, meter, mode, suspended, writer, log, derived }: ContextInputs,
  { stubs }: View,
  { rendered }: RenderedRequest,
): Promise<boolean> {
  const fromTokens = digestedFrom(policy, meter)
  if (fromTokens === null || writer === null || mode !== 'on' || suspended) return false
  const messages = rendered.map(({ message, size }) => ({ seq: message.seq, tokens: size.tokens }))
  const waiting = undigested(messages, stubs, fromTokens).filter((seq) => !log.pins.includes(seq))
  const [from] = waiting
  if (from === undefined) return false
  const digests = await derived.digests({ from, to: log.head })
  return digests.some(({ seq }) => waiting.includes(seq))
}

/**
 * With `fill: 'recent'` only a compaction moves the line, also for messages without a view: they
 * are measured as a view would show them, so that the triggers of the policy decide.
 */
export async function measureUnviewed(
  input: ContextInputs,
  fixed: FixedParts,
  compactedAt: Seq,
): Promise<Unviewed> {
  const { coveredTo, meter } = input
  const kept = await lineToKeep(input)
  const line = Math.max(kept.line, coveredTo)
  const loaded = candidatesAfter(await loadCandidates(input, fixed), line)
  const { size } = renderSelected(input, fixed, loaded, { ...fullView, line })
  const summarySize = kept.summary === null ? noSize : meter.systemSize(kept.summary.text)
  const opensTurn = ({ message }: Candidate) => message.seq >= compactedAt && isSpoken(message)
  return {
    size: addSizes([size, summarySize]),
    turnsSince: loaded.candidates.filter(opensTurn).length,
    view: { line, beganTokens: 0 },
    coveredTo,
  }
}

/** The line that a renewed view keeps, and the summary at which it starts if there was no view. */
export async function lineToKeep({ view, basis, derived, log, styles }: ContextInputs) {
  const isVoid = view !== null && changedBasis(view, basis) === 'history-changed'
  if (view !== null) return { line: isVoid ? 0 : view.line, summary: null }
  // Starting at the end of the last summary avoids paying for the same messages again.
  const record = await derived.summaryBefore(log.head)
  if (!showsSummary(record, styles)) return { line: 0, summary: null }
  return { line: record.covers.to, summary: record }
}
