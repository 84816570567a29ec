/**
 * Selects the messages that a view shows within a budget (`fill: 'target'`). Pure.
 *
 * With the trim order `share`, each message gets at most a share of the room, by its kind. With the
 * other orders, the least valuable messages are shortened first. Then the oldest units are left out.
 * The tail shrinks only if that is not enough, and only the smallest tail is shortened further, down
 * to a note for each message (invariant 6). If possible, the line is between two turns.
 */
import { defaults } from '../../defaults-data.ts'
import type { Size } from '../../domain/context.ts'
import type { MessageClass } from '../../domain/policy.ts'
import { hasReminder } from '../../domain/reminders.ts'
import type { RankedMessages } from '../classify/classify.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { capOversized, replaceBlock, shortenToLimit, tiled } from './fit-limit.ts'
import {
  noteTokens,
  type SelectionGoal,
  type SelectOptions,
  type StartedSelection,
  sameSize,
  targetTolerance,
  taskTokensWithin,
} from './select-options.ts'
import { Selection } from './selection.ts'
import { initialTailStart, showWholeTurns, smallestTailStart } from './tail.ts'
import { indexesOf, type Unit } from './units.ts'

export function select(loaded: Candidates, options: SelectOptions): SelectedMessages {
  return selectBeside(loaded, options).finish()
}

/** Reads from top to bottom: sizes are planned, then the stubs are made, then they use what is left. */
export function selectBeside(loaded: Candidates, options: SelectOptions): StartedSelection {
  const { fixed, meter, ranked, quotes } = options
  // By another order, what one stub saves decides whether the next message is shortened too.
  const plansStubs = ranked.order.isByShare
  const selection = new Selection(loaded, fixed, meter, {
    tracked: ranked.tracked,
    plansStubs,
    quotes,
  })
  foldReminders(selection, loaded)
  const goal = goalFor(selection, options)
  if (tokensAboveGoal(selection, null, goal) > 0) {
    capTask(selection, options)
    capOversized(selection, goal)
    if (ranked.order.isByShare) capByKind(selection, goal)
    else shortenOld(selection, goal)
    leaveOutOld(selection, goal)
  }
  shortenToLimit(selection, goal)
  restoreUnits(selection, goal)
  showWholeTurns(selection, goal)
  selection.makeStubs()
  // Stubs may be larger than planned.
  shortenToLimit(selection, goal)
  return {
    selected: selection.selected,
    quoted: selection.quoted,
    finish: (block = sameSize) => {
      if (plansStubs) replaceBlock(selection, block)
      lengthenStubs(selection, options)
      if (!plansStubs) replaceBlock(selection, block)
      return tiled(loaded, selection, fixed, block)
    },
  }
}

/**
 * The most that one message may have of the room for messages. Lines of files and the user's words
 * are needed word for word, and the newest result was just asked for; other output is read once.
 */
export const maxShares = { newest: 0.7, file: 0.5, user: 0.35, reply: 0.25, output: 0.02 }
/** Of the available tokens: a request whose newest result is large. */
const maxShareWithNewest = 0.55
// A stub that is hardly shorter than its message is not worth a note.
const capTolerance = 1.2

function capByKind(selection: Selection, goal: SelectionGoal): void {
  const { ranked, limits, fixed, stubTokens } = goal
  const room = Math.max(0, limits.targetTokens - fixed.tokens)
  const [previous, newest] = [selection.units.at(-2), selection.units.at(-1)]
  const newestFrom = newest?.from ?? 0
  // Talk of the tail stays whole, and a new user message mostly answers the reply before it.
  const talkFrom = Math.min(
    selection.units[goal.tailStart]?.from ?? newestFrom,
    newest?.opensTurn === true ? (previous?.from ?? newestFrom) : newestFrom,
  )
  // The model has just asked for the newest result: it may exceed the target.
  const newestTokens = Math.max(
    room * maxShares.newest,
    limits.availableTokens * maxShareWithNewest - fixed.tokens - taskTokens(selection, ranked),
  )
  const maxTokensOf = (at: number) => {
    const { toolUse = false, paths = [] } = ranked.classified[at] ?? {}
    if (at >= newestFrom || (at >= talkFrom && !toolUse)) return newestTokens
    if (toolUse) return room * (paths.length > 0 ? maxShares.file : maxShares.output)
    const isUser = selection.candidate(at)?.message.role === 'user'
    return room * (isUser ? maxShares.user : maxShares.reply)
  }
  for (const at of selection.units.flatMap(indexesOf)) {
    const { class: kind, toolUse = false } = ranked.classified[at] ?? {}
    const { tokens } = selection.sizeOf(at)
    if (kind === undefined || uncapped.has(kind) || ranked.order.isSmall(at, tokens)) continue
    const minTokens = toolUse ? stubTokens : minTalkTokens
    const maxTokens = Math.max(minTokens, maxTokensOf(at))
    if (tokens > maxTokens * capTolerance) selection.shorten(at, maxTokens)
  }
}

