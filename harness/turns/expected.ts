/** The expected state after each turn, computed from the input alone. */
import type { MessageInput, Span } from 'throughline'
import type { AfterReplyInput, StepInput, StepKey, TurnRules } from 'throughline/turns'
import { type EntityChanges, simulateEntities, type Thing } from './expected-things.ts'

export interface Expected {
  /** 0 before the first turn. */
  readonly turn: number
  readonly things: readonly Thing[]
  readonly pending: ExpectedPending | null
  /** All turns so far, oldest first. */
  readonly turns: readonly ExpectedTurn[]
}

export interface ExpectedTurn {
  readonly turn: number
  readonly input: AfterReplyInput
  readonly key: string | null
  readonly messages: Span
  readonly at: number
  readonly isSignificant: boolean
  readonly entityChanges: EntityChanges
}

export interface ExpectedPending {
  readonly turn: number
  readonly kind: 'propose' | 'clarify'
  readonly goal: string
  readonly proposal: string | null
  readonly assumptions: readonly string[]
  readonly questions: readonly string[]
  readonly planned: readonly string[]
}

export const nothingExpected: Expected = { turn: 0, things: [], pending: null, turns: [] }

export interface PassedTurn {
  readonly input: AfterReplyInput
  readonly key: string | null
  /** Where it ends in the log: at `head`, or after the last message that is not the user's. */
  readonly end: number
  readonly at: number
}

export function expectedAfter(before: Expected, passed: PassedTurn, rules: TurnRules): Expected {
  const { input, key, at } = passed
  const turn = before.turn + 1
  const entityChanges = simulateEntities(before.things, turn, input, rules)
  const from = before.turns.at(-1)?.messages.to ?? 0
  const messages = { from, to: Math.max(from, passed.end) }
  const isSignificant = significant(input, rules)
  return {
    turn,
    things: entityChanges.things,
    pending: pendingAfter(before.pending, turn, input),
    turns: [...before.turns, { turn, input, key, messages, at, isSignificant, entityChanges }],
  }
}

function significant({ router, think, steps }: AfterReplyInput, rules: TurnRules): boolean {
  const planned = think?.steps?.length ?? 0
  const executed = steps?.length ?? 0
  return (
    router?.complexity === 'high' ||
    planned >= rules.significantSteps ||
    executed >= rules.significantSteps
  )
}

function pendingAfter(
  before: ExpectedPending | null,
  turn: number,
  { think, router, finalResponse }: AfterReplyInput,
): ExpectedPending | null {
  if (think === null || think === undefined) return before
  const { decision: kind } = think
  if (kind === 'plan_direct') return null
  const proposal = think.proposalMessage ?? ''
  const questions = think.clarificationQuestions ?? []
  const answered = String(finalResponse).toWellFormed()
  const isAsked = kind === 'clarify' && questions.length === 0
  return {
    ...{ turn, kind },
    goal: (think.goal ?? '') === '' ? (router?.goal ?? '') : (think.goal ?? ''),
    proposal: kind === 'clarify' ? null : proposal.trim() === '' ? answered : proposal,
    assumptions: think.assumptions ?? [],
    questions: isAsked ? [answered] : questions,
    planned: (think.steps ?? []).map((step) =>
      typeof step === 'string' ? step : step.description,
    ),
  }
}

/** Steps of all turns, in order. */
export function stepsOf({
  turns,
}: Pick<Expected, 'turns'>): readonly (StepKey & { given: StepInput })[] {
  return turns.flatMap(({ turn, input }) =>
    (input.steps ?? []).map((given, step) => ({ turn, step, given })),
  )
}

/** The place of a turn in the log, and the missed turns before it. */
interface PlaceInLog {
  readonly missed: readonly MissedTurn[]
  /** Where the turn itself ends. */
  readonly to: number
}

interface MissedTurn {
  readonly user: string
  readonly assistant: string
  readonly to: number
}

interface RecallQuery {
  /** The end of the last remembered turn. */
  readonly from: number
  readonly userMessage: string
  /** The option of the caller; null if omitted. */
  readonly head: number | null
}

/** From the user message of the turn to the last message that is not the user's. */
export function placeInLog(log: readonly MessageInput[], sought: RecallQuery): PlaceInLog {
  const { from, head } = sought
  const words = sought.userMessage.toWellFormed().trim()
  const open = log.slice(from, head ?? log.length)
  const isOwn = (message: MessageInput) => isUsers(message) && textOf(message).trim() === words
  const answered = open.findLastIndex((message) => !isUsers(message))
  // If the user repeats a text, the answered message belongs to the turn.
  const before = open.slice(0, Math.max(0, answered)).findLastIndex(isOwn)
  const own = before >= 0 ? before : open.findLastIndex(isOwn)
  const length = head === null ? Math.max(own, answered) + 1 : open.length
  const turn = open.slice(0, length)
  let start = Math.max(0, own >= 0 && own < length ? own : turn.findLastIndex(isUsers))
  while (start > 0 && isUsers(turn[start - 1])) start -= 1
  return { missed: missedTurns(turn.slice(0, start), from), to: from + turn.length }
}

/** Each starts with the first user message after another message. */
function missedTurns(messages: readonly MessageInput[], from: number): readonly MissedTurn[] {
  if (!messages.some(isUsers)) return []
  const begins = messages.flatMap((message, at) =>
    isUsers(message) && !isUsers(messages[at - 1]) ? [at] : [],
  )
  return begins.map((_, index) => {
    const end = begins[index + 1] ?? messages.length
    const group = messages.slice(index === 0 ? 0 : begins[index], end)
    const answers = group.filter(({ role }) => role === 'assistant').map(textOf)
    return {
      user: group
        .filter(isUsers)
        .map((message) => textOf(message).trim())
        .join('\n'),
      assistant: answers.findLast((text) => text.trim() !== '')?.trim() ?? '',
      to: from + end,
    }
  })
}

function isUsers(message: MessageInput | undefined): boolean {
  return message?.role === 'user'
}

function textOf({ content }: MessageInput): string {
  return typeof content === 'string' ? content : ''
}
