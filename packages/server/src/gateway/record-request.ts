/** Stores what a request adds to its conversation, and what the upstream answers. */
import { randomBytes } from 'node:crypto'
import type { ConversationHandle, Message, MessageInput, Seq } from 'throughline'
import { isThroughlineError } from 'throughline'
import { type CollectedAnswer, fieldsOf, listOf, textOf } from './answer.ts'
import {
  answerId,
  clientId,
  type Found,
  type FoundBy,
  findConversation,
  headerId,
  historyIdOf,
  longIdCharacters,
  passedId,
  type Search,
} from './find-conversation.ts'
import { type Entry, entriesOf, type ModelRequest, messageText } from './model-request.ts'
import { spansOf } from './tracks.ts'
import { readAnswer } from './wire.ts'

/** What kind of request it is, as `x-throughline-decision` names it. */
export type RequestClass =
  | ('new' | 'child' | 'continue' | 'edit' | 'regenerate')
  | ('after-client-compaction' | 'client-compaction' | 'side')

/** A request whose new messages are in the log. */
export interface RecordedRequest {
  readonly id: string
  readonly by: FoundBy
  readonly class: RequestClass
  readonly chat: ConversationHandle
  /** The messages of the request by their places in the log; those of an answer may be several. */
  readonly placed: ReadonlyMap<Seq, readonly number[]>
  /** Whether the request has all messages of the log, in their order. */
  readonly isWhole: boolean
  /** Cut answers that the log keeps, and the client does not have. */
  readonly dropped: readonly Seq[]
  /** Where the answer belongs. */
  readonly head: number
  readonly entries: readonly Entry[]
}

export async function recordRequest(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
): Promise<RecordedRequest> {
  const found = await findConversation(search, request, entries)
  if (found === null) return beginConversation(search, request, entries)
  const { alignment } = found
  if (isDelta(request)) return appendAll(search, request, entries, found)
  switch (alignment.kind) {
    case 'continue':
      return continueWith(search, request, entries, { ...found, known: alignment.known })
    case 'answer-changed':
      return takeClientsAnswer(search, request, entries, { ...found, known: alignment.known })
    case 'interrupted':
      return continueInterrupted(search, request, entries, { ...found, known: alignment.known })
    case 'fork':
      return forkAt(search, request, entries, { ...found, ...alignment })
    case 'client-compacted':
      return followCompaction(search, request, entries, { ...found, places: alignment.places })
  }
}

/** The upstream keeps the history, and the request has only what is new. */
export function isDelta({ body }: ModelRequest): boolean {
  return typeof body['previous_response_id'] === 'string'
}

type Known = Pick<Found, 'id' | 'by' | 'track'> & { readonly known: number }

async function beginConversation(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
): Promise<RecordedRequest> {
  const { tenant, tenantName, index, hints, given } = search
  const taken = given !== null && (await tenant.conversation(given).info()) !== null
  const id = given !== null && !taken ? given : newId(given ?? hints.client ?? 'chat')
  const parent =
    hints.parentKey === null ? [] : await index.find(tenantName, [clientId(hints.parentKey)])
  const [parentId] = parent
  const created = { meta: { gateway: { client: hints.client, api: request.wire.name } } }
  await tenant.begin(id, {
    ...created,
    ...(parentId !== undefined && { parent: { conversationId: parentId } }),
  })
  await bind(search, id)
  const target = { id, by: 'new' as const, isWhole: true, from: 0, placed: new Map() }
  const nothing = { dropped: [], before: [] }
  const kind = parentId === undefined ? 'new' : 'child'
  return appendFrom(search, request, entries, { ...target, ...nothing, class: kind })
}

async function continueWith(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { id, by, track, known }: Known,
): Promise<RecordedRequest> {
  const placed = placesOf(track.entries.slice(0, known), entries)
  const before = track.entries.slice(0, known)
  const { isWhole, dropped } = track
  const target = { id, by, isWhole, dropped, from: known, placed, before }
  return appendFrom(search, request, entries, { ...target, class: 'continue' })
}

