import type { ConversationAccess } from '../conversation/access.ts'
import { type ConversationState, loadState } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import { isSpoken } from '../domain/turn.ts'
import type { AgentTurn, TurnKnowledge, TurnRecord, TurnRules } from '../domain/turn-memory.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { nothingKnown } from './build-record.ts'
import { limits } from './limits-data.ts'
import { readTurns } from './turn-context.ts'

/** Where a turn belongs: its number, its messages in the log, and the memory before it. */
export interface FoundTurn {
  readonly state: ConversationState
  readonly number: number
  readonly messages: Span
  /** Earlier turns in the log that `afterReply` never received, oldest first. */
  readonly missed: readonly MissedTurn[]
  readonly knows: TurnKnowledge
  /** Newest first: those whose keys are checked, and those to compress. */
  readonly records: readonly TurnRecord[]
  /** The record of this turn, if another process remembered it as a missed one. */
  readonly taken: TurnRecord | null
  /** Turns to compress into history lines, oldest first. */
  readonly leaving: readonly TurnRecord[]
  /** Changes when the earlier turns change, which makes model answers outdated. */
  readonly pastKey: string
}

export async function findTurn(
  access: ConversationAccess,
  rules: TurnRules,
  query: TurnQuery,
): Promise<FoundTurn> {
  const state = await stateOf(access)
  const [newest] = await readTurns(access, null, 1)
  const number = (newest?.turn ?? 0) + 1
  const knows = newest?.knows ?? nothingKnown
  const historyEnd = knows.history.at(-1)?.to ?? 1
  const limit = Math.max(limits.keysChecked, number - historyEnd)
  const records = await readTurns(access, number, limit)
  const fullFrom = number + 1 - rules.fullTurns
  const leaving = records.filter(({ turn }) => turn >= historyEnd && turn < fullFrom).reverse()
  const from = newest?.messages.to ?? 0
  const { head, rewrites } = state.conversation
  const { span: messages, missed, hasUserText } = await turnInLog(access, { from, head }, query)
  const taken = hasUserText ? null : (records.find((record) => isTaken(record, query)) ?? null)
  const pastKey = JSON.stringify([state.serial, rewrites, number, historyEnd, leaving.length])
  return { state, number, messages, missed, knows, records, taken, leaving, pastKey }
}

/** Whether a record has the texts of this turn and nothing that only a caller can report. */
function isTaken(record: TurnRecord, { userMessage, finalResponse }: TurnQuery): boolean {
  const { messages, key, routing, decision, steps, entitiesMentioned, forgotten } = record
  return (
    messages.from < messages.to &&
    [key, routing, decision].every((reported) => reported === null) &&
    steps.length + entitiesMentioned.length === 0 &&
    !forgotten &&
    record.user === userMessage.trim() &&
    record.assistant === finalResponse.trim()
  )
}

interface TurnQuery extends Pick<AgentTurn, 'userMessage' | 'finalResponse'> {
  readonly head: Seq | null
}

async function stateOf({ store, id, now }: ConversationAccess): Promise<ConversationState> {
  const query = { id, model: noModel }
  const state = await loadState(store, query)
  if (state !== null) return state
  const at = now()
  await store.create({ id, title: null, meta: null, parent: null, forkedFrom: null, at })
  const created = await loadState(store, query)
  if (created === null) throw new Error(`the store created conversation "${id}" and has none`)
  return created
}

// The turn memory belongs to the conversation, not to one of its models.
const noModel = 'none'

interface TurnInLog extends Pick<FoundTurn, 'missed'> {
  readonly span: Span
  /** Whether the log has the user text of the turn. */
  readonly hasUserText: boolean
}

/** A turn in the log that no call passed to `afterReply`; rules remember it. */
export interface MissedTurn extends Pick<AgentTurn, 'userMessage' | 'finalResponse'> {
  readonly to: Seq
}

async function turnInLog(
  { store, id }: ConversationAccess,
  { from, head }: { readonly from: Seq; readonly head: Seq },
  { userMessage, head: turnEnd }: Pick<TurnQuery, 'userMessage' | 'head'>,
): Promise<TurnInLog> {
  if (turnEnd !== null && turnEnd > head)
    throw invalidOption(`afterReply: head is ${turnEnd}, but the log ends at ${head}`)
  const end = turnEnd ?? head
  const limit = Math.min(limits.messagesRead, end - from)
  const emptyAt = Math.max(from, end)
  if (limit <= 0) return { span: { from: emptyAt, to: emptyAt }, hasUserText: false, missed: [] }
  const messages = (await store.read({ id, before: end, limit })) ?? []
  const to = turnEnd ?? end - messagesAfterTurn(messages, userMessage)
  const upToTurn = messages.filter(({ seq }) => seq < to)
  const start = startOfTurn(upToTurn, userMessage)
  const before = upToTurn.slice(0, start)
  const missed = before.some(isSpoken) ? missedTurns(before) : []
  const hasUserText = indexOfUserText(upToTurn, userMessage) !== -1
  return { span: { from: missed.at(-1)?.to ?? from, to: Math.max(from, to) }, hasUserText, missed }
}

/** User messages after the answer belong to the next turn, except the turn's own user text. */
function messagesAfterTurn(messages: readonly Message[], userMessage: string): number {
  const lastAnswer = messages.findLastIndex((message) => !isSpoken(message))
  return messages.length - 1 - Math.max(lastAnswer, indexOfUserText(messages, userMessage))
}

/** The turn's user text or else the last user message, with user messages directly before it. */
function startOfTurn(messages: readonly Message[], userMessage: string): number {
  const textIndex = indexOfUserText(messages, userMessage)
  let start = Math.max(0, textIndex === -1 ? messages.findLastIndex(isSpoken) : textIndex)
  while (start > 0 && isSpokenAt(messages, start - 1)) start -= 1
  return start
}

/** Prefers an answered message: a user may repeat a text before its turn is remembered. */
function indexOfUserText(messages: readonly Message[], userMessage: string): number {
  const isUserText = (message: Message) =>
    isSpoken(message) && messageText(message) === userMessage.trim()
  const lastAnswer = messages.findLastIndex((message) => !isSpoken(message))
  const answeredIndex = messages.slice(0, lastAnswer + 1).findLastIndex(isUserText)
  return answeredIndex === -1 ? messages.findLastIndex(isUserText) : answeredIndex
}

function isSpokenAt(messages: readonly Message[], at: number): boolean {
  const message = messages[at]
  return message !== undefined && isSpoken(message)
}

function messageText({ parts }: Message): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.join('\n').toWellFormed().trim()
}

/** A turn goes from one user message to the next; the first includes what precedes it. */
function missedTurns(messages: readonly Message[]): readonly MissedTurn[] {
  const turns: MissedTurn[] = []
  let user: string[] = []
  let finalResponse = ''
  const turnTo = (to: Seq) => ({ to, userMessage: user.join('\n'), finalResponse })
  for (const [index, message] of messages.entries()) {
    const opens = isSpoken(message) && !isSpokenAt(messages, index - 1)
    if (opens && user.length > 0) {
      turns.push(turnTo(message.seq))
      user = []
      finalResponse = ''
    }
    if (isSpoken(message)) user.push(messageText(message))
    else if (message.role === 'assistant') finalResponse = messageText(message) || finalResponse
  }
  const end = (messages.at(-1)?.seq ?? -1) + 1
  return user.length > 0 ? [...turns, turnTo(end)] : turns
}
