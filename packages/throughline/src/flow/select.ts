/**
 * Stage 4 of 8: select. Messages and a budget in, what is shown of them out. Pure.
 *
 * Down to the goal, the oldest first: results of tools, then replies, then whole units
 * from the line on; what users said goes last. The newest messages are not touched for
 * that. Where the request would still be too large for the model, they are too, down to
 * a note in place of each (invariant 6).
 *
 * Nothing is emptied to be safe: a message that would take us below the goal keeps as
 * much as there is room for.
 */
import type { Part } from '../domain/message.ts'
import { addSizes, type Size } from '../domain/size.ts'
import type { Meter } from './measure.ts'
import { type Candidate, type Considered, placesOf, type Selected, Selection } from './selection.ts'
import type { Unit } from './units.ts'

export interface SelectOptions {
  /** What the request holds besides the messages. */
  readonly fixed: Size
  readonly limits: Limits
  readonly keepRecentMessages: number
  readonly stubTokens: number
  readonly stubLeastTokens: number
  readonly meter: Meter
}

interface Limits {
  readonly targetTokens: number
  readonly availableTokens: number
  /** The measure that the hard limit is in. */
  hard(size: Size): number
  /** The most of it. */
  readonly hardTokens: number
}

export function select(considered: Considered, options: SelectOptions): Selected {
  const selection = new Selection(considered, options.fixed, options.meter)
  const tail = tailUnit(selection, options)
  const down: Down = { ...options, tail, ...goals(selection, tail, options) }
  leaveOutHopeless(selection, down)
  shortenOld(selection, down)
  leaveOutOld(selection, down)
  fit(selection, { tail, ...options })
  growBack(selection, options)
  return selection.selected
}

interface Down extends SelectOptions {
  /** The unit with which the tail begins. */
  readonly tail: number
  readonly goalTokens: number
  /** In the measure of the hard limit, where that is nearer. */
  readonly goalHard: number
}

const tailShare = 0.5
const besidesTail = 0.1
const nearlyFull = 0.95
// Where JSON outweighs the text, an epoch must not begin at the edge.
const hardShare = 0.75
// Excerpts end a little short of what they may have.
const aboveTarget = 1.08

/** The newest units with so many messages in them, unless they fill half of the target. */
function tailUnit(selection: Selection, options: SelectOptions): number {
  const { units } = selection
  const room = (options.limits.targetTokens - options.fixed.tokens) * tailShare
  let messages = 0
  let tokens = 0
  for (let index = units.length - 1; index > 0; index -= 1) {
    const unit = units[index]
    if (unit === undefined) break
    messages += unit.to - unit.from
    for (const at of placesOf(unit)) tokens += selection.sizeOf(at).tokens
    const next = units[index - 1]
    const more = next === undefined ? 0 : tokensOf(selection, next)
    if (messages >= options.keepRecentMessages || tokens + more > room) return index
  }
  return 0
}

function tokensOf(
  selection: Selection,
  unit: { readonly from: number; readonly to: number },
): number {
  return placesOf(unit).reduce((sum, at) => sum + selection.sizeOf(at).tokens, 0)
}

/** A large tail does not use up what older messages have to be understood by. */
function goals(
  selection: Selection,
  tail: number,
  { fixed, limits }: SelectOptions,
): Pick<Down, 'goalTokens' | 'goalHard'> {
  const places = selection.units.slice(tail).flatMap(placesOf)
  const held = addSizes([fixed, ...places.map((at) => selection.sizeOf(at))])
  const besides = (limits.availableTokens - fixed.tokens) * besidesTail
  const withTail = Math.min(limits.availableTokens * nearlyFull, held.tokens + besides)
  const hardWithTail = Math.min(
    limits.hardTokens * nearlyFull,
    limits.hard(held) + limits.hardTokens * besidesTail,
  )
  return {
    goalTokens: Math.max(limits.targetTokens * aboveTarget, withTail),
    goalHard: Math.max(limits.hardTokens * hardShare, hardWithTail),
  }
}

