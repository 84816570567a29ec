/** What was chosen, as the context that leaves. */
import type { Decision } from '../../domain/decision.ts'
import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Seq } from '../../domain/ids.ts'
import type { RequestRecord } from '../../domain/request-record.ts'
import { neverCompacted, triggerStateAfter } from '../decide/decide.ts'
import type { Chosen, Held, Projecting } from '../project/projecting.ts'
import { type Described, describeContext } from './describe-context.ts'
import { readFiles } from './read-files.ts'

export async function describeChosen(
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
  const describing = {
    shown,
    decided: { decision, triggers },
    request,
    plan,
    tools,
    epoch,
    began: began ?? begunSince(chosen, last),
    last,
    rewrites: log.rewrites,
    policy: input.basis.policy,
    files,
    meter,
    sha256,
    now,
    again: null,
  }
  const described = describeContext(describing)
  if (described.context.brokenBy !== 'restored') return described
  // What was sent then may still be in the provider's cache.
  const again = await input.findRequest(described.context.fingerprint)
  return again === null ? described : describeContext({ ...describing, again })
}

/** A view that somebody restored or edited since the last request breaks with it, and compacts nothing. */
function begunSince({ view }: Chosen, last: RequestRecord | null): EpochCause | null {
  return view === null || last === null || view.epoch <= last.epoch ? null : view.cause
}

/** A summary that was written ahead was asked for with fewer messages: the next is due by those. */
function countedFrom({ log }: Projecting, { summary, view }: Chosen, { kind }: Decision): Seq {
  const isOfSummary = kind === 'compact' && summary !== null && summary.covers.to === view?.line
  return isOfSummary ? summary.head : log.head
}