/** Clients change an answer before they send it back: the log then has their version. */
async function takeClientsAnswer(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  found: Known,
): Promise<RecordedRequest> {
  const { id, track, known } = found
  const [seqs, indexes] = [track.entries[known - 1]?.at ?? [], entries[known - 1]?.at ?? []]
  const [seq, message] = [seqs[0], request.reading.messages[indexes[0] ?? -1]]
  if (seqs.length !== 1 || indexes.length !== 1 || seq === undefined || message === undefined)
    return forkAt(search, request, entries, { ...found, known: known - 1, why: 'edit' })
  const raw = messageText(request, indexes[0] ?? 0)
  await search.tenant.conversation(id).history.edit(`#${seq}`, { ...message, raw })
  search.tracks.drop(search, id)
  return continueWith(search, request, entries, found)
}

/** The client has no cut answer, or its own words in place of it; the log keeps that answer, beside its history. */
async function continueInterrupted(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { known, ...found }: Known,
): Promise<RecordedRequest> {
  const { history, messages } = search.tenant.conversation(found.id)
  const { entries: all, conversation, isWhole, dropped } = found.track
  const cut = all.at(-1)?.isCut === true ? all.slice(-1) : []
  const before = all.slice(0, all.length - cut.length)
  const isChanged = known < before.length
  if (isChanged) {
    const [place = 0, index = 0] = [before[known]?.at[0], entries[known]?.at[0]]
    const message = request.reading.messages[index]
    const [old] = await Array.fromAsync(messages({ from: place, to: place + 1 }))
    // Another question in its place is an edit, after which both are kept.
    if (message === undefined || old === undefined || !wordsOf(message).startsWith(wordsOf(old)))
      return forkAt(search, request, entries, { ...found, known, why: 'edit' })
    await history.edit(`#${place}`, { ...message, raw: rawOf(messageText(request, index)) })
  }
  if (cut.length > 0) {
    const places = before.flatMap(({ at }) => at)
    await search.index.setTrack(search.tenantName, found.id, spansOf(places, conversation.head))
  }
  search.tracks.drop(search, found.id)
  const track = {
    ...{ conversation, entries: before, isWhole: isWhole && cut.length === 0 },
    dropped: [...dropped, ...cut.flatMap(({ at }) => at)],
  }
  return continueWith(search, request, entries, { ...found, track, known: before.length })
}

/** Its texts, without white space at the end of each. */
function wordsOf(message: Message | MessageInput): string {
  const parts = 'parts' in message ? message.parts : message.content
  if (typeof parts === 'string') return parts.trimEnd()
  return listOf(parts)
    .map((part) => textOf(fieldsOf(part)?.['text']).trimEnd())
    .join('\n')
}

async function forkAt(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { id, by, track, known, why }: Known & { readonly why: 'edit' | 'regenerate' },
): Promise<RecordedRequest> {
  const { tenant, tenantName, index } = search
  const shared = track.entries.slice(0, known)
  const places = shared.flatMap(({ at }) => at)
  const at = Math.max(-1, ...places) + 1
  const forkId = newId(id)
  const forked = await tenant.conversation(id).history.fork(at, forkId)
  if (!forked.ok) throw new Error(`no fork of the conversation: ${forked.failure.kind}`)
  const isWhole = places.length === at
  if (!isWhole) await index.setTrack(tenantName, forkId, spansOf(places, at))
  await bind(search, forkId)
  const placed = placesOf(shared, entries)
  const dropped = track.dropped.filter((seq) => seq < at)
  const target = { id: forkId, by, isWhole, dropped, from: known, placed, before: shared }
  return appendFrom(search, request, entries, { ...target, class: why })
}

