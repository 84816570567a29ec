/** Finds the tail: the newest units, which are shortened last. */
import type { KeepRecent } from '../../domain/policy.ts'
import type { SelectionGoal } from './select-options.ts'
import { indexesOf, type Selection, type Unit } from './selection.ts'

/** A question and its answer. */
const minTailMessages = 2

/** The index of the first tail unit: the tail that the policy asks for, if it has room. */
export function initialTail(
  selection: Selection,
  keepRecent: KeepRecent,
  /** The limit for the tail; the minimum number of messages ignores it. */
  roomTokens: number,
): number {
  const { units } = selection
  const most = 'tokens' in keepRecent ? Math.min(keepRecent.tokens, roomTokens) : roomTokens
  let [messages, present, tokens, turns, exchanges] = [0, 0, 0, 0, 0]
  let answered = false
  for (let index = units.length - 1; index > 0; index -= 1) {
    const [unit, older] = [units[index], units[index - 1]]
    if (unit === undefined || older === undefined) break
    messages += unit.to - unit.from
    present += selection.messagesIn(unit)
    tokens += selection.tokensOf(unit)
    answered ||= hasAnswer(selection, unit)
    if (older.turn !== unit.turn) {
      turns += 1
      exchanges += answered ? 1 : 0
      answered = false
    }
    const full = tokens + selection.tokensOf(older) > most
    const enough = full || isEnough(keepRecent, { messages, turns, exchanges })
    if (present >= minTailMessages && enough) return index
  }
  return 0
}

function isEnough(
  keepRecent: KeepRecent,
  counted: Readonly<Record<'messages' | 'turns' | 'exchanges', number>>,
): boolean {
  if ('messages' in keepRecent) return counted.messages >= keepRecent.messages
  if ('turns' in keepRecent) return counted.turns >= keepRecent.turns
  return 'exchanges' in keepRecent && counted.exchanges >= keepRecent.exchanges
}

/** The first unit of a tail with half the messages; null if it already has the minimum. */
export function halvedTail(units: readonly Unit[], tail: number): number | null {
  const last = units.at(-1)?.to ?? 0
  const messages = last - (units[tail]?.from ?? last)
  for (let wanted = messages; wanted > minTailMessages; ) {
    wanted = Math.max(minTailMessages, Math.floor(wanted / 2))
    const index = units.findLastIndex(({ from }) => last - from >= wanted)
    if (index > tail) return index
  }
  return null
}

function hasAnswer(selection: Selection, unit: Unit): boolean {
  return indexesOf(unit).some((at) => {
    const message = selection.candidate(at)?.message
    return message?.role === 'assistant' && message.parts.some(({ type }) => type === 'text')
  })
}

/**
 * Half a turn is an answer without its question. A turn that the line cuts is shown whole if it
 * fits, or left out if enough remains; otherwise its opening is kept.
 */
export function showWholeTurns(selection: Selection, goal: SelectionGoal): void {
  const cut = cutTurn(selection)
  if (cut === null || restoreTo(selection, cut.opening, goal)) return
  const leaving = selection.units.slice(selection.firstUnit, cut.to)
  const tokens = leaving.reduce((sum, unit) => sum + selection.tokensOf(unit), 0)
  const fillsTarget = selection.total.tokens - tokens >= goal.limits.targetTokens
  if (cut.to <= goal.tail && fillsTarget) {
    while (selection.firstUnit < cut.to) selection.leaveOutOldest()
    return
  }
  const undo = selection.keepOpening(cut.opening, goal.stubTokens)
  if (!isWithinGoal(selection, goal)) undo()
}

function cutTurn({ units, firstUnit }: Selection) {
  const first = units[firstUnit]
  if (first === undefined) return null
  const opening = units.findLastIndex(
    ({ opensTurn, turn }, index) => index < firstUnit && opensTurn && turn === first.turn,
  )
  const to = units.findIndex(({ turn }) => turn > first.turn)
  return opening === -1 || to === -1 ? null : { opening, to }
}

function restoreTo(selection: Selection, opening: number, goal: SelectionGoal): boolean {
  const undos: (() => void)[] = []
  while (selection.firstUnit > opening && isWithinGoal(selection, goal)) {
    const undo = selection.restoreUnit()
    if (undo === null) break
    undos.push(undo)
  }
  if (selection.firstUnit === opening && isWithinGoal(selection, goal)) return true
  for (const undo of undos.reverse()) undo()
  return false
}

/** A whole turn is worth going slightly above the goal. */
function isWithinGoal(
  { total }: Selection,
  { limits, goalTokens, goalLimitTokens }: SelectionGoal,
): boolean {
  const tokens = goalTokens + limits.availableTokens * wholeTurnTolerance
  const limitTokens = Math.min(
    goalLimitTokens + limits.limitTokens * wholeTurnTolerance,
    limits.limitTokens,
  )
  return total.tokens <= tokens && limits.tokensAgainstLimit(total) <= limitTokens
}

const wholeTurnTolerance = 0.03
