/** Finds the tail: the newest units, which are shortened last. */
import type { KeepRecent } from '../../domain/policy.ts'
import type { SelectionGoal } from './select-options.ts'
import type { Selection } from './selection.ts'
import { indexesOf, type Unit } from './units.ts'

/** A question and its answer. */
const minTailMessages = 2

/** The index of the first unit of the tail that the policy asks for, as far as there is room. */
export function initialTailStart(
  selection: Selection,
  keepRecent: KeepRecent,
  /** The limit for the tail; the minimum number of messages ignores it. */
  roomTokens: number,
): number {
  const { units } = selection
  const maxTokens = 'tokens' in keepRecent ? Math.min(keepRecent.tokens, roomTokens) : roomTokens
  // `present` counts without removed messages; an exchange is a turn with an answer.
  let [messages, present, tokens, turns, exchanges] = [0, 0, 0, 0, 0]
  let isAnswered = false
  for (let index = units.length - 1; index > 0; index -= 1) {
    const [unit, older] = [units[index], units[index - 1]]
    if (unit === undefined || older === undefined) break
    messages += unit.to - unit.from
    present += selection.messagesIn(unit)
    tokens += selection.tokensOf(unit)
    isAnswered ||= hasAnswer(selection, unit)
    if (older.turn !== unit.turn) {
      turns += 1
      exchanges += isAnswered ? 1 : 0
      isAnswered = false
    }
    const isFull = tokens + selection.tokensOf(older) > maxTokens
    const isComplete = isFull || isEnough(keepRecent, { messages, turns, exchanges })
    if (present >= minTailMessages && isComplete) return index
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

/** The first unit of the smallest tail: the newest unit, and the one before if it has one message. */
export function smallestTailStart(units: readonly Unit[]): number {
  const end = units.at(-1)?.to ?? 0
  return Math.max(
    0,
    units.findLastIndex(({ from }) => end - from >= minTailMessages),
  )
}

/** The first unit of a tail with half the messages; null if the tail already has the minimum. */
export function halvedTailStart(units: readonly Unit[], tailStart: number): number | null {
  const end = units.at(-1)?.to ?? 0
  const messages = end - (units[tailStart]?.from ?? end)
  for (let wanted = messages; wanted > minTailMessages; ) {
    wanted = Math.max(minTailMessages, Math.floor(wanted / 2))
    const index = units.findLastIndex(({ from }) => end - from >= wanted)
    if (index > tailStart) return index
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
  const shownPart = selection.units.slice(selection.firstUnit, cut.to)
  const tokens = shownPart.reduce((sum, unit) => sum + selection.tokensOf(unit), 0)
  const fillsTarget = selection.total.tokens - tokens >= goal.limits.targetTokens
  if (cut.to <= goal.tailStart && fillsTarget) {
    while (selection.firstUnit < cut.to) selection.leaveOutOldest()
    return
  }
  // The history block quotes it whole if it is not kept, so it is kept whole or not at all.
  const isQuoted = (goal.userTextTokens ?? 0) > 0
  const keepTokens = isQuoted ? Number.POSITIVE_INFINITY : goal.stubTokens
  const undo = selection.keepOpening(cut.opening, keepTokens)
  if (!isWithinGoal(selection, goal)) undo()
}

/** The turn before the current one that begins before the line and ends after it. */
function cutTurn({ units, firstUnit }: Selection) {
  const opening = openingOfCutTurn(units, firstUnit)
  const turn = units[firstUnit]?.turn ?? 0
  const to = units.findIndex((unit) => unit.turn > turn)
  return opening === null || to === -1 ? null : { opening, to }
}

/** If units from `start` on begin within an earlier turn: the index of the unit that opens it. */
export function openingOfCutTurn(units: readonly Unit[], start: number): number | null {
  const first = units[start]
  if (first === undefined || first.opensTurn || first.inCurrentTurn) return null
  const opening = units.findLastIndex(
    ({ opensTurn, turn }, index) => index < start && opensTurn && turn === first.turn,
  )
  return opening === -1 ? null : opening
}

/** Shows all units from the opening on; changes nothing and returns false if they do not fit. */
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
function isWithinGoal({ total }: Selection, goal: SelectionGoal): boolean {
  const { limits, goalTokens, goalLimitTokens } = goal
  const maxTokens = goalTokens + limits.availableTokens * wholeTurnTolerance
  const maxLimitTokens = Math.min(
    goalLimitTokens + limits.limitTokens * wholeTurnTolerance,
    limits.limitTokens,
  )
  return total.tokens <= maxTokens && limits.tokensAgainstLimit(total) <= maxLimitTokens
}

const wholeTurnTolerance = 0.03
