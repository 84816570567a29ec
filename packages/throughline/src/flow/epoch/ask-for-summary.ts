/** One summary asked for, of what lies between the last one and a line. */
import { defaults } from '../../defaults.ts'
import type { Decision } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { Chosen, Held, Projecting } from '../project/projecting.ts'
import type { SummaryOutcome } from '../summarize/summary-writer.ts'
import { writeSummary } from '../summarize/write-summary.ts'
import { conversationSoFar } from './conversation-so-far.ts'

export interface AskForSummary {
  readonly decision: Decision
  readonly line: Seq
  readonly ledger: Ledger
  readonly summaryTokens: number
  /** The longest that somebody waits for it; null for as long as the policy's limits say. */
  readonly waitMs: number | null
  /** What the conversation's model has seen last; null where nothing stands. */
  readonly inForce: Chosen | null
}

/** `overtaken`: somebody else has had one written meanwhile. Null where there is no use for one. */
export async function askForSummary(
  input: Projecting,
  held: Held,
  { decision, line, ledger, summaryTokens, waitMs, inForce }: AskForSummary,
): Promise<SummaryOutcome | 'overtaken' | null> {
  const { writer, policy, log, coveredTo, request, meter, past, sha256 } = input
  if (writer === null || summaryTokens < defaults.summaryLeastTokens.value) return null
  const parent = await past.summaryBefore(line)
  const base = isAfresh(input) ? null : parent
  const told = Math.max(base?.covers.to ?? 0, coveredTo)
  if (waitMs === 0 || line - told < leastUntold(decision, waitMs)) return null
  const startedAt = writer.clock.now()
  const taken = await writer.take(waitMs)
  if (taken === 'ended') return 'overtaken'
  // Somebody else is still at it, and nobody can wait any longer.
  if (taken === 'waited') return null
  const { timeMs } = policy.limits
  const leftMs = waitMs === null ? timeMs : waitMs - (writer.clock.now() - startedAt)
  return writeSummary({
    writer,
    limits: { ...policy.limits, timeMs: Math.max(1, Math.min(timeMs, leftMs)) },
    log,
    base,
    parent,
    line,
    summaryTokens,
    request,
    pinned: held.pinned,
    ledger,
    meter,
    decision,
    wishes: wishesOf(input),
    soFar: () => conversationSoFar(input, held, decision, inForce),
    sha256,
  })
}

function isAfresh({ wanted }: Projecting): boolean {
  return wanted?.reason === 'manual' && wanted.afresh === true
}

function wishesOf({ wanted }: Projecting): string | null {
  return wanted?.reason === 'manual' ? (wanted.instructions ?? null) : null
}

/** Who only makes a view anew does not pay for a few messages, and who waits not for them either. */
function leastUntold({ kind, reason }: Decision, waitMs: number | null): number {
  return kind === 'compact' && (waitMs === null || reason === 'manual') ? 1 : leastRenewed
}

export const leastRenewed = 10
