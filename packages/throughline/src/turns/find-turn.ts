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

export interface Before {
  readonly state: ConversationState
  readonly number: number
  readonly messages: Span
  /** Turns before it that were never handed over, oldest first. */
  readonly missed: readonly MissedTurn[]
  readonly knows: TurnKnowledge
  /** Newest first: those whose keys are looked at, and all that are to be compressed. */
  readonly records: readonly TurnRecord[]
  /** The turn itself, where another process took it for one that is never handed over; else null. */
  readonly taken: TurnRecord | null
  readonly leaving: readonly TurnRecord[]
  readonly name: string
}

export async function findTurn(
  access: ConversationAccess,
  rules: TurnRules,
  asked: HandedOver,
): Promise<Before> {
  const state = await stateOf(access)
  const [last] = await readTurns(access, null, 1)
  const number = (last?.turn ?? 0) + 1
  const knows = last?.knows ?? nothingKnown
  const toldTo = knows.history.at(-1)?.to ?? 1
  const limit = Math.max(limits.keysLookedAt, number - toldTo)
  const records = await readTurns(access, number, limit)
  const fullFrom = number + 1 - rules.fullTurns
  const leaving = records.filter(({ turn }) => turn >= toldTo && turn < fullFrom).reverse()
  const from = last?.messages.to ?? 0
  const { head, rewrites } = state.conversation
  const { span: messages, missed, hasOwn } = await turnInLog(access, { from, head }, asked)
  const taken = hasOwn ? undefined : records.find((record) => isTaken(record, asked))
  const name = JSON.stringify([state.serial, rewrites, number, toldTo, leaving.length])
  return { state, number, messages, missed, knows, records, taken: taken ?? null, leaving, name }
}

/** By rules, from the log, and with the words of the turn: no other call has handed it over. */
function isTaken(record: TurnRecord, { userMessage, finalResponse }: HandedOver): boolean {
  const { messages, key, routing, decision, steps, entitiesMentioned, forgotten } = record
  return (
    messages.from < messages.to &&
    [key, routing, decision].every((said) => said === null) &&
    steps.length + entitiesMentioned.length === 0 &&
    !forgotten &&
    record.user === userMessage.trim() &&
    record.assistant === finalResponse.trim()
  )
}

interface HandedOver extends Pick<AgentTurn, 'userMessage' | 'finalResponse'> {
  readonly head: Seq | null
}

async function stateOf({ store, id, now }: ConversationAccess): Promise<ConversationState> {
  const query = { id, model: noModel }
  const state = await loadState(store, query)
  if (state !== null) return state
  const at = now()
  await store.create({ id, title: null, meta: null, parent: null, forkedFrom: null, at })
  const begun = await loadState(store, query)
  if (begun === null) throw new Error('a conversation that was begun is there')
  return begun
}

// What is asked for is of the conversation, whichever model it speaks with.
const noModel = 'none'

/**
 * Messages between the turn remembered last and this one were never handed over; rules remember
 * them with it.
 */
interface TurnInLog extends Pick<Before, 'missed'> {
  readonly span: Span
  readonly hasOwn: boolean
}

export interface MissedTurn extends Pick<AgentTurn, 'userMessage' | 'finalResponse'> {
  readonly to: Seq
}

async function turnInLog(
  { store, id }: ConversationAccess,
  log: { readonly from: Seq; readonly head: Seq },
  { userMessage, head: asked }: Pick<HandedOver, 'userMessage' | 'head'>,
): Promise<TurnInLog> {
  const { from, head } = log
  if (asked !== null && asked > head)
    throw invalidOption(`afterReply: head is ${asked}, and the log ends at ${head}`)
  const end = asked ?? head
  const limit = Math.min(limits.messagesLookedAt, end - from)
  const last = Math.max(from, end)
  if (limit <= 0) return { span: { from: last, to: last }, hasOwn: false, missed: [] }
  const messages = (await store.read({ id, before: end, limit })) ?? []
  const to = asked ?? end - behindTurn(messages, userMessage)
  const mine = messages.filter(({ seq }) => seq < to)
  const start = beginning(mine, userMessage)
  const before = mine.slice(0, start)
  const missed = before.some(isSpoken) ? missedTurns(before) : []
  const hasOwn = ownWords(mine, userMessage) !== -1
  return { span: { from: missed.at(-1)?.to ?? from, to: Math.max(from, to) }, hasOwn, missed }
}

/** What the user said after the turn belongs to the next; but the turn's own words are its own. */
function behindTurn(messages: readonly Message[], userMessage: string): number {
  const answered = messages.findLastIndex((message) => !isSpoken(message))
  return messages.length - 1 - Math.max(answered, ownWords(messages, userMessage))
}

/** What the user is said to have said, or what was said last; with all before it in a row. */
function beginning(messages: readonly Message[], userMessage: string): number {
  const said = ownWords(messages, userMessage)
  const last = said === -1 ? messages.findLastIndex(isSpoken) : said
  let start = Math.max(0, last)
  while (start > 0 && isSpokenAt(messages, start - 1)) start -= 1
  return start
}

/** The newest that was answered: users say the same again before its turn is remembered. */
function ownWords(messages: readonly Message[], userMessage: string): number {
  const isOwn = (message: Message) => says(message, userMessage)
  const answered = messages.findLastIndex((message) => !isSpoken(message))
  const said = messages.slice(0, answered + 1).findLastIndex(isOwn)
  return said === -1 ? messages.findLastIndex(isOwn) : said
}

function isSpokenAt(messages: readonly Message[], at: number): boolean {
  const message = messages[at]
  return message !== undefined && isSpoken(message)
}

function says(message: Message, text: string): boolean {
  return isSpoken(message) && wordsOf(message) === text.trim()
}

function wordsOf({ parts }: Message): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.join('\n').toWellFormed().trim()
}

/** Each from one user message to the next; what is before the first goes with it. */
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
    if (isSpoken(message)) user.push(wordsOf(message))
    else if (message.role === 'assistant') finalResponse = wordsOf(message) || finalResponse
  }
  const end = (messages.at(-1)?.seq ?? -1) + 1
  return user.length > 0 ? [...turns, turnTo(end)] : turns
}
