/**
 * A selection in progress: whole messages, stubs, the first shown unit, and the total size. Messages
 * are named by their index among the candidates (`at`), units by their index in `units`.
 */
import { defaults } from '../../defaults-data.ts'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FileReference } from '../../domain/ledger.ts'
import type { Message } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import { deriveTurns } from '../../domain/turn.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import type { TrackedFiles } from '../classify/track-files.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidate, Candidates, SelectedMessages } from '../project/records.ts'
import { madeAs, stubMessage, stubUnit, unitMade } from '../stub/stub.ts'

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
  readonly #stubs = new Map<number, StubbedMessage>()
  readonly #kept = new Set<number>()
  #inWork: readonly string[] | null = null
  #firstUnit = 0
  #total: Size

  /** `fixed`: the size of everything in the request except messages. */
  constructor(
    { candidates, task, coveredTo = 0, earlierStubs, digests = new Map() }: Candidates,
    fixed: Size,
    meter: Meter,
    tracked: TrackedFiles | null = null,
  ) {
    this.#tracked = tracked
    this.#digests = digests
    this.#earlierStubs = new Map(earlierStubs.map((stub) => [stub.seq, stub]))
    this.#candidates = task === null ? candidates : [...candidates, task]
    this.#count = candidates.length
    this.#coveredTo = coveredTo
    this.#meter = meter
    this.units = unitsOf(candidates.map(({ message }) => message))
    if (task !== null) this.#kept.add(this.#count)
    this.#currentTurnFrom = this.units.find(({ inCurrentTurn }) => inCurrentTurn)?.from ?? 0
    this.#total = addSizes([fixed, ...this.#candidates.map(({ size }) => size)])
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
    return this.#stubs.get(at)?.size ?? candidate.size
  }

  tokensOf(unit: Pick<Unit, 'from' | 'to'>): number {
    return indexesOf(unit).reduce((sum, at) => sum + this.sizeOf(at).tokens, 0)
  }

  /** The size of all messages from a unit on, and of everything that is not a message. */
  sizeFrom(unitIndex: number, fixed: Size): Size {
    return addSizes([fixed, this.#sizeOfAll(this.units.slice(unitIndex).flatMap(indexesOf))])
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
    minSavedTokens: number = defaults.stubLeastSavingTokens.value,
  ): void {
    const candidate = this.#candidates[at]
    if (candidate === undefined || candidate.pinSize !== null || !this.#isShown(at)) return
    const before = this.sizeOf(at)
    const stub = this.#stubOf(at, candidate, keepTokens)
    if (before.tokens - stub.size.tokens < minSavedTokens) return
    this.#stubs.set(at, stub)
    this.#replace(before, stub.size)
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
      this.#replace(this.sizeOf(at), stub.size)
      this.#stubs.set(at, stub)
    }
  }

  /** Lets a stub grow up to `maxTokens`; returns whether it grew. */
  lengthen(at: number, maxTokens: number, fits: (total: Size) => boolean): boolean {
    const candidate = this.#candidates[at]
    const stub = this.#stubs.get(at)
    if (candidate === undefined || stub === undefined || !this.#isShown(at)) return false
    if (stub.made === unitMade) return false
    const total = this.#total
    const longer =
      candidate.size.tokens <= maxTokens ? null : this.#stubOf(at, candidate, maxTokens)
    // With its note, a stub may be longer than the whole message, which is then shown.
    const isShorter = longer !== null && longer.size.tokens < candidate.size.tokens
    const grown = isShorter ? longer : null
    const size = grown?.size ?? candidate.size
    this.#replace(stub.size, size)
    if (size.tokens <= stub.size.tokens || !fits(this.#total)) {
      this.#total = total
      return false
    }
    if (grown === null) this.#stubs.delete(at)
    else this.#stubs.set(at, grown)
    return true
  }

  /** Units that are shown as one text, newest first. */
  get collapsedUnits(): readonly number[] {
    return this.units
      .map(({ from }, index) => (this.#stubs.get(from)?.made === unitMade ? index : -1))
      .filter((index) => index >= this.#firstUnit)
      .reverse()
  }

  /** Indexes of shown stubs, newest first. */
  get stubbed(): readonly number[] {
    return [...this.#stubs.keys()].filter((at) => this.#isShown(at)).sort((a, b) => b - a)
  }

  #stubOf(at: number, { message }: Candidate, keepTokens: number): StubbedMessage {
    const options = {
      keepTokens: Math.max(0, Math.floor(keepTokens)),
      keepReasoning: at >= this.#currentTurnFrom,
      files: this.#filesOf(message.seq),
      digest: this.#digests.get(message.seq),
      ...(message.role === 'user' && { inWork: this.#filesInWork() }),
    }
    const earlier = this.#earlierStubs.get(message.seq)
    return earlier?.made === madeAs(options) ? earlier : stubMessage(message, options, this.#meter)
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
    const [firstUnit, total, sizeBefore] = [this.#firstUnit, this.#total, this.#sizeOfAll(indexes)]
    const before = indexes.map((at) => [at, this.#stubs.get(at), this.#kept.has(at)] as const)
    change()
    this.#replace(sizeBefore, this.#sizeOfAll(indexes))
    return () => {
      for (const [at, stub, isKept] of before) {
        if (stub === undefined) this.#stubs.delete(at)
        else this.#stubs.set(at, stub)
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
      stubs: [...this.#stubs]
        .filter(([at]) => this.#isShown(at))
        .map(([, stub]) => stub)
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

  #replace(before: Size, after: Size): void {
    this.#total = {
      tokens: this.#total.tokens - before.tokens + after.tokens,
      wire: this.#total.wire - before.wire + after.wire,
    }
  }
}

const maxFilesInWork = 8

export function indexesOf(unit: Pick<Unit, 'from' | 'to'> | undefined): readonly number[] {
  if (unit === undefined) return []
  return Array.from({ length: unit.to - unit.from }, (_, index) => unit.from + index)
}

function ascending(left: number, right: number): number {
  return left - right
}

/** Messages that are shown or left out together: a turn's opening, or a step (invariant 3). */
export interface Unit {
  /** Indexes in the list of messages, not positions in the log. */
  readonly from: number
  readonly to: number
  /** The user message that starts a turn. */
  readonly opensTurn: boolean
  readonly inCurrentTurn: boolean
  readonly turn: number
}

/** Units in order, without a gap; the messages must be consecutive. */
export function unitsOf(messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[]) {
  const first = messages[0]?.seq ?? 0
  const turns = deriveTurns(messages)
  return turns.flatMap((turn, at) => {
    const inCurrentTurn = at === turns.length - 1
    const steps = turn.steps.map(({ span }) => ({
      from: span.from - first,
      to: span.to - first,
      opensTurn: false,
      inCurrentTurn,
      turn: at,
    }))
    const from = turn.span.from - first
    const to = steps[0]?.from ?? turn.span.to - first
    return from === to ? steps : [{ from, to, opensTurn: true, inCurrentTurn, turn: at }, ...steps]
  })
}
