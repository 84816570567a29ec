/**
 * A selection in progress: whole messages, stubs, the first shown unit, and the total size. Messages
 * are named by their index among the candidates (`at`), units by their index in `units`.
 *
 * A stub is planned first, with the size that it will have, about; `makeStubs` makes those that are
 * shown. Where the size of one decides about the next, `plansStubs` is false, and each is made at once.
 */
import { defaults } from '../../defaults-data.ts'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FileReference } from '../../domain/ledger.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import type { TrackedFiles } from '../classify/track-files.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidate, Candidates, SelectedMessages } from '../project/records.ts'
import { unitMade } from '../stub/giants.ts'
import { madeAs, plannedStubSize, stubMessage, stubUnit } from '../stub/stub.ts'
import type { Quotes } from './select-options.ts'
import { indexesOf, type Unit, unitsOf } from './units.ts'

interface SelectionOptions {
  readonly tracked?: TrackedFiles | null
  readonly plansStubs?: boolean
  readonly quotes?: Quotes | undefined
}

const noQuotes: Quotes = { olderTokens: 0, maxTokens: 0 }

interface Shortened {
  readonly keepTokens: number
  readonly size: Size
  /** Null while it is planned. */
  readonly stub: StubbedMessage | null
}

export class Selection {
  readonly units: readonly Unit[]
  readonly #candidates: readonly Candidate[]
  /** How many candidates are consecutive; the task is stored after them. */
  readonly #count: number
  readonly #coveredTo: Seq
  readonly #meter: Meter
  readonly #tracked: TrackedFiles | null
  readonly #currentTurnFrom: number
  readonly #earlierStubs: ReadonlyMap<Seq, StubbedMessage>
  readonly #digests: ReadonlyMap<Seq, string>
  readonly #shortened = new Map<number, Shortened>()
  readonly #kept = new Set<number>()
  readonly #quotes: Quotes
  #plansStubs: boolean
  #inWork: readonly string[] | null = null
  #firstUnit = 0
  #total: Size

  /** `fixed`: the size of everything in the request except messages. */
  constructor(
    { candidates, task, coveredTo = 0, earlierStubs, digests = new Map() }: Candidates,
    fixed: Size,
    meter: Meter,
    { tracked = null, plansStubs = false, quotes = noQuotes }: SelectionOptions = {},
  ) {
    this.#tracked = tracked
    this.#quotes = quotes
    this.#plansStubs = plansStubs
    this.#digests = digests
    this.#earlierStubs = new Map(earlierStubs.map((stub) => [stub.seq, stub]))
    this.#candidates = task === null ? candidates : [...candidates, task]
    this.#count = candidates.length
    this.#coveredTo = coveredTo
    this.#meter = meter
    this.units = unitsOf(candidates.map(({ message }) => message))
    if (task !== null) this.#kept.add(this.#count)
    this.#currentTurnFrom = this.units.find(({ inCurrentTurn }) => inCurrentTurn)?.from ?? 0
    const sizes = this.#candidates.map(({ size }) => size)
    this.#total = addSizes([fixed, ...sizes, this.quotedFrom(0)])
  }

  get total(): Size {
    return this.#total
  }

  get firstUnit(): number {
    return this.#firstUnit
  }

