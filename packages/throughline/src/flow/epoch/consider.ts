/** The newest messages, as far back as could be shown, with what they cost. */
import type { Seq } from '../../domain/ids.ts'
import { isSpoken } from '../../domain/turn.ts'
import { changedBasis } from '../project/basis.ts'
import type { Held, Projecting } from '../project/projecting.ts'
import { pinSizes } from '../project/show-view.ts'
import { nextOf } from '../select/coming-message.ts'
import { lookBack } from '../select/look-back.ts'
import { stubTokensOf } from '../select/select-options.ts'
import type { Considered } from '../select/selection.ts'

/** `times`: how many windows to look back. */
export async function consider(input: Projecting, held: Held, times: number): Promise<Considered> {
  const { log, coveredTo, meter, view } = input
  const stubTokens = stubTokensOf(input.policy.stub, held.plan.countedTokens)
  const { candidates, task } = await lookBack({
    head: log.head,
    coveredTo,
    pins: pinSizes(input, held),
    availableTokens: held.plan.countedTokens * times,
    ...enoughFor(input, held, times),
    stubTokens,
    kept: { openings: view?.keeps ?? [], line: view?.line ?? 0 },
    meter,
    read: (span, except) => log.read(span, except),
    readBack: (from, limit) => log.readBack(from, limit),
  })
  const next = nextOf(input).map((message) => ({
    message,
    size: meter.closeSize(message),
    pinned: null,
  }))
  // What opens a turn ends the one before, and its task.
  const opens = nextOf(input).some(isSpoken)
  // In another history the same place is another message; another tokenizer cuts elsewhere.
  const changed = view === null ? null : changedBasis(view, input.basis)
  const isKnown = changed !== 'history-changed' && changed !== 'window-changed'
  const from = Math.min(task?.message.seq ?? log.head, candidates[0]?.message.seq ?? log.head)
  const digests = await input.past.digests({ from, to: log.head })
  return {
    candidates: [...candidates, ...next],
    task: opens ? null : task,
    coveredTo,
    known: isKnown ? (view?.stubs ?? []) : [],
    digests: new Map(digests.map(({ seq, text }) => [seq, text])),
  }
}

/** The newest messages that a policy keeps are read, however little it aims at. */
function enoughFor({ policy }: Projecting, { plan }: Held, times: number) {
  const { triggerTokens, targetTokens } = plan.budget
  return policy.fill === 'recent'
    ? { triggerTokens: plan.countedTokens, targetTokens: plan.countedTokens }
    : { triggerTokens, targetTokens: targetTokens * times }
}

/** What is told already is not shown; what opened the running turn is. */
export function consideredFrom(considered: Considered, line: Seq): Considered {
  const { candidates, task } = considered
  const left = candidates.filter(({ message }) => message.seq >= line)
  if (left.length === candidates.length) return considered
  const isOpened = left.some(({ message }) => isSpoken(message))
  const opening = candidates.findLast(({ message }) => message.seq < line && isSpoken(message))
  return { ...considered, candidates: left, task: isOpened ? null : (opening ?? task) }
}
