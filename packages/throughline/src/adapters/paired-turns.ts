/**
 * Turns that alternate, for services that want it: neighbours of one side merged, calls
 * answered in the very next turn and nowhere else, the user first and last.
 *
 * A context that the engine built is nearly there; what is mended here is what leaving
 * out blocks of other providers, or a context made by hand, leaves behind.
 */
import { runsOf } from './merge-runs.ts'

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

/** A tool that another provider ran itself has its result in the assistant's own message. */
function resultsBehind<Block>({ side, items }: Turn<Block>): readonly Turn<Block>[] {
  const results = side === 'user' ? [] : items.filter(({ result }) => result !== null)
  if (results.length === 0) return [{ side, items }]
  return [
    { side, items: items.filter(({ result }) => result === null) },
    { side: 'user', items: results },
  ]
}

/** Neighbours of one side made one, and what is empty left out. */
export function alternating<Block>(turns: readonly Turn<Block>[]): readonly Turn<Block>[] {
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
