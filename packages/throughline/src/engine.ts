/**
 * The engine: from a log and a request to the context that leaves.
 *
 *   append ► measure ► decide ► select ► summarize ► persist ► assemble ► deliver
 *    store   └────── pure ──────┘         model       store     pure      adapter
 *
 * `append` and `persist` are the log's, `deliver` is the adapter's; what lies between
 * is here, for every log alike: one in a store (`conversation/context.ts`), or one that
 * the caller keeps (`fit.ts`).
 */
import type { Decision } from './domain/decision.ts'
import type { Compacted } from './domain/receipt.ts'
import type { View } from './domain/view.ts'
import { leastRenewed } from './flow/ask-for-summary.ts'
import { beginEpoch } from './flow/begin-epoch.ts'
import { neverCompacted, triggerStateAfter } from './flow/decide.ts'
import { decideOn, measureHeld } from './flow/decide-on.ts'
import { type Described, describeContext } from './flow/describe-context.ts'
import { readFiles } from './flow/files.ts'
import type { Chosen, Held, NotedFacts, Projecting } from './flow/projecting.ts'
import { compactedBy } from './flow/receipt.ts'
import type { WrittenSummary } from './flow/summary-writer.ts'
import { sha256 } from './system.ts'

export interface Projection extends Described {
  /** The view to keep: another one where an epoch began; null as long as everything is shown. */
  readonly view: View | null
  /** What was learned of the messages that went below the line, to keep with it. */
  readonly facts: NotedFacts | null
  /** What was done, where an epoch began with a view. */
  readonly compacted: Compacted | null
  /** What came of asking models for a summary, where they were asked. */
  readonly written: WrittenSummary | null
  /** Somebody else has had a summary written meanwhile: look again. */
  readonly overtaken: boolean
  /** There is something for a model to tell, behind this request. */
  readonly due: boolean
}

export async function project(input: Projecting): Promise<Projection> {
  const held = await measureHeld(input)
  const { decision, standing, stays, pending } = await decideOn(input, held)
  const chosen =
    standing !== null && stays ? standing : await beginEpoch(input, held, decision, standing)
  const described = await assembleContext(input, held, chosen, decision)
  const compacted = compactedBy(input, chosen, described)
  const { view, facts, written, overtaken } = chosen
  const due = pending !== null || leavesUntold(input, chosen)
  return { ...described, view, facts, compacted, written, overtaken, due }
}

/** An epoch has begun, and rules tell much of what it does not show. */
function leavesUntold({ policy, writer }: Projecting, { view, began }: Chosen): boolean {
  if (writer === null || policy.run.mode === 'blocking' || began === null) return false
  return (view?.line ?? 0) - (view?.past?.written?.to ?? 0) >= leastRenewed
}

async function assembleContext(
  input: Projecting,
  held: Held,
  chosen: Chosen,
  decision: Decision,
): Promise<Described> {
  const { log, next, request, last, meter, now } = input
  const { shown, epoch, began } = chosen
  const files = await readFiles(shown.rendered, log, next?.files ?? new Map())
  const { plan } = held
  const { tools } = held.sizes
  const triggers = triggerStateAfter(decision, last?.triggers ?? neverCompacted, {
    head: log.head,
    began: began !== null || (last === null && chosen.view !== null),
  })
  return describeContext({
    shown,
    decided: { decision, triggers },
    request,
    plan,
    tools,
    epoch,
    began,
    last,
    files,
    meter,
    sha256,
    now,
  })
}
