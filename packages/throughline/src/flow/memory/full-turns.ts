/**
 * Which turns are shown in full, and which lines of the history beside them: together they tell
 * every turn once. That is not a matter of course, since the history is of the rules that were in
 * force when it was made, and they may have changed. Pure.
 */
import { byRules, type HistoryLine, type TurnRecord } from '../../domain/turn-record.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'

type Limits = Pick<TurnRules, 'fullTurns'>
type Newest = Pick<TurnRecord, 'turn' | 'knows'>

/** The first of them. */
export function fullFrom({ turn, knows }: Newest, { fullTurns }: Limits): number {
  const wanted = Math.max(1, turn + 1 - fullTurns)
  // What no line tells yet has nothing else that tells it.
  const toldTo = knows.history.at(-1)?.to ?? 1
  if (toldTo <= wanted) return toldTo
  // A line that tells several turns is not taken apart: those behind it are shown.
  const across = knows.history.find(({ from, to }) => from < wanted && wanted < to)
  return across?.to ?? wanted
}

/** Of a history that was never made there may be thousands. */
export function mostFullTurns({ fullTurns }: Limits): number {
  return Math.max(fullTurns, mostRead)
}

const mostRead = 50

/** Up to the first turn that is shown; `from` is what `fullFrom` says. */
export function historyBefore(
  { history }: TurnRecord['knows'],
  from: number,
  shownFrom: number,
): readonly HistoryLine[] {
  const lines = history.filter(({ to }) => to <= from)
  if (shownFrom <= from) return lines
  return [...lines, { from, to: shownFrom, text: 'Not told in short yet.', by: byRules }]
}
