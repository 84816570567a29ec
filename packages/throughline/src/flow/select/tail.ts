/**
 * The tail: the newest units, which are shortened last. It begins between units, so that
 * no call is parted from its results, and holds what an open call holds.
 */
import type { KeepRecent } from '../../domain/policy.ts'
import type { Unit } from './units.ts'

export interface TailInput {
  readonly units: readonly Unit[]
  readonly keepRecent: KeepRecent
  /** The most that it may have, beyond its least messages. */
  readonly roomTokens: number
  tokensOf(unit: Unit): number
  /** Without those that were removed. */
  messagesIn(unit: Unit): number
  /** Whether the assistant has said something in it. */
  answers(unit: Unit): boolean
}

/** A question and its answer. */
const leastTailMessages = 2

/** The unit with which the tail begins. */
export function tailFrom({ units, keepRecent, roomTokens, ...input }: TailInput): number {
  const most = 'tokens' in keepRecent ? Math.min(keepRecent.tokens, roomTokens) : roomTokens
  let [messages, there, tokens, turns, exchanges] = [0, 0, 0, 0, 0]
  let answered = false
  for (let index = units.length - 1; index > 0; index -= 1) {
    const [unit, next] = [units[index], units[index - 1]]
    if (unit === undefined || next === undefined) break
    messages += unit.to - unit.from
    there += input.messagesIn(unit)
    tokens += input.tokensOf(unit)
    answered ||= input.answers(unit)
    if (next.turn !== unit.turn) {
      turns += 1
      exchanges += answered ? 1 : 0
      answered = false
    }
    const full = tokens + input.tokensOf(next) > most
    const enough = full || isEnough(keepRecent, { messages, turns, exchanges })
    if (there >= leastTailMessages && enough) return index
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

/** The tail with half of its messages, and never fewer than the least; null where it is that already. */
export function halvedTail(units: readonly Unit[], tail: number): number | null {
  const last = units.at(-1)?.to ?? 0
  const messages = last - (units[tail]?.from ?? last)
  for (let wanted = messages; wanted > leastTailMessages; ) {
    wanted = Math.max(leastTailMessages, Math.floor(wanted / 2))
    const index = units.findLastIndex(({ from }) => last - from >= wanted)
    if (index > tail) return index
  }
  return null
}
