/**
 * Turns that alternate, for services that want it: neighbours of one side merged, calls
 * answered in the very next turn and nowhere else, the user first and last.
 *
 * A context that the engine built is nearly there; what is mended here is what leaving
 * out blocks of other providers, or a context made by hand, leaves behind.
 */
import type { ContextMessage } from '../domain/context.ts'

export type Side = 'user' | 'assistant'

export interface TurnItem<Block> {
  readonly block: Block
  /** Index of the context's message that it comes from. */
  readonly from: number
  /** The id of the call that it is, or null. */
  readonly call: string | null
  /** The id of the call that it answers, or null. */
  readonly result: string | null
}

export interface Turn<Block> {
  readonly side: Side
  readonly items: readonly TurnItem<Block>[]
}

/** Turns that alternate and whose calls all have their results, in order: results come first. */
export function pairedTurns<Block>(turns: readonly Turn<Block>[]): readonly Turn<Block>[] {
  const paired: Turn<Block>[] = []
  const called = new Set<string>()
  let waiting = new Set<string>()
  const runs = alternating(turns.flatMap(resultsBehind))
  for (const [index, { side, items }] of runs.entries()) {
    const answers = new Set(runs[index + 1]?.items.flatMap(({ result }) => result ?? []))
    const kept = items.filter(({ call, result }) => {
      if (result !== null) return side === 'user' && waiting.delete(result)
      if (call === null) return true
      const first = side === 'assistant' && answers.has(call) && !called.has(call)
      if (first) called.add(call)
      return first
    })
    waiting = new Set(kept.flatMap(({ call }) => call ?? []))
    paired.push({ side, items: resultsFirst(kept) })
  }
  return alternating(paired)
}

/**
 * A tool that another provider ran itself has its result in the assistant's own message.
 * Results stand behind what was said up to the first of them, and what was said after
 * them comes after them still.
 */
function resultsBehind<Block>({ side, items }: Turn<Block>): readonly Turn<Block>[] {
  if (side === 'user' || items.every(({ result }) => result === null)) return [{ side, items }]
  const emptyStep = () => ({ said: [] as TurnItem<Block>[], results: [] as TurnItem<Block>[] })
  const steps = [emptyStep()]
  const stepOfCall = new Map<string, ReturnType<typeof emptyStep>>()
  for (const item of items) {
    let step = steps.at(-1) ?? emptyStep()
    if (item.result !== null) {
      step = stepOfCall.get(item.result) ?? step
      step.results.push(item)
      continue
    }
    if (step.results.length > 0) {
      step = emptyStep()
      steps.push(step)
    }
    step.said.push(item)
    if (item.call !== null) stepOfCall.set(item.call, step)
  }
  return steps.flatMap(({ said, results }): readonly Turn<Block>[] => [
    { side, items: said },
    { side: 'user', items: results },
  ])
}

/** Neighbours of one side made one, and what is empty left out. */
function alternating<Block>(turns: readonly Turn<Block>[]): readonly Turn<Block>[] {
  const filled = turns.filter(({ items }) => items.length > 0)
  return runsOf(filled, (previous, next) => previous.side === next.side).map((run) => ({
    side: run[0].side,
    items: resultsFirst(run.flatMap(({ items }) => items)),
  }))
}

function resultsFirst<Block>(items: readonly TurnItem<Block>[]): readonly TurnItem<Block>[] {
  const others = items.filter(({ result }) => result === null)
  return others.length === items.length
    ? items
    : [...items.filter(({ result }) => result !== null), ...others]
}

/** A block that lacks its other half, by its place. */
export interface LoneBlock {
  readonly message: number
  readonly block: number
  readonly why: string
}

/** Without what lacks its other half, until nothing does: what goes may leave another alone. */
export function withoutLone<Block>(
  turns: readonly Turn<Block>[],
  loneIn: (turns: readonly Turn<Block>[]) => readonly LoneBlock[],
  arrange: (turn: Turn<Block>) => Turn<Block> = (turn) => turn,
): readonly Turn<Block>[] {
  const arranged = turns.map(arrange)
  const lone = new Set(
    loneIn(arranged).map(({ message, block }) => arranged[message]?.items[block]),
  )
  if (lone.size === 0) return arranged
  const kept = arranged.map(({ side, items }) => ({
    side,
    items: items.filter((item) => !lone.has(item)),
  }))
  return withoutLone(alternating(kept), loneIn, arrange)
}

/** How many messages the system has before anybody speaks: they belong to the instructions. */
export function openingLength(messages: readonly ContextMessage[]): number {
  const leading = messages.findIndex(({ role }) => role !== 'system')
  return leading < 0 ? messages.length : leading
}

/** A user's turn that says nothing stands where the service wants one and there is none. */
export function userFirstAndLast<Block>(
  turns: readonly Turn<Block>[],
  nothing: Block,
): readonly Turn<Block>[] {
  const filler = (from: number): Turn<Block> => ({
    side: 'user',
    items: [{ block: nothing, from, call: null, result: null }],
  })
  const opened = turns[0]?.side === 'user' ? turns : [filler(-1), ...turns]
  const last = opened.at(-1)
  if (last?.side !== 'assistant') return opened
  return [...opened, filler(last.items.at(-1)?.from ?? -1)]
}

/** Neighbours of one kind, gathered into runs: for providers that want roles to alternate. */
export function runsOf<Item>(
  items: readonly Item[],
  same: (previous: Item, next: Item) => boolean,
): readonly (readonly [Item, ...Item[]])[] {
  const runs: [Item, ...Item[]][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run !== undefined && same(run.at(-1) ?? run[0], item)) run.push(item)
    else runs.push([item])
  }
  return runs
}