/** What the client keeps stays where it is in the log; its summary comes after everything else. */
async function followCompaction(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { id, by, track, places }: Omit<Known, 'known'> & { readonly places: readonly (number | null)[] },
): Promise<RecordedRequest> {
  const { tenant, tenantName, index, tracks } = search
  const chat = tenant.conversation(id)
  const kept = entries.map((_, at) => track.entries[places[at] ?? -1] ?? null)
  const added = entries.filter((_, at) => kept[at] === null)
  const indexes = added.flatMap(({ at }) => at)
  const { head: start } = track.conversation
  const seqs = await append(chat, request, indexes, start)
  const seqOf = new Map(indexes.map((messageAt, at) => [messageAt, seqs[at] ?? 0]))
  const history = entries.flatMap(
    (entry, at) => kept[at]?.at ?? entry.at.map((messageAt) => seqOf.get(messageAt) ?? 0),
  )
  const head = start + seqs.length
  await index.setTrack(tenantName, id, spansOf(history, head))
  tracks.drop(search, id)
  await bind(search, id)
  const placed = new Map<Seq, readonly number[]>()
  for (const [at, entry] of entries.entries()) {
    const known = kept[at]
    if (known === null || known === undefined)
      for (const messageAt of entry.at) placed.set(seqOf.get(messageAt) ?? 0, [messageAt])
    else place(placed, known.at, entry.at)
  }
  return {
    ...{ id, by, chat, placed, head, entries, isWhole: false, dropped: track.dropped },
    class: 'after-client-compaction',
  }
}

async function appendAll(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { id, by, track }: Found,
): Promise<RecordedRequest> {
  const { dropped, entries: before } = track
  const target = { id, by, isWhole: false, dropped, from: 0, placed: new Map(), before }
  return appendFrom(search, request, entries, { ...target, class: 'continue' })
}

interface Target {
  readonly id: string
  readonly by: FoundBy
  readonly class: RequestClass
  readonly isWhole: boolean
  readonly dropped: readonly Seq[]
  /** The entries of the request from here on are new. */
  readonly from: number
  readonly placed: Map<Seq, readonly number[]>
  /** The entries that the conversation has before them. */
  readonly before: readonly Entry[]
}

async function appendFrom(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
  { id, by, isWhole, dropped, from, placed, before, ...target }: Target,
): Promise<RecordedRequest> {
  const chat = search.tenant.conversation(id)
  const added = entries.slice(from)
  const indexes = added.flatMap(({ at }) => at)
  const start = (await chat.info())?.head ?? 0
  const seqs = await append(chat, withLogIds(request, before, entries), indexes, start)
  for (const [at, messageAt] of indexes.entries()) placed.set(seqs[at] ?? 0, [messageAt])
  let next = start
  const stored = added.map((entry) => ({ ...entry, at: entry.at.map(() => next++) }))
  if (stored.length > 0) await search.tracks.extend(search, id, stored)
  const head = start + seqs.length
  return {
    id,
    by,
    class: target.class,
    chat,
    placed,
    isWhole,
    dropped,
    head,
    entries: [...before, ...stored],
  }
}

/**
 * Gemini sends calls without ids, and its clients make some: the results of the newest calls get the ids that these
 * have in the log.
 */
function withLogIds(
  request: ModelRequest,
  before: readonly Entry[],
  entries: readonly Entry[],
): ModelRequest {
  const { wire, reading } = request
  const at = before.findLastIndex(({ role }) => role === 'assistant')
  const [known, asked] = [before[at]?.callIds ?? [], entries[at]?.callIds ?? []]
  if (wire.name !== 'gemini-contents' || known.length !== asked.length) return request
  const logIds = new Map(asked.map((id, index) => [id, known[index] ?? id]))
  const named = <Part>(part: Part): Part => {
    const logId = logIds.get(textOf(fieldsOf(part)?.['callId']))
    return logId === undefined ? part : { ...part, callId: logId }
  }
  const messages = reading.messages.map((message) =>
    typeof message.content === 'string'
      ? message
      : { ...message, content: message.content.map(named) },
  )
  return { ...request, reading: { ...reading, messages } }
}