/** By how many tokens we are above the goal, in whichever measure that is more. */
function aboveGoal(selection: Selection, at: number | null, down: Down): number {
  const { total } = selection
  const { hard } = down.limits
  const overHard = hard(total) - down.goalHard
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, hard(size))
  return Math.max(total.tokens - down.goalTokens, overHard * tokensPerHard)
}

/** What would have to leave though everything old were short already is not shortened first. */
function leaveOutHopeless(selection: Selection, down: Down): void {
  const { units } = selection
  const least = (unit: Unit) =>
    placesOf(unit).reduce((sum, at) => sum + leastTokens(selection, at, down), 0)
  const old = units.slice(0, down.tail)
  let tokens = selection.total.tokens
  for (const unit of old) tokens -= tokensOf(selection, unit) - least(unit)
  for (const unit of old) {
    tokens -= least(unit)
    if (tokens < down.goalTokens || (unit.opening && unit.running)) return
    selection.leaveOutOldest()
  }
}

function leastTokens(selection: Selection, at: number, { stubTokens }: Down): number {
  const { tokens } = selection.sizeOf(at)
  const message = selection.candidate(at)?.message
  const shortened = message !== undefined && (holdsToolUse(message) || isReply(message))
  return shortened ? Math.min(tokens, stubTokens) : tokens
}

function shortenOld(selection: Selection, down: Down): void {
  const old = placesBefore(selection, down.tail)
  for (const shortened of [holdsToolUse, isReply])
    for (const at of old) {
      if (aboveGoal(selection, null, down) <= 0) return
      const parts = selection.candidate(at)?.message
      if (parts !== undefined && shortened(parts)) shortenTo(selection, at, down)
    }
}

function placesBefore(selection: Selection, tail: number): readonly number[] {
  return selection.units.slice(selection.firstUnit, tail).flatMap(placesOf)
}

type Shown = Pick<Candidate['message'], 'role' | 'parts'>

function holdsToolUse({ parts }: Shown): boolean {
  return parts.some((part: Part) => part.type === 'tool-result' || part.type === 'tool-call')
}

function isReply(message: Shown): boolean {
  return message.role === 'assistant' && !holdsToolUse(message)
}

/** As short as stubs are, or longer where that would take us below the goal. */
function shortenTo(selection: Selection, at: number, down: Down): void {
  const spare = selection.sizeOf(at).tokens - aboveGoal(selection, at, down)
  selection.shorten(at, Math.max(down.stubTokens, spare - noteTokens))
}

const noteTokens = 24

function leaveOutOld(selection: Selection, down: Down): void {
  while (selection.firstUnit < down.tail && aboveGoal(selection, null, down) > 0) {
    const unit = selection.units[selection.firstUnit]
    if (unit === undefined) return
    const task = unit.opening && unit.running
    if (!task && tokensOf(selection, unit) > aboveGoal(selection, unit.from, down)) {
      for (const at of placesOf(unit)) shortenTo(selection, at, down)
      return
    }
    selection.leaveOutOldest()
  }
}

interface Fitting extends SelectOptions {
  readonly tail: number
}

/** From what can be missed most to what can be missed least, until the request fits. */
function fit(selection: Selection, fitting: Fitting): void {
  const { units } = selection
  const last = units.length - 1
  const within = (from: number, to: number) => units.slice(from, to).flatMap(placesOf)
  const newest = () => within(Math.max(last, 0), last + 1)
  const tail = () => within(Math.max(selection.firstUnit, fitting.tail), last)
  const only = (places: readonly number[], shortened: (message: Shown) => boolean) =>
    places.filter((at) =>
      shortened(selection.candidate(at)?.message ?? { role: 'tool', parts: [] }),
    )

  capGiants(selection, [...tail(), ...newest()], fitting)
  leaveOutUntilFit(selection, fitting.tail, fitting)
  shrink(selection, only(tail(), holdsToolUse), fitting)
  shrink(selection, only(tail(), isReply), fitting)
  shrink(selection, largestFirst(selection, only(newest(), holdsToolUse)), fitting)
  shrink(selection, tail(), fitting)
  shrink(selection, largestFirst(selection, newest()), fitting)
  leaveOutUntilFit(selection, last, fitting)
  shrink(selection, selection.kept, fitting)
  if (excess(selection, fitting) > 0) selection.note(last, 0)
  leaveOutUntilFit(selection, last + 1, fitting)
  if (excess(selection, fitting) > 0) selection.forgetKept()
}