  sizeOf(at: number): Size {
    const candidate = this.#candidates[at]
    if (candidate === undefined) return noSize
    if (!this.#isShown(at)) return candidate.pinSize ?? noSize
    return this.#shortened.get(at)?.size ?? candidate.size
  }

  tokensOf(unit: Pick<Unit, 'from' | 'to'>): number {
    return indexesOf(unit).reduce((sum, at) => sum + this.sizeOf(at).tokens, 0)
  }

  /** The size of all messages from a unit on, and of everything that is not a message. */
  sizeFrom(unitIndex: number, fixed: Size): Size {
    const shown = this.#sizeOfAll(this.units.slice(unitIndex).flatMap(indexesOf))
    return addSizes([fixed, shown, this.quotedFrom(unitIndex)])
  }

  /** The history block's quotes of what is left out now. */
  get quoted(): Size {
    return this.quotedFrom(this.#firstUnit)
  }

  /** The same if all units before this one are left out. */
  quotedFrom(unitIndex: number): Size {
    const { olderTokens, maxTokens } = this.#quotes
    if (maxTokens === 0) return noSize
    const end = this.units[unitIndex]?.from ?? this.#count
    let tokens = olderTokens
    for (let at = 0; at < end && tokens < maxTokens; at += 1) {
      const { message, size } = this.#candidates[at] ?? {}
      if (message !== undefined && isSpoken(message) && !this.#kept.has(at))
        tokens += size?.tokens ?? 0
    }
    const quoted = Math.ceil(Math.min(tokens, maxTokens))
    return { tokens: quoted, wire: quoted }
  }

  /** Counts without removed messages, which have only a position. */
  messagesIn(unit: Unit): number {
    return this.#present(unit).length
  }

  #present(unit: Unit): readonly number[] {
    return indexesOf(unit).filter((at) => !isRemoved(this.#candidates[at]?.message ?? {}))
  }

  candidate(at: number): Candidate | undefined {
    return this.#candidates[at]
  }

  /** Replaces a message by a stub of about `keepTokens`, if that saves enough. */
  shorten(
    at: number,
    keepTokens: number,
    minSavedTokens: number = defaults.stubLeastSavingTokens,
  ): void {
    const candidate = this.#candidates[at]
    if (candidate === undefined || candidate.pinSize !== null || !this.#isShown(at)) return
    const before = this.sizeOf(at)
    const shortened = this.#shorten(at, candidate, keepTokens)
    if (before.tokens - shortened.size.tokens < minSavedTokens) return
    this.#shortened.set(at, shortened)
    this.replace(before, shortened.size)
  }

  /** Removes the reminders of a client from a message, if that saves enough. */
  foldReminders(at: number): void {
    const [plansStubs, { tokens }] = [this.#plansStubs, this.sizeOf(at)]
    // How much that saves is known only afterwards.
    this.#plansStubs = false
    this.shorten(at, tokens)
    this.#plansStubs = plansStubs
  }

  /** Makes the planned stubs that are shown; from here on, each is made at once. */
  makeStubs(): void {
    this.#plansStubs = false
    for (const [at, { keepTokens, size, stub }] of this.#shortened) {
      const candidate = this.#candidates[at]
      if (candidate === undefined || stub !== null || !this.#isShown(at)) continue
      const made = this.#shorten(at, candidate, keepTokens)
      const isShorter = made.size.tokens < candidate.size.tokens
      if (isShorter) this.#shortened.set(at, made)
      else this.#shortened.delete(at)
      this.replace(size, isShorter ? made.size : candidate.size)
    }
  }

  /** Shows messages above a size as their digests, although they may fit. */
  showDigests(fromTokens: number, keepTokens: number): void {
    for (const [at, { message, size }] of this.#candidates.entries())
      if (size.tokens > fromTokens && this.#digests.has(message.seq))
        this.shorten(at, keepTokens, 1)
  }

  /** Shows a unit as one text of about `keepTokens`. */
  collapseUnit(unitIndex: number, keepTokens: number): void {
    const unit = this.units[unitIndex]
    if (unit === undefined || unitIndex < this.#firstUnit) return
    const indexes = this.#present(unit).filter((at) => this.#candidates[at]?.pinSize === null)
    const messages = indexes.flatMap((at) => this.#candidates[at]?.message ?? [])
    const stubs = stubUnit(messages, keepTokens, this.#meter)
    for (const [index, at] of indexes.entries()) {
      const stub = stubs[index]
      if (stub === undefined) continue
      this.replace(this.sizeOf(at), stub.size)
      this.#shortened.set(at, { keepTokens, size: stub.size, stub })
    }
  }

  /** Lets a stub grow up to `maxTokens`; returns whether it grew. */
  lengthen(at: number, maxTokens: number, fits: (total: Size) => boolean): boolean {
    const candidate = this.#candidates[at]
    const before = this.#shortened.get(at)
    if (candidate === undefined || before === undefined || !this.#isShown(at)) return false
    if (before.stub?.made === unitMade) return false
    const total = this.#total
    const longer =
      candidate.size.tokens <= maxTokens ? null : this.#shorten(at, candidate, maxTokens)
    // With its note, a stub may be longer than the whole message, which is then shown.
    const isShorter = longer !== null && longer.size.tokens < candidate.size.tokens
    const grown = isShorter ? longer : null
    const size = grown?.size ?? candidate.size
    this.replace(before.size, size)
    if (size.tokens <= before.size.tokens || !fits(this.#total)) {
      this.#total = total
      return false
    }
    if (grown === null) this.#shortened.delete(at)
    else this.#shortened.set(at, grown)
    return true
  }

  /** Units that are shown as one text, newest first. */
  get collapsedUnits(): readonly number[] {
    return this.units
      .map(({ from }, index) => (this.#shortened.get(from)?.stub?.made === unitMade ? index : -1))
      .filter((index) => index >= this.#firstUnit)
      .reverse()
  }

  /** Indexes of shown stubs, newest first. */
  get stubbed(): readonly number[] {
    return [...this.#shortened.keys()].filter((at) => this.#isShown(at)).sort((a, b) => b - a)
  }

  #shorten(at: number, candidate: Candidate, keepTokens: number): Shortened {
    const { message } = candidate
    const options = {
      keepTokens: Math.max(0, Math.floor(keepTokens)),
      keepReasoning: at >= this.#currentTurnFrom,
      files: this.#filesOf(message.seq),
      digest: this.#digests.get(message.seq),
      ...(message.role === 'user' && { inWork: this.#filesInWork() }),
    }
    const earlier = this.#earlierStubs.get(message.seq)
    if (earlier?.made === madeAs(options)) return { keepTokens, size: earlier.size, stub: earlier }
    if (this.#plansStubs)
      return { keepTokens, size: plannedStubSize(candidate, options, this.#meter), stub: null }
    const stub = stubMessage(message, options, this.#meter)
    return { keepTokens, size: stub.size, stub }
  }

  /** The names of the files that were used last; they say which lines of a long request matter. */
  #filesInWork(): readonly string[] {
    this.#inWork ??= [...(this.#tracked?.files.values() ?? [])]
      .sort((left, right) => right.lastSeq - left.lastSeq)
      .slice(0, maxFilesInWork)
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
    return this.#inWork
  }

  /** The files that the tool results of a message read or changed, by call id. */
  #filesOf(seq: Seq): ReadonlyMap<string, FileReference> | undefined {
    const accesses = this.#tracked?.accesses.get(seq)?.filter((access) => access.seq === seq)
    if (accesses === undefined || accesses.length === 0) return undefined
    return new Map(
      accesses.flatMap(({ callId, path }) => {
        const file = this.#tracked?.files.get(path)
        return file === undefined ? [] : [[callId, file] as const]
      }),
    )
  }

  /** Leaves out the oldest unit; the opening of the current turn stays as the task. */
  leaveOutOldest(): void {
    const unit = this.units[this.#firstUnit]
    if (unit === undefined) return
    const indexes = indexesOf(unit)
    this.#show(indexes, () => {
      this.#firstUnit += 1
      if (unit.opensTurn && unit.inCurrentTurn) for (const at of indexes) this.#kept.add(at)
    })
  }

  /** Shows the newest left-out unit again; returns an undo function, or null if there is none. */
  restoreUnit(): (() => void) | null {
    const unit = this.units[this.#firstUnit - 1]
    if (unit === undefined) return null
    const indexes = indexesOf(unit)
    return this.#show(indexes, () => {
      this.#firstUnit -= 1
      for (const at of indexes) this.#kept.delete(at)
    })
  }

  /** Keeps the opening of a turn whose later steps are shown; returns an undo function. */
  keepOpening(unitIndex: number, keepTokens: number): () => void {
    const indexes = indexesOf(this.units[unitIndex])
    const undo = this.#show(indexes, () => {
      for (const at of indexes) this.#kept.add(at)
    })
    for (const at of indexes) this.shorten(at, keepTokens)
    return undo
  }

  dropKept(): void {
    this.#show(this.kept, () => this.#kept.clear())
  }

  /** Applies a change, updates the total and returns an undo function. */
  #show(indexes: readonly number[], change: () => void): () => void {
    const [firstUnit, total] = [this.#firstUnit, this.#total]
    const sizeBefore = addSizes([this.#sizeOfAll(indexes), this.quoted])
    const before = indexes.map((at) => [at, this.#shortened.get(at), this.#kept.has(at)] as const)
    change()
    this.replace(sizeBefore, addSizes([this.#sizeOfAll(indexes), this.quoted]))
    return () => {
      for (const [at, stub, isKept] of before) {
        if (stub === undefined) this.#shortened.delete(at)
        else this.#shortened.set(at, stub)
        if (isKept) this.#kept.add(at)
        else this.#kept.delete(at)
      }
      this.#firstUnit = firstUnit
      this.#total = total
    }
  }

  #sizeOfAll(indexes: readonly number[]): Size {
    return addSizes(indexes.map((at) => this.sizeOf(at)))
  }

  get kept(): readonly number[] {
    return [...this.#kept]
  }

  get selected(): SelectedMessages {
    const seqAt = (at: number) => this.#candidates[at]?.message.seq ?? 0
    return {
      size: this.#total,
      line: this.#line(seqAt),
      keeps: this.kept.map(seqAt).sort(ascending),
      stubs: [...this.#shortened]
        .filter(([at]) => this.#isShown(at))
        .flatMap(([, { stub }]) => stub ?? [])
        .sort((left, right) => ascending(left.seq, right.seq)),
    }
  }

  #line(seqAt: (at: number) => Seq): Seq {
    if (this.#count === 0) return this.#coveredTo
    const first = this.units[this.#firstUnit]?.from
    return first === undefined ? seqAt(this.#count - 1) + 1 : seqAt(first)
  }

  #isShown(at: number): boolean {
    const from = this.units[this.#firstUnit]?.from ?? this.#count
    return (at >= from && at < this.#count) || this.#kept.has(at)
  }

  /** Something in the request has another size now. */
  replace(before: Size, after: Size): void {
    this.#total = {
      tokens: this.#total.tokens - before.tokens + after.tokens,
      wire: this.#total.wire - before.wire + after.wire,
    }
  }
}

const maxFilesInWork = 8

function ascending(left: number, right: number): number {
  return left - right
}