const uncapped: ReadonlySet<MessageClass> = new Set(['task', 'instructions', 'system'])

/** A paragraph of talk always stays whole. */
const minTalkTokens = 128

/** Clients repeat their reminders in many messages; the newest one is enough. */
function foldReminders(selection: Selection, { candidates }: Candidates): void {
  const reminded = candidates.flatMap(({ message }, at) => (hasReminder(message) ? [at] : []))
  for (const at of reminded.slice(0, -1)) selection.foldReminders(at)
}

/**
 * Cuts a task that fills most of the target, such as a pasted plan. One that was just typed is cut only
 * if it fills most of the request.
 */
function capTask(selection: Selection, options: SelectOptions): void {
  const { limits, ranked } = options
  const at = taskIndex(selection, ranked)
  const { tokens } = selection.sizeOf(at)
  const isAtWork = selection.kept.length > 0 || at < (selection.units.at(-1)?.from ?? 0)
  const maxTokens =
    isAtWork && ranked.order.isByShare
      ? Math.max(minTalkTokens, taskTokensWithin(tokens, contentTokens(options)))
      : (limits.triggerTokens ?? limits.availableTokens) * maxShareOfWindow
  if (tokens > maxTokens) selection.shorten(at, maxTokens)
}

/** The target without what is always shown. */
function contentTokens({ limits, fixed, historyTokens = 0 }: SelectOptions): number {
  return Math.max(0, limits.targetTokens - fixed.tokens + historyTokens)
}

/** No message gets more of the request. */
const maxShareOfWindow = 0.7

function taskIndex({ kept }: Selection, { classified }: RankedMessages): number {
  return kept[0] ?? classified.findLastIndex((each) => each.class === 'task')
}

/** 0 if the task is in the newest unit. */
function taskTokens(selection: Selection, ranked: RankedMessages): number {
  const at = taskIndex(selection, ranked)
  const newestFrom = selection.units.at(-1)?.from ?? 0
  return at >= newestFrom && selection.kept.length === 0 ? 0 : selection.sizeOf(at).tokens
}

const maxTailShare = 0.5
const shareBesideNewest = 0.25
// With much JSON overhead the limit is near; an epoch must not start right at it.
const limitShare = 0.75

/** The target, and the tail that the policy asks for, up to half of the target. */
function goalFor(selection: Selection, options: SelectOptions): SelectionGoal {
  const { limits, fixed, keepRecent } = options
  const room = contentTokens(options)
  const newest = selection.units.at(-1)
  const newestTokens = Math.min(
    limits.availableTokens * maxShareOfWindow - fixed.tokens,
    newest === undefined ? 0 : selection.tokensOf(newest),
  )
  // A large newest result leaves some room for the messages before it.
  const goalTokens = Math.max(
    limits.targetTokens * targetTolerance,
    fixed.tokens + newestTokens + (limits.targetTokens - fixed.tokens) * shareBesideNewest,
  )
  return {
    ...options,
    tailStart: initialTailStart(selection, keepRecent, room * maxTailShare),
    goalTokens,
    goalLimitTokens: Math.max(
      limits.limitTokens * limitShare,
      Math.min(limits.limitTokens, goalTokens),
    ),
  }
}

/**
 * How many tokens the selection is above the goal; the larger value of the two measures. Tokens
 * against the limit are converted at the ratio of one message (`at`), or of all.
 */
function tokensAboveGoal(selection: Selection, at: number | null, goal: SelectionGoal): number {
  const { total } = selection
  const { tokensAgainstLimit } = goal.limits
  const aboveLimit = tokensAgainstLimit(total) - goal.goalLimitTokens
  const size = at === null ? total : selection.sizeOf(at)
  const ratio = size.tokens / Math.max(1, tokensAgainstLimit(size))
  return Math.max(total.tokens - goal.goalTokens, aboveLimit * ratio)
}

/** The opening of the current turn. */
function isTask({ opensTurn, inCurrentTurn }: Unit): boolean {
  return opensTurn && inCurrentTurn
}

function mayShorten(selection: Selection, at: number, { ranked }: SelectionGoal): boolean {
  return ranked.order.mayShorten(at, selection.candidate(at)?.size.tokens ?? 0)
}

