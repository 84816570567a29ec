/**
 * Turns and steps, derived from messages and never stored.
 *
 * A turn begins with a user message and ends before the next one; messages before
 * the first user message are a turn without a user. A step is never split: it has
 * consecutive assistant messages, their calls, and every result of those calls,
 * however much later. Overlapping steps are one step. A user message inside a step
 * begins no turn, because a cut there would split the step (invariant 3).
 *
 * In the newest turn a call without a result is open: its step includes all later
 * messages. After the next user message the call is abandoned.
 */
import type { Seq } from './ids.ts'
import type { Message, Origin } from './message.ts'
import { originOf, originPieces } from './origin.ts'
import { isRemoved } from './sealed-message.ts'
import type { Span } from './span.ts'

/** A user's message, and everything up to the next one. */
export interface Turn {
  readonly span: Span
  readonly steps: readonly Step[]
  /** A call of this turn has no result yet. */
  readonly open: boolean
}

interface Step {
  readonly span: Span
  readonly calls: readonly ToolPair[]
  readonly open: boolean
}

interface ToolPair {
  readonly callId: string
  readonly name: string
  readonly callSeq: Seq
  readonly resultSeq: Seq | null
}

/** The fields of a message that decide its turn. */
export type TurnMessage = Pick<Message, 'seq' | 'role' | 'parts'> &
  Partial<Pick<Message, 'marks' | 'origin'>>

/**
 * Finds the turns of a conversation, and in each the steps whose calls and results stay together.
 * The messages must follow one another without a gap.
 *
 * @example
 * const last = deriveTurns(messages).at(-1)
 * console.log(last?.steps.length)
 */
export function deriveTurns(messages: readonly TurnMessage[]): readonly Turn[] {
  const first = messages[0]?.seq ?? 0
  const lastUser = messages.findLastIndex(isSpoken)
  const pairs = pairCalls(messages)
  const isOpen = (pair: ToolPair) => pair.resultSeq === null && pair.callSeq - first >= lastUser
  /** For each message, the index after the last one that its calls bind to it. */
  const ends = messages.map((_, index) => index + 1)
  for (const pair of pairs) {
    const end = isOpen(pair) ? messages.length : (pair.resultSeq ?? pair.callSeq) - first + 1
    ends[pair.callSeq - first] = Math.max(ends[pair.callSeq - first] ?? 0, end)
  }

  const turns: Turn[] = []
  let steps: Step[] = []
  let turnFrom = 0
  let pairIndex = 0
  const endTurn = (to: number) => {
    if (to === turnFrom) return
    const open = steps.some((step) => step.open)
    turns.push({ span: { from: first + turnFrom, to: first + to }, steps, open })
    turnFrom = to
    steps = []
  }
  for (let from = 0; from < messages.length; ) {
    const to = stepEnd(messages, ends, from)
    const calls: ToolPair[] = []
    for (let pair = pairs[pairIndex]; pair && pair.callSeq < first + to; pair = pairs[pairIndex]) {
      calls.push(pair)
      pairIndex += 1
    }
    const opening = messages[from]
    const opensTurn = opening !== undefined && isSpoken(opening)
    if (opensTurn) endTurn(from)
    // A user message that makes no call is the turn's opening, not a step of it.
    if (!opensTurn || calls.length > 0)
      steps.push({ span: { from: first + from, to: first + to }, calls, open: calls.some(isOpen) })
    from = to
  }
  endTurn(messages.length)
  return turns
}

/** Clients send results, reminders and their own summaries as the user: that is not speaking. */
export function isSpoken(message: Omit<TurnMessage, 'seq'>): boolean {
  const { role, parts, marks } = message
  if (role !== 'user' || isRemoved({ marks })) return false
  const results = parts.filter(({ type }) => type === 'tool-result').length
  if (results === 0) return !unspoken.has(originOf(message))
  return originPieces(message).some(({ origin }) => !unspoken.has(origin))
}

const unspoken: ReadonlySet<Origin> = new Set(['application', 'tool', 'summary'])

function pairCalls(messages: readonly TurnMessage[]): readonly ToolPair[] {
  const pairs: { callId: string; name: string; callSeq: Seq; resultSeq: Seq | null }[] = []
  const unanswered = new Map<string, (typeof pairs)[number][]>()
  for (const message of messages)
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const others = unanswered.get(part.callId)
        // The same id twice in one message is one call, as it is to the log.
        if (others?.at(-1)?.callSeq === message.seq) continue
        const pair = { callId: part.callId, name: part.name, callSeq: message.seq, resultSeq: null }
        pairs.push(pair)
        if (others === undefined) unanswered.set(part.callId, [pair])
        else others.push(pair)
      } else if (part.type === 'tool-result') {
        // Some providers use the same ids in every turn: the nearest call is meant.
        const pair = unanswered.get(part.callId)?.pop()
        if (pair !== undefined) pair.resultSeq = message.seq
      }
    }
  return pairs
}

/** The index after the last message that is bound, directly or not, to the one at `from`. */
function stepEnd(messages: readonly TurnMessage[], ends: readonly number[], from: number): number {
  let end = ends[from] ?? from + 1
  for (let index = from + 1; index < messages.length; index += 1) {
    const isSameReply =
      messages[index]?.role === 'assistant' && messages[index - 1]?.role === 'assistant'
    if (index >= end && !isSameReply) break
    end = Math.max(end, ends[index] ?? 0)
  }
  return end
}
