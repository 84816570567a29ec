/** Puts a view and its messages into the order of a request. Same input, same bytes (invariant 7). */
import {
  type ContextMessage,
  type CoreSlot,
  isCoreSlot,
  type Omission,
  type Repair,
  type SlotKind,
} from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, TextPart } from '../../domain/message.ts'
import type { Policy } from '../../domain/policy.ts'
import type { OfferedTools } from '../../domain/recall.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { Insert, ShownView } from '../../domain/view.ts'
import { textPart } from '../text/sanitize-message.ts'
import type { ShownExtension } from './fixed-texts.ts'
import { repairMessages } from './repair.ts'
import {
  derivedMessage,
  type Filled,
  historyMessages,
  isInsertOf,
  missingNote,
  pinBlock,
  recalledMessage,
} from './slots.ts'

export interface AssembleInput {
  readonly view: ShownView
  readonly messages: readonly Message[]
  readonly inserts: readonly Insert[]
  readonly pinned: readonly Message[]
  readonly profile: Filled
  readonly retrieved: Filled
  readonly extension: Pick<ShownExtension, 'messages' | 'omitted' | 'coveredTo'>
  readonly system: readonly TextPart[]
  /** Our tools that find hidden messages; null if the request offers none. */
  readonly offered: OfferedTools | null
  readonly policy: Policy
}

