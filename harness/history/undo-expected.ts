/**
 * The expected state, computed independently of the engine: for each model a stack of the states
 * before the current one, what each state showed with each end of the log, and which models are
 * suspended.
 */
import type { ViewVersion } from 'throughline'

/** A state of what a model sees. */
interface State {
  /** Null before the first view. */
  readonly version: number | null
  readonly isCompaction: boolean
  /** All states that show every message are equal. */
  readonly isEverything: boolean
  readonly summaryId: string | null
}

const start: State = {
  ...{ version: null, isCompaction: false, isEverything: true },
  summaryId: null,
}
const compactions = ['first', 'trigger', 'overflow', 'manual', 'provider-overflow']

export class ExpectedViews {
  /** The current state. */
  #stack: readonly State[] = [start]
  readonly #stacks = new Map<number, readonly State[]>()
  readonly #shown = new Map<string, string>()
  /** The state before the first undo or restore; null if nothing is suspended. */
  #left: State | null = null
  #forced = 0
  #undone: readonly string[] = []

  /** The summaries of the states that the last undo or restore left. */
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

  /** A request or an edit created a view. */
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

  /** A caller asked for a compaction. */
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

  /** A restored state is equal to the original, under a new version. */
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

  /** What this state showed with this end of the log, if it was shown. */
  shown(head: number, bytes: string): string | null {
    const { version, isEverything } = this.#top
    const key = `${isEverything ? 'everything' : version} ${head}`
    const before = this.#shown.get(key) ?? null
    if (before === null) this.#shown.set(key, bytes)
    return before
  }
}
