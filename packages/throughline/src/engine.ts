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
import type { RenewCause } from './domain/epoch-cause.ts'
import type { Message } from './domain/message.ts'
import type { Compacted } from './domain/receipt.ts'
import { isSpoken } from './domain/turn.ts'
import type { View } from './domain/view.ts'
import { basisText, changedBasis } from './flow/basis.ts'
import { beginEpoch } from './flow/begin-epoch.ts'
import { nextOf, withNext } from './flow/coming-message.ts'
import { contextOf } from './flow/context-of.ts'
import { decide, decideAnew, neverCompacted } from './flow/decide.ts'
import type { Described } from './flow/describe-context.ts'
import { showView, squeeze } from './flow/fit-selection.ts'
import { measureProtected, measureSupplied } from './flow/measure-held.ts'
import { planBudget } from './flow/plan-budget.ts'
import type { Chosen, Held, NotedFacts, Projecting } from './flow/projecting.ts'
import { compactedBy } from './flow/receipt.ts'
import { readShown } from './flow/show.ts'
import type { WrittenSummary } from './flow/summary-writer.ts'

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
}

export async function project(input: Projecting): Promise<Projection> {
  const held = await measure(input)
  const { decision, standing, stays } = await decideOn(input, held)
  const chosen =
    standing !== null && stays ? standing : await beginEpoch(input, held, decision, standing)
  const described = await contextOf(input, held, chosen, decision)
  const compacted = compactedBy(input, chosen, described)
  const { view, facts, written, overtaken } = chosen
  return { ...described, view, facts, compacted, written, overtaken }
}

async function measure({ log, request, meter, policy, calibration }: Projecting): Promise<Held> {
  const pages = await Promise.all(log.pins.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  const pinned = pages.flat()
  const sizes = measureProtected(request, pinned, meter)
  const plan = planBudget(meter, policy, sizes, calibration, request.replyTokens)
  const supplied = measureSupplied(request, plan.freeTokens, policy, meter)
  return { sizes, plan, pinned, supplied }
}

interface DecidedOn {
  readonly decision: Decision
  /** The view that stands, shown; null where there is none. */
  readonly standing: Chosen | null
  readonly stays: boolean
}

async function decideOn(input: Projecting, held: Held): Promise<DecidedOn> {
  const { log, policy, mode, asked, last } = input
  const view = input.view ?? viewOfAll(input)
  const state = last?.triggers ?? neverCompacted
  const known = { policy, mode, asked, plan: held.plan, head: log.head, state }
  const anew = (cause: RenewCause): DecidedOn => ({
    decision: decideAnew(known, cause),
    standing: null,
    stays: false,
  })
  if (view === null) return anew(last === null ? 'first' : 'forgotten')
  const changed = input.view === null ? null : changedBasis(view, input.basis)
  if (changed !== null) return anew(changed)
  const read = [...(await readShown(log, view)), ...nextOf(input)]
  const { selected, messages } = withNext(view, read)
  const squeezed = squeeze(input, held, view.squeezed)
  const shown = showView(squeezed.input, squeezed.held, selected, messages)
  const opened = (message: Message) => message.seq >= state.compactedAt && isSpoken(message)
  const turnsSince = read.filter(opened).length
  const decision = decide({ ...known, view, size: shown.size, turnsSince })
  const stays = decision.kind === 'go-on' || decision.shadow
  const standing = {
    shown,
    view: input.view,
    epoch: view.epoch,
    began: null,
    facts: null,
    written: null,
    overtaken: false,
  }
  return { decision, standing, stays }
}

/** As long as everything is shown no view is kept; the request before says whether it was. */
function viewOfAll({ last, basis }: Projecting): View | null {
  if (last === null || last.stubbed + last.leftOut > 0) return null
  const { epoch } = last
  const everything = {
    line: 0,
    keeps: [],
    stubs: [],
    past: null,
    next: null,
    squeezed: null,
    beganTokens: 0,
  } as const
  return { ...everything, epoch, cause: 'first', basis: basisText(basis) }
}