/** Durable when it resolves. */
async function append(
  chat: ConversationHandle,
  request: ModelRequest,
  indexes: readonly number[],
  head: number,
): Promise<readonly Seq[]> {
  if (indexes.length === 0) return []
  const messages = indexes.flatMap((at): readonly MessageInput[] => {
    const message = request.reading.messages[at]
    return message === undefined ? [] : [{ ...message, raw: rawOf(messageText(request, at)) }]
  })
  const { entries } = await chat.append(messages, { head })
  return entries.map(({ seq }) => seq)
}

/** A text with half a surrogate pair has no UTF-8; JSON writes it with an escape, so this is one. */
function rawOf(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}

function placesOf(known: readonly Entry[], asked: readonly Entry[]): Map<Seq, readonly number[]> {
  const placed = new Map<Seq, readonly number[]>()
  for (const [at, { at: seqs }] of known.entries()) place(placed, seqs, asked[at]?.at ?? [])
  return placed
}

/** An answer that has other pieces at the client is all at the place of its first. */
function place(
  placed: Map<Seq, readonly number[]>,
  seqs: readonly Seq[],
  indexes: readonly number[],
): void {
  const isSplit = seqs.length !== indexes.length
  for (const [at, seq] of seqs.entries())
    placed.set(seq, isSplit ? (at === 0 ? indexes : []) : [indexes[at] ?? 0])
}

async function bind({ index, tenantName, hints, given }: Search, id: string): Promise<void> {
  const ids = [
    ...(given === null ? [] : [headerId(given)]),
    ...(hints.key === null ? [] : [clientId(hints.key)]),
  ]
  if (ids.length > 0) await index.add(tenantName, id, ids)
}

function newId(base: string): string {
  const short = base.replace(/~[\w-]{12}$/, '').slice(0, 200)
  return `${short}~${randomBytes(9).toString('base64url')}`
}

export interface AnswerToStore {
  readonly answer: CollectedAnswer
  /** Whether the stream ended as it should. */
  readonly isWhole: boolean
  /** The fingerprint of the context that was sent, if one was made. */
  readonly fingerprint: string | null
}

/** Stores an answer where its request ended; if the conversation has newer messages, in a fork. */
export async function recordAnswer(
  search: Search,
  recorded: RecordedRequest,
  request: ModelRequest,
  { answer, isWhole, fingerprint }: AnswerToStore,
): Promise<void> {
  const { tenantName, index, tracks } = search
  const status = isWhole && answer.isComplete ? 'complete' : 'incomplete'
  const messages = readAnswer(request.wire, request.body, answer.messages)
  if (messages.length === 0) return
  const stored = messages.map((message) => ({ ...message, status }) as const)
  const usage = answer.usage
  const reported = usage === null || fingerprint === null ? {} : { usage, of: fingerprint }
  let { id, head } = recorded
  try {
    await recorded.chat.append(stored, { head, ...reported })
  } catch (error) {
    if (!isThroughlineError(error) || error.code !== 'LOG_MOVED') throw error
    id = newId(id)
    const forked = await recorded.chat.history.fork(head, id)
    if (!forked.ok) throw error
    await forked.value.append(stored, { head })
    await bind(search, id)
  }
  const entries = entriesOf(stored.map((message, at) => ({ message, at: head + at })))
  await tracks.extend(search, id, entries)
  const ids = answer.ids.filter((each) => each.length >= longIdCharacters)
  const history = historyIdOf([...recorded.entries, ...entries])
  const answers = entries.filter(({ isDistinct }) => isDistinct).map(answerId)
  await index.add(tenantName, id, [...ids.map(passedId), ...answers, history])
}
