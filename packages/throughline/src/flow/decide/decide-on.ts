/** Whether the view that stands goes on, or another epoch begins: looked at as it would be sent now. */
import type { Decision } from '../../domain/decision.ts'
import type { RenewCause } from '../../domain/epoch-cause.ts'
import type { Insert } from '../../domain/insert.ts'
import type { Message } from '../../domain/message.ts'
import type { RequestRecord } from '../../domain/request-record.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { View } from '../../domain/view.ts'
import { readShown } from '../assemble/show.ts'
import { basisText, changedBasis } from '../project/basis.ts'
import { type Chosen, type Held, nothingNew, type Projecting } from '../project/projecting.ts'
import { showView } from '../project/show-view.ts'
import { squeeze } from '../project/squeeze.ts'
import { nextOf, withNext } from '../select/coming-message.ts'
import { awaitsSummary } from './await-summary.ts'
import { decide, decideAnew, neverCompacted } from './decide.ts'
import { everything, showsAll } from './view-of-all.ts'

export interface DecidedOn {
  readonly decision: Decision
  /** The view that stands, shown; null where there is none. */
  readonly inForce: Chosen | null
  readonly stays: boolean
  /** The decision that waits for a summary; null where none does. */
  readonly pending: Decision | null
}

export async function decideOn(input: Projecting, held: Held): Promise<DecidedOn> {
  const { log, policy, mode, suspended, wanted, last, coveredTo } = input
  const view = input.view ?? viewOfAll(input)
  const state = last?.triggers ?? neverCompacted
  const known = {
    policy,
    mode,
    suspended,
    wanted,
    plan: held.plan,
    head: log.head,
    coveredTo,
    state,
  }
  const anew = async (cause: RenewCause): Promise<DecidedOn> => {
    const decision = decideAnew(known, cause)
    const waits = await awaitsSummary(input, decision, input.view?.line ?? 0)
    return {
      decision: waits ? { ...decision, kind: 'renew', reason: cause } : decision,
      inForce: null,
      stays: false,
      pending: waits ? decision : null,
    }
  }
  if (view === null) return anew(last === null ? 'first' : lostBy(last, log))
  const changed = showsAll(view) ? null : changedBasis(view, input.basis)
  if (changed !== null) return anew(changed)
  // What is told by now is not shown any more.
  if (view.line < coveredTo) return anew('remembered')
  const read = [...(await readShown(log, view)), ...nextOf(input)]
  const { selected, messages } = withNext(view, read)
  const squeezed = squeeze(input, held, view.squeezed)
  const showWith = (inserts: readonly Insert[]) =>
    showView({ ...squeezed.input, inserts }, squeezed.held, selected, messages)
  const shown = showWith(input.inserts)
  const opened = (message: Message) => message.seq >= state.compactedAt && isSpoken(message)
  const turnsSince = read.filter(opened).length
  const decided = decide({ ...known, view, size: shown.size, turnsSince })
  const waits = await awaitsSummary(input, decided, view.line)
  const decision: Decision = waits
    ? { ...decided, kind: 'go-on', reason: 'summary-pending' }
    : decided
  const stays = decision.kind === 'go-on' || decision.shadow
  const { epoch } = view
  const inForce: Chosen = {
    ...nothingNew,
    shown,
    view: input.view,
    epoch,
    began: null,
    ...(input.view !== null && { showWith }),
  }
  return { decision, inForce, stays, pending: waits ? decided : null }
}

/** Why the view is not there that the request before was made with. */
function lostBy({ prefix }: RequestRecord, { rewrites }: Projecting['log']): RenewCause {
  return prefix.rewrites === rewrites ? 'forgotten' : 'history-changed'
}

/** As long as everything is shown no view is kept; the request before says whether it was. */
function viewOfAll({ last, basis }: Projecting): View | null {
  if (last === null || last.stubbed + last.leftOut > 0) return null
  const { epoch } = last
  return { ...everything, epoch, cause: 'first', basis: basisText(basis) }
}