/** One message alone does not drive out all the others. */
function capGiants(selection: Selection, places: readonly number[], fitting: Fitting): void {
  const { hard, hardTokens } = fitting.limits
  for (const at of places) {
    if (excess(selection, fitting) <= 0) return
    const size = selection.sizeOf(at)
    const over = hard(size) - hardTokens * giantShare
    if (over > 0) selection.shorten(at, size.tokens * (1 - over / hard(size)) - noteTokens, 1)
  }
}

const giantShare = 0.6

function leaveOutUntilFit(selection: Selection, until: number, fitting: Fitting): void {
  while (selection.firstUnit < until && excess(selection, fitting) > 0) selection.leaveOutOldest()
}

function largestFirst(selection: Selection, places: readonly number[]): readonly number[] {
  return places.toSorted(
    (left, right) => selection.sizeOf(right).wire - selection.sizeOf(left).wire,
  )
}

function excess({ total }: Selection, { limits }: Fitting): number {
  return limits.hard(total) - limits.hardTokens
}

/**
 * What was shortened or left out for something large that then had to be shortened itself
 * has room again: units first, as short as they can be, then longer stubs.
 */
function growBack(selection: Selection, options: SelectOptions): void {
  const { limits, stubTokens } = options
  const goal = limits.targetTokens * aboveTarget
  const fits = (total: Size) => limits.hard(total) <= limits.hardTokens
  while (selection.total.tokens < limits.targetTokens) {
    const undo = selection.takeBack()
    if (undo === null) break
    const places = placesOf(selection.units[selection.firstUnit] ?? { from: 0, to: 0 })
    for (const keep of [stubTokens, 0])
      for (const at of places) if (!fits(selection.total)) selection.shorten(at, keep, 1)
    if (!fits(selection.total)) selection.note(selection.firstUnit, 0)
    if (fits(selection.total)) continue
    undo()
    break
  }
  for (const index of selection.noted) tellMore(selection, index, goal, fits)
  for (const at of selection.stubbed) {
    const spare = goal - selection.total.tokens
    if (spare < noteTokens) return
    const tokens = selection.sizeOf(at).tokens
    for (const share of [1, 0.7, 0.4])
      if (selection.lengthen(at, tokens + spare * share, fits)) break
    // What goes as a whole comes back as a whole.
    if (selection.total.tokens < limits.targetTokens)
      selection.lengthen(at, limits.availableTokens, fits)
  }
}

/** What little was said of a unit is told at more length. */
function tellMore(
  selection: Selection,
  index: number,
  goal: number,
  fits: (total: Size) => boolean,
): void {
  const spare = goal - selection.total.tokens
  for (const share of [1, 0.6, 0.3, 0]) {
    if (spare * share < noteTokens && share > 0) continue
    selection.note(index, spare * share)
    if (fits(selection.total)) return
  }
}

/** Each keeps what there is room for; what JSON adds is not known before it is written. */
function shrink(selection: Selection, places: readonly number[], fitting: Fitting): void {
  for (const at of places) {
    for (const share of [0.95, 0.7, 0.4]) {
      const over = excess(selection, fitting)
      if (over <= 0) return
      const size = selection.sizeOf(at)
      const room = fitting.limits.hard(size) - over - noteTokens
      const keep = (room * share * size.tokens) / Math.max(1, fitting.limits.hard(size))
      if (keep > fitting.stubLeastTokens) selection.shorten(at, keep, 1)
    }
    if (excess(selection, fitting) > 0) selection.shorten(at, fitting.stubLeastTokens, 1)
    if (excess(selection, fitting) > 0) selection.shorten(at, 0, 1)
  }
}
