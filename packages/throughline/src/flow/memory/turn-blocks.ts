/** Turns that are remembered, as blocks: the last ones in full, and those before them in lines. */
import { anchorOf } from '../../domain/anchor.ts'
import type { PendingDecision, TurnDecision } from '../../domain/pending-decision.ts'
import type { MemoryReader, RememberedTurn, TurnMemory } from '../../domain/turn-memory.ts'
import type { HistoryLine } from '../../domain/turn-record.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'
import { cutText } from '../text/cut-text.ts'
import { dateText } from '../text/date-text.ts'
import { oneLine } from '../text/one-line.ts'
import { lineBlock, type MemoryBlock, textBlock } from './memory-block.ts'

/** So many turns suffice to route and to plan, with so many characters of each text. */
const condensedTurns = 2
const condensedCharacters = 300

/** Those that are shown, and those before them that no line of the history tells yet. */
export function turnsFor(
  { recentTurns, to }: TurnMemory,
  reader: MemoryReader,
): Readonly<Record<'shown' | 'before', readonly RememberedTurn[]>> {
  // Where its messages are shown one by one, a turn is not told beside.
  const told = recentTurns.filter((turn) => !hasMessages(turn) || turn.messages.from < to)
  const shown = reader === 'condensed' ? told.slice(-condensedTurns) : told
  return { shown, before: told.slice(0, told.length - shown.length) }
}

/** What the user said is whole for those who act; of a long answer both see what stands for it. */
export function turnBlocks(
  turn: RememberedTurn,
  { pending }: Pick<TurnMemory, 'pending'>,
  reader: MemoryReader,
  { proposalCharacters }: Pick<TurnRules, 'proposalCharacters'>,
): readonly MemoryBlock[] {
  const shown = (text: string, most = Number.POSITIVE_INFINITY) =>
    cutText(text, reader === 'condensed' ? condensedCharacters : most)
  const { kind, verb, text } = answerOf(turn, pending)
  const who = kind === 'in-short' ? 'the assistant, in short' : 'the assistant'
  const answer = kind === 'settled' ? shown(text, proposalCharacters) : shown(text)
  return [
    textBlock(`${turnLabel(turn)}: the user`, shown(turn.user)),
    textBlock(`turn ${turn.turn}: ${who}`, `${verb}${answer}`),
  ]
}

export function historyBlock(
  { history, recentTurns, pending }: TurnMemory,
  before: readonly RememberedTurn[],
): MemoryBlock {
  const [first] = recentTurns
  const to = first !== undefined && hasMessages(first) ? first.messages.from : 0
  const anchor = to === 0 ? '' : `, ${anchorOf({ from: 0, to })}`
  const lines = [...history.map(historyText), ...before.map((turn) => shortTurn(turn, pending))]
  // Of the oldest, those behind them say most.
  return lineBlock(`earlier turns${anchor}, in short`, lines, { leaves: 'first' })
}

function historyText({ from, to, text }: HistoryLine): string {
  const turns = to === from + 1 ? `turn ${from}` : `turns ${from}-${to - 1}`
  return `${turns}: ${oneLine(text)}`
}

function shortTurn(turn: RememberedTurn, pending: PendingDecision | null): string {
  const short = (text: string) => cutText(oneLine(text), condensedCharacters / 2)
  const { verb, text } = answerOf(turn, pending)
  const who = verb === '' ? 'the assistant: ' : `the assistant ${verb}`
  return `${turnLabel(turn)}: the user: ${short(turn.user)} – ${who}${short(text)}`
}

interface ShownAnswer {
  /** `settled`: it proposed or asked what waits no longer. */
  readonly kind: 'whole' | 'in-short' | 'settled'
  readonly verb: string
  readonly text: string
}

/**
 * What stands for a proposal says that it waits, and what it proposes stands with what is pending.
 * Neither holds any longer when the conversation has gone on: then the answer speaks for itself.
 */
function answerOf(
  { turn, decision, assistant, assistantSummary }: RememberedTurn,
  pending: PendingDecision | null,
): ShownAnswer {
  const verb = decision === null ? '' : verbs[decision]
  if (verb !== '' && assistant !== '' && pending?.turn !== turn)
    return { kind: 'settled', verb, text: assistant }
  return assistantSummary === null
    ? { kind: 'whole', verb: '', text: assistant }
    : { kind: 'in-short', verb: '', text: assistantSummary }
}

const verbs: Readonly<Record<TurnDecision, string>> = {
  plan_direct: '',
  propose: 'proposed: ',
  clarify: 'asked: ',
}

function turnLabel(turn: RememberedTurn): string {
  const anchor = hasMessages(turn) ? [anchorOf(turn.messages)] : []
  return [`turn ${turn.turn}`, ...dateText(Date.parse(turn.timestamp)), ...anchor].join(', ')
}

function hasMessages({ messages }: RememberedTurn): boolean {
  return messages.from < messages.to
}
