/** The messages of the log as a request has them: whole ones and stubs in order, and what was recalled for them. */
import type { ContextMessage, Repair, SlotKind } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { Insert, StubbedMessage, View } from '../../domain/view.ts'
import { repairMessages } from './repair.ts'
import { recalledMessage } from './slots.ts'

export interface ShownOfLog {
  readonly view: Pick<View, 'line' | 'stubs'>
  /** Those that are shown whole, from the line on and kept ones before it, in order. */
  readonly messages: readonly Message[]
  /** Of the epoch. */
  readonly inserts: readonly Insert[]
}

export interface LogMessages {
  /** Before the line. */
  readonly kept: readonly ContextMessage[]
  readonly recent: readonly ContextMessage[]
  /** From the newest thing that a user said on. */
  readonly current: readonly ContextMessage[]
  readonly repairs: readonly Repair[]
}

export function logMessages(shown: ShownOfLog): LogMessages {
  const { messages, repairs } = repairMessages(shownMessages(shown))
  return { ...splitAtCurrent(withInserts(messages, shown), shown.view.line), repairs }
}

/** What was recalled stands before the message that it was recalled for, if that is shown. */
function withInserts(
  messages: readonly ContextMessage[],
  { inserts, messages: whole, view }: ShownOfLog,
): readonly ContextMessage[] {
  if (inserts.length === 0) return messages
  const hashes = new Map(whole.map(({ seq, hashes: { content } }) => [seq, content]))
  const isOf = ({ before, of }: Insert) => {
    const hash = hashes.get(before)
    return before >= view.line && (hash === undefined || hash === of)
  }
  const inForce = new Map(inserts.filter(isOf).map((insert) => [insert.before, insert]))
  return messages.flatMap((message) => {
    const insert = message.seq === null ? undefined : inForce.get(message.seq)
    if (insert === undefined || message.role !== 'user') return [message]
    inForce.delete(insert.before)
    return [recalledMessage(insert), message]
  })
}

/** Whole messages and stubs in the order of their places. */
function shownMessages({ messages, view }: ShownOfLog): readonly ContextMessage[] {
  const shown: ContextMessage[] = []
  let at = 0
  const stubBefore = (seq: Seq) => {
    for (let stub = view.stubs[at]; stub !== undefined && stub.seq < seq; stub = view.stubs[at]) {
      shown.push(contextStub(stub))
      at += 1
    }
  }
  for (const message of messages) {
    if (isRemoved(message)) continue
    stubBefore(message.seq)
    shown.push(contextMessage(message))
  }
  stubBefore(Number.POSITIVE_INFINITY)
  return shown
}

function contextMessage({ role, author, parts, meta, seq }: Message): ContextMessage {
  return { role, author, parts, meta, seq, slot: 'recent' }
}

function contextStub({ role, author, parts, seq }: StubbedMessage): ContextMessage {
  return { role, author, parts, meta: null, seq, slot: 'recent' }
}

function splitAtCurrent(
  messages: readonly ContextMessage[],
  line: Seq,
): Omit<LogMessages, 'repairs'> {
  const isKept = ({ seq }: ContextMessage) => seq !== null && seq < line
  const kept = messages.filter(isKept)
  const rest = messages.filter((message) => !isKept(message))
  const said = rest.findLastIndex(({ role }) => role === 'user')
  const from = said === -1 ? rest.length : said
  const inSlot = (slot: SlotKind) => (message: ContextMessage) =>
    message.slot === slot ? message : { ...message, slot }
  return {
    kept: kept.map(inSlot('earlier')),
    recent: rest.slice(0, from),
    current: rest.slice(from).map(inSlot('current')),
  }
}
