/** What was chosen, as the context that leaves. */
import type { Decision } from '../domain/decision.ts'
import type { Seq } from '../domain/ids.ts'
import { neverCompacted, triggerStateAfter } from './decide.ts'
import { type Described, describeContext } from './describe-context.ts'
import { readFiles } from './files.ts'
import type { Chosen, Held, Projecting } from './projecting.ts'

export async function contextOf(
  input: Projecting,
  held: Held,
  chosen: Chosen,
  decision: Decision,
): Promise<Described> {
  const { log, next, request, last, meter, sha256, now } = input
  const { shown, epoch, began } = chosen
  const files = await readFiles(shown.rendered, log, next?.files ?? new Map())
  const { plan } = held
  const { tools } = held.sizes
  const triggers = triggerStateAfter(decision, last?.triggers ?? neverCompacted, {
    head: countedFrom(input, chosen, decision),
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
    rewrites: log.rewrites,
    files,
    meter,
    sha256,
    now,
  })
}

/** A summary that was written ahead was asked for with fewer messages: the next is due by those. */
function countedFrom({ log }: Projecting, { record, view }: Chosen, { kind }: Decision): Seq {
  const isOfSummary = kind === 'compact' && record !== null && record.covers.to === view?.line
  return isOfSummary ? record.head : log.head
}