export interface Assembled {
  readonly system: readonly TextPart[]
  readonly messages: readonly ContextMessage[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
  /** How many messages form the stable prefix that the next request should start with too. */
  readonly stable: number
}

export function assemble(input: AssembleInput): Assembled {
  const { view, policy } = input
  const repaired = repairMessages(shownMessages(input))
  const log = splitAtCurrent(withInserts(repaired.messages, input), view.line)
  const prefix = keptPrefix(log.kept, policy)
  const pins = input.pinned.filter(({ seq }) => seq < view.line && !view.keeps.includes(seq))
  const history = historyMessages(view)
  // The summary gets the system role only if all of its sources are text by people and models.
  const isWrittenText =
    (view.history?.written ?? view.history?.digest?.digest)?.withoutTools === true
  const summary = isWrittenText
    ? history.summary.map((message) => withRole(message, policy))
    : history.summary
  const slots: Readonly<Record<CoreSlot, readonly ContextMessage[]>> = {
    system: [],
    profile: input.profile.messages,
    // A pin may contain text from a file or a tool, so it never gets the system role.
    pins: pins.map(pinBlock),
    ledger: [...history.requests.filter(({ slot }) => slot === 'ledger'), ...history.ledger],
    files: history.files,
    summary: [...summary, ...history.requests.filter(({ slot }) => slot === 'summary')],
    earlier: [...missingNotes(input), ...log.kept.slice(prefix.length)],
    recent: log.recent,
    // Inserts are already among the messages, each before the message that it was recalled for.
    recalled: [],
    retrieved: input.retrieved.messages,
    current: log.current,
  }
  const filled = policy.slots.flatMap(({ kind }) =>
    isCoreSlot(kind) ? slots[kind] : input.extension.messages.filter(({ slot }) => slot === kind),
  )
  const merged = mergeIntoSystem([...prefix, ...filled], input.system, policy)
  // An empty conversation stays empty, and the caller is warned.
  const isEmpty = view.line === 0 && input.messages.length === 0 && merged.messages.length === 0
  const ended = isEmpty ? noEnds : withRequiredEnds(merged.messages)
  // Slots after the messages move whenever a message is appended, so they are not stable.
  const order = policy.slots.map(({ kind }) => kind)
  const afterRecent = new Set(order.slice(order.indexOf('recent') + 1))
  afterRecent.delete('current')
  const volatileFrom = ended.messages.findIndex(({ slot }) => afterRecent.has(slot))
  return {
    system: merged.system,
    messages: ended.messages,
    omitted: [
      ...omissions(view, input.pinned),
      ...input.extension.omitted,
      ...input.profile.omitted,
      ...input.retrieved.omitted,
    ],
    repairs: [...repaired.repairs, ...ended.repairs],
    stable: volatileFrom === -1 ? ended.messages.length - ended.endingMessages : volatileFrom,
  }
}

/** Keeps from the start of the log stay first, so a compaction keeps the cached prefix. */
function keptPrefix(kept: readonly ContextMessage[], { derivedRole }: Policy) {
  // Providers want system messages before all others.
  if (derivedRole === 'system-message' || kept[0]?.role !== 'user') return []
  const end = kept.findIndex(({ seq }, index) => seq !== index)
  return end === -1 ? kept : kept.slice(0, end)
}

/** Says which messages are missing, and names the tools that find them. */
function missingNotes({
  view,
  extension,
  offered,
  policy,
}: AssembleInput): readonly ContextMessage[] {
  const { line, history, keeps, stubs } = view
  // The label of a digest says which messages it covers, and so does an extension.
  const needsRange = line > extension.coveredTo && (history === null || history.summary === '')
  const tools = line > 0 || stubs.length > 0 ? offered : null
  if (!needsRange && tools === null) return []
  const span = needsRange ? { from: extension.coveredTo, to: line } : null
  return [withRole(missingNote(span, keeps.length > 0, tools), policy)]
}

function withRole(message: ContextMessage, { derivedRole }: Policy): ContextMessage {
  return derivedRole === 'user-message' ? message : { ...message, role: 'system' }
}

function mergeIntoSystem(
  messages: readonly ContextMessage[],
  system: readonly TextPart[],
  { derivedRole }: Policy,
) {
  if (derivedRole !== 'merged-into-system') return { system, messages }
  const isMerged = ({ role, seq, parts }: ContextMessage) =>
    role === 'system' && seq === null && parts.every(({ type }) => type === 'text')
  const texts = messages.filter(isMerged).flatMap(({ parts }) => parts)
  return {
    system: [...system, ...texts.filter((part) => part.type === 'text')],
    messages: messages.filter((message) => !isMerged(message)),
  }
}

function omissions(view: ShownView, pinned: readonly Message[]): readonly Omission[] {
  const { line, keeps, stubs } = view
  const shown = [...new Set([...keeps, ...pinned.map(({ seq }) => seq)])]
    .filter((seq) => seq < line)
    .sort((left, right) => left - right)
  const omitted: Omission[] = []
  let from = 0
  for (const seq of [...shown, line]) {
    if (seq > from) omitted.push({ span: { from, to: seq }, why: 'left-out', tokens: null })
    from = seq + 1
  }
  for (const { seq, wholeTokens, size } of stubs) {
    const span = { from: seq, to: seq + 1 }
    omitted.push({ span, why: 'stubbed', tokens: wholeTokens - size.tokens })
  }
  return omitted
}

const noEnds = { messages: [], repairs: [], endingMessages: 0 } as const

/** Providers refuse requests that do not open with a user message, or that end with the assistant. */
function withRequiredEnds(messages: readonly ContextMessage[]) {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const opening: ContextMessage[] = []
  const ending: ContextMessage[] = []
  const repairs: Repair[] = []
  if (spoken.length > 0 && spoken[0]?.role !== 'user') {
    opening.push(derivedMessage('earlier', [textPart('[the conversation begins]')]))
    repairs.push({ kind: 'opening-added', seq: null })
  }
  if (spoken.length === 0 || spoken.at(-1)?.role === 'assistant') {
    ending.push(derivedMessage('current', [textPart('[No new message. Continue.]')]))
    repairs.push({ kind: 'ending-added', seq: null })
  }
  return {
    messages: [...opening, ...messages, ...ending],
    repairs,
    endingMessages: ending.length,
  }
}

function withInserts(
  messages: readonly ContextMessage[],
  { inserts, messages: logMessages, view }: AssembleInput,
): readonly ContextMessage[] {
  if (inserts.length === 0) return messages
  const bySeq = new Map(logMessages.map((message) => [message.seq, message]))
  // An edit of the message ends its insert; another spelling of it does not.
  const isInForce = (insert: Insert) => {
    const { before } = insert
    const message = bySeq.get(before)
    const isSame = message === undefined || isInsertOf(insert, message)
    return isSame && (before >= view.line || view.keeps.includes(before))
  }
  const inForce = new Map(inserts.filter(isInForce).map((insert) => [insert.before, insert]))
  return messages.flatMap((message) => {
    const insert = message.seq === null ? undefined : inForce.get(message.seq)
    if (insert === undefined || message.role !== 'user') return [message]
    inForce.delete(insert.before)
    return [recalledMessage(insert), message]
  })
}

/** The messages of the log that are shown, with the stubs between them. */
function shownMessages({ messages, view }: AssembleInput): readonly ContextMessage[] {
  const whole = messages.filter((message) => !isRemoved(message))
  const stubs = view.stubs.map((stub) => ({ ...stub, meta: null, origin: null }))
  const slot = 'recent'
  return [...whole, ...stubs]
    .sort((left, right) => left.seq - right.seq)
    .map(({ role, author, parts, meta, seq, origin }) => ({
      ...{ role, author, parts, meta, seq, slot },
      ...(origin && { origin }),
    }))
}

/** Splits messages: kept ones before the line, recent ones, and those from the newest user message. */
function splitAtCurrent(messages: readonly ContextMessage[], line: Seq) {
  const isKept = ({ slot, seq }: ContextMessage, at: number): boolean => {
    const next = messages[at + 1]
    // What was recalled for a kept message stays before it.
    if (slot === 'recalled' && next !== undefined) return isKept(next, at + 1)
    return seq !== null && seq < line
  }
  const rest = messages.filter((message, at) => !isKept(message, at))
  const newestUser = rest.findLastIndex(({ role }) => role === 'user')
  const from = newestUser === -1 ? rest.length : newestUser
  const inSlot = (slot: SlotKind) => (message: ContextMessage) =>
    message.slot === slot || message.slot === 'recalled' ? message : { ...message, slot }
  return {
    kept: messages.filter(isKept).map(inSlot('earlier')),
    recent: rest.slice(0, from),
    current: rest.slice(from).map(inSlot('current')),
  }
}