function shortenOld(selection: Selection, goal: SelectionGoal): void {
  const old = selection.units.slice(selection.firstUnit, goal.tailStart).flatMap(indexesOf)
  const shortenable = old.filter((at) => mayShorten(selection, at, goal))
  for (const at of goal.ranked.order.sort(shortenable)) {
    if (tokensAboveGoal(selection, null, goal) <= 0) return
    shortenTowardsGoal(selection, at, goal)
  }
}

/** Shortens to the usual stub size, or to a larger one if that reaches the goal. */
function shortenTowardsGoal(selection: Selection, at: number, goal: SelectionGoal): void {
  // A smaller saving would make no stub, and a whole unit would be left out instead.
  const aboveGoal = tokensAboveGoal(selection, at, goal)
  const savedTokens = Math.max(aboveGoal, defaults.stubLeastSavingTokens)
  const keepTokens = selection.sizeOf(at).tokens - savedTokens - frameTokens
  selection.shorten(at, Math.max(goal.stubTokens, keepTokens))
}

// For the frame of a message and its note. If they need less, `lengthenStubs` uses the rest.
const frameTokens = 40

/** Leaves out the oldest units, also of the tail, but not the newest messages. */
function leaveOutOld(selection: Selection, goal: SelectionGoal): void {
  const end = smallestTailStart(selection.units)
  while (selection.firstUnit < end && tokensAboveGoal(selection, null, goal) > 0) {
    const unit = selection.units[selection.firstUnit]
    if (unit === undefined) return
    const savesTooMuch = selection.tokensOf(unit) > tokensAboveGoal(selection, unit.from, goal)
    if (!isTask(unit) && savesTooMuch && !fitsHistoryBlock(selection, unit, goal)) {
      for (const at of indexesOf(unit)) shortenTowardsGoal(selection, at, goal)
      return
    }
    selection.leaveOutOldest()
  }
}

/** User messages that the history block can quote whole are left out instead of cut. */
function fitsHistoryBlock(selection: Selection, unit: Unit, { userTextTokens = 0 }: SelectionGoal) {
  const isUserText = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isUserText && selection.tokensOf(unit) <= userTextTokens * maxQuoteShare
}

const maxQuoteShare = 0.25

/** Shows units again that were left out for a large message which was shortened afterwards. */
function restoreUnits(selection: Selection, options: SelectionGoal): void {
  const { limits, stubTokens, tailStart } = options
  const fits = refillCheck(options)
  while (selection.total.tokens < limits.targetTokens) {
    const undo = selection.restoreUnit()
    if (undo === null) break
    const indexes = indexesOf(selection.units[selection.firstUnit])
    // A note alone says less of an old unit than the history block does if the unit is left out.
    const mayBeNote = selection.firstUnit >= tailStart
    for (const keepTokens of mayBeNote ? [stubTokens, 0] : [stubTokens])
      for (const at of indexes) if (!fits(selection.total)) selection.shorten(at, keepTokens, 1)
    if (mayBeNote && !fits(selection.total)) selection.collapseUnit(selection.firstUnit, 0)
    if (fits(selection.total)) continue
    undo()
    break
  }
}

function lengthenStubs(selection: Selection, options: SelectOptions): void {
  const { limits } = options
  const goalTokens = limits.targetTokens * targetTolerance
  const fits = refillCheck(options)
  for (const unitIndex of selection.collapsedUnits)
    growCollapsed(selection, unitIndex, goalTokens, fits)
  for (const at of selection.stubbed) {
    const spareTokens = goalTokens - selection.total.tokens
    if (spareTokens < noteTokens) return
    const { tokens } = selection.sizeOf(at)
    for (const share of [1, 0.7, 0.4])
      if (selection.lengthen(at, tokens + spareTokens * share, fits)) break
    // If the target is still not reached, show the whole message again.
    if (selection.total.tokens < limits.targetTokens)
      selection.lengthen(at, limits.availableTokens, fits)
  }
}

function refillCheck({ limits }: SelectOptions): (total: Size) => boolean {
  const maxTokens = limits.refillTokens ?? limits.limitTokens
  return (total) => limits.tokensAgainstLimit(total) <= maxTokens
}

function growCollapsed(
  selection: Selection,
  unitIndex: number,
  goalTokens: number,
  fits: (total: Size) => boolean,
): void {
  const spareTokens = goalTokens - selection.total.tokens
  for (const share of [1, 0.6, 0.3, 0]) {
    if (spareTokens * share < noteTokens && share > 0) continue
    selection.collapseUnit(unitIndex, spareTokens * share)
    if (fits(selection.total)) return
  }
}
