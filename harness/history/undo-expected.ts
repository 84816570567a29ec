/**
 * What should be, kept beside the engine and by other means: for each model the states that lie
 * behind the one in force, as a stack; what each state showed with each end of the log; and
 * which models are suspended.
 */
import type { ViewVersion } from 'throughline'

/** A state of what a model sees. */
interface State {
  /** Null before the first view. */
  readonly version: number | null
  readonly isCompaction: boolean
  /** All states with everything shown are the same. */
  readonly isEverything: boolean
  readonly summaryId: string | null
}

const start: State = {
  ...{ version: null, isCompaction: false, isEverything: true },
  summaryId: null,
}
const compactions = ['first', 'trigger', 'overflow', 'manual', 'provider-overflow']

export class ExpectedViews {
  /** The state in force last. */
  #stack: readonly State[] = [start]
  readonly #stacks = new Map<number, readonly State[]>()
  readonly #shown = new Map<string, string>()
  /** The state that stood before the first step back; null where nothing is suspended. */
  #left: State | null = null
  #forced = 0
  #undone: readonly string[] = []

  /** The summaries of the states that the last step back has left behind. */
  get undone(): readonly string[] {
    return this.#undone
  }
  get isSuspended(): boolean {
    return this.#left !== null
  }
  get forced(): number {
    return this.#forced
  }
  get isEverything(): boolean {
    return this.#top.isEverything
  }

  /** A view that a request has made, or an edit. */
  began({ version, cause, epoch, summaryId }: ViewVersion): void {
    const isFirst = this.#stack.length === 1 && epoch !== null
    const isCompaction = isFirst || compactions.includes(cause ?? '')
    const isEverything = epoch === null
    this.#stack = [...this.#stack, { version, isCompaction, isEverything, summaryId }]
    this.#stacks.set(version, this.#stack)
  }

  /** A request had to compact. */
  force(): void {
    if (this.#left !== null) this.#forced += 1
    this.#left = null
  }

  /** Somebody has asked for a compaction. */
  ask(): void {
    this.#left = null
  }

  /** How many compactions can be undone. */
  get compactions(): number {
    return this.#stack.filter(({ isCompaction }) => isCompaction).length
  }

  undo(count: number): number | null {
    const places = this.#stack.flatMap(({ isCompaction }, index) => (isCompaction ? [index] : []))
    return this.#back(this.#stack.slice(0, places.at(-count) ?? 1))
  }

  restore(version: number): number | null {
    return this.#back(this.#stacks.get(version) ?? this.#stack)
  }

  /** Under a version of its own it is the state that it was. */
  restoredAs(version: number): void {
    this.#stacks.set(version, this.#stack)
  }

  #back(stack: readonly State[]): number | null {
    const before = this.#top
    this.#undone = this.#stack.flatMap((state) =>
      stack.includes(state) || state.summaryId === null ? [] : [state.summaryId],
    )
    this.#stack = stack
    if (before !== this.#top) this.#left ??= before
    if (this.#left === this.#top) this.#left = null
    return this.#top.version
  }

  get #top(): State {
    return this.#stack.at(-1) ?? start
  }

  /** What was shown in this state with this end of the log, if anything was. */
  shown(head: number, bytes: string): string | null {
    const { version, isEverything } = this.#top
    const key = `${isEverything ? 'everything' : version} ${head}`
    const before = this.#shown.get(key) ?? null
    if (before === null) this.#shown.set(key, bytes)
    return before
  }
}
