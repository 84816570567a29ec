/** A request to a model: its text, its values, and where its messages are in the text. */
import { createHash } from 'node:crypto'
import { comparisonHash, type MessageInput } from 'throughline'
import { type Fields, fieldsOf, listOf, textOf } from './answer.ts'
import { fieldSpans, itemSpans, type TextSpan, textAt } from './raw-json.ts'
import type { Wire } from './wire.ts'

type Reading = ReturnType<Wire['read']>

export interface ModelRequest {
  readonly wire: Wire
  readonly text: string
  readonly body: Fields
  readonly model: string
  readonly isStream: boolean
  readonly reading: Reading
  /** The value of the field with the messages. */
  readonly listSpan: TextSpan
  /** Where each message of the reading is in the text. */
  readonly spans: readonly TextSpan[]
  /** System prompts at the start of the list, which are no messages of the reading. */
  readonly opening: readonly TextSpan[]
  /** Messages of the reading that the text has with repeated results, without these. */
  readonly unrepeated: ReadonlyMap<number, string>
}

/** Null for a body that the adapter cannot read: it is the upstream's to refuse. */
export function readModelRequest(
  wire: Wire,
  text: string,
  { model, isStream }: { readonly model: string | null; readonly isStream: boolean },
): ModelRequest | null {
  try {
    const body = fieldsOf(JSON.parse(text))
    if (body === null) return null
    const named = model ?? body['model']
    if (typeof named !== 'string' || named === '') return null
    const reading = wire.read(body)
    const listSpan = fieldSpans(text).get(wire.list)
    if (listSpan === undefined) return null
    const isList = Array.isArray(body[wire.list])
    const all = isList ? itemSpans(text, listSpan) : [listSpan]
    const openingCount = all.length - reading.messages.length
    if (openingCount < 0 || reading.messages.length === 0) return null
    const spans = all.slice(openingCount)
    const repeats = wire.name === 'gemini-contents' ? repeatsIn(text, spans) : noRepeats
    return {
      ...{ wire, text, body, model: named, listSpan, spans },
      reading: { ...reading, messages: reading.messages.map(withoutParts(repeats)) },
      isStream: isStream || body['stream'] === true,
      opening: all.slice(0, openingCount),
      unrepeated: new Map(
        [...repeats].map(([at, dropped]) => {
          const span = spans[at] ?? listSpan
          return [at, withoutItems(textAt(text, span), dropped)]
        }),
      ),
    }
  } catch {
    return null
  }
}

type Repeats = ReadonlyMap<number, ReadonlySet<number>>
const noRepeats: Repeats = new Map()

/**
 * Gemini CLI repeats results, and the files beside them, in sessions that it resumes. By contents, the places of
 * such parts.
 */
function repeatsIn(text: string, spans: readonly TextSpan[]): Repeats {
  const repeats = new Map<number, ReadonlySet<number>>()
  for (const [at, span] of spans.entries()) {
    const content = textAt(text, span)
    if (content.split('"functionResponse"').length < 3) continue
    const parts = partTexts(content)
    const again = parts.flatMap((part, index) => (parts.indexOf(part) < index ? [index] : []))
    // Without an id, two results may be equal by chance.
    const isNamed = again.some((index) => /"functionResponse".*"id"/s.test(parts[index] ?? ''))
    if (isNamed) repeats.set(at, new Set(again))
  }
  return repeats
}

function partTexts(content: string): readonly string[] {
  const span = fieldSpans(content).get('parts')
  return span === undefined ? [] : itemSpans(content, span).map((item) => textAt(content, item))
}

function withoutItems(content: string, dropped: ReadonlySet<number>): string {
  const span = fieldSpans(content).get('parts')
  if (span === undefined) return content
  const kept = partTexts(content).filter((_, index) => !dropped.has(index))
  return `${content.slice(0, span.start)}[${kept.join(',')}]${content.slice(span.end)}`
}

function withoutParts(repeats: Repeats) {
  return (message: MessageInput, at: number): MessageInput => {
    const dropped = repeats.get(at)
    if (dropped === undefined || typeof message.content === 'string') return message
    return { ...message, content: message.content.filter((_, index) => !dropped.has(index)) }
  }
}

/** The same request with each result once. */
export function bodyWithoutRepeats(request: ModelRequest): string {
  const { text, listSpan, opening, spans } = request
  const items = [
    ...opening.map((span) => textAt(text, span)),
    ...spans.map((_, index) => messageText(request, index)),
  ]
  return `${text.slice(0, listSpan.start)}[${items.join(',')}]${text.slice(listSpan.end)}`
}

/** The original text of a message, as an item of the list. */
export function messageText(request: ModelRequest, index: number): string {
  const without = request.unrepeated.get(index)
  if (without !== undefined) return without
  const span = request.spans[index]
  const text = span === undefined ? '' : textAt(request.text, span)
  // Responses take a plain text in place of a list with one message.
  return text.startsWith('"') ? `{"role":"user","content":${text}}` : text
}

/** A message of the user or of a tool, or an answer, which may be several messages. */
export interface Entry {
  readonly role: MessageInput['role']
  readonly key: string
  /** The key if its reasoning were text, as some clients send it to another model; null without reasoning. */
  readonly spokenKey: string | null
  /** Ids of the calls in it, sorted; names where the API needs no ids. */
  readonly calls: string
  /** Ids of the calls in it, in their order. */
  readonly callIds: readonly string[]
  /** Whether it is long enough that no other conversation has the same by chance. */
  readonly isDistinct: boolean
  /** An answer whose stream was cut. */
  readonly isCut: boolean
  /** Places of its messages, ascending. */
  readonly at: readonly number[]
}

interface Placed {
  readonly message: Parameters<typeof comparisonHash>[0][number] & Pick<MessageInput, 'status'>
  readonly at: number
}

/** Consecutive messages of the model are one entry: clients split answers, and put them together. */
export function entriesOf(
  messages: readonly Placed[],
  contentOf: (group: readonly Placed[], make: () => EntryContent) => EntryContent = (_, make) =>
    make(),
): readonly Entry[] {
  const groups: Placed[][] = []
  for (const placed of messages) {
    const last = groups.at(-1)
    if (placed.message.role === 'assistant' && last?.[0]?.message.role === 'assistant')
      last.push(placed)
    else groups.push([placed])
  }
  const unnamed = callsByName(messages)
  return groups.map((group) => {
    const members = group.map(({ message }) => withCallsByName(message, unnamed))
    const content = contentOf(group, () => ({
      key: comparisonHash(members),
      spokenKey: spokenKeyOf(members),
      calls: members.flatMap(callIdsOf).sort().join(' '),
      callIds: group.flatMap(({ message }) => callIdsOf(message)),
      isDistinct:
        members.reduce((sum, member) => sum + textLength(member), 0) >= distinctCharacters,
    }))
    const isCut = members.some(({ status }) => status === 'incomplete')
    return { ...content, isCut, role: members[0]?.role ?? 'user', at: group.map(({ at }) => at) }
  })
}

/** The names of Gemini's calls by their ids, which its clients make, change and leave out. */
function callsByName(messages: readonly Placed[]): ReadonlyMap<unknown, unknown> {
  const names = new Map<unknown, unknown>()
  for (const { message } of messages)
    for (const part of partsOf(message)) {
      const { type, callId, name, metadata } = fieldsOf(part) ?? {}
      if (type === 'tool-call' && fieldsOf(metadata)?.['google'] !== undefined)
        names.set(callId, name)
    }
  return names
}

function withCallsByName(
  message: Placed['message'],
  names: ReadonlyMap<unknown, unknown>,
): Placed['message'] {
  const byName = <Part>(part: Part): Part => {
    const { callId } = fieldsOf(part) ?? {}
    return names.has(callId) ? { ...part, callId: String(names.get(callId)) } : part
  }
  if (names.size === 0) return message
  if ('parts' in message) return { ...message, parts: message.parts.map(byName) }
  const { content } = message
  return typeof content === 'string' ? message : { ...message, content: content.map(byName) }
}

function partsOf(message: Placed['message']): readonly unknown[] {
  return listOf('parts' in message ? message.parts : message.content)
}

type EntryContent = Pick<Entry, 'key' | 'spokenKey' | 'calls' | 'callIds' | 'isDistinct'>

/** Most messages were in the request before, in the same bytes: their keys are remembered by these. */
export function requestEntries(request: ModelRequest): readonly Entry[] {
  const { reading, wire } = request
  const placed = reading.messages.map((message, at) => ({ message, at }))
  // Gemini has calls without ids, which get one from their place.
  if (wire.name === 'gemini-contents') return entriesOf(placed)
  return entriesOf(placed, (group, make) => {
    const hash = createHash('sha256').update(wire.name)
    for (const { at } of group) hash.update('\n').update(messageText(request, at))
    const name = hash.digest('base64')
    const known = remembered.get(name)
    if (known !== undefined) return known
    const made = make()
    if (remembered.size >= rememberedAtMost) remembered.clear()
    remembered.set(name, made)
    return made
  })
}

const remembered = new Map<string, EntryContent>()
const rememberedAtMost = 100_000

const distinctCharacters = 32

function spokenKeyOf(messages: readonly Placed['message'][]): string | null {
  let hasReasoning = false
  const inText = <Part>(part: Part): Part => {
    const { type, text } = fieldsOf(part) ?? {}
    if (type !== 'reasoning' || typeof text !== 'string' || text === '') return part
    hasReasoning = true
    return { type: 'text', text } as Part
  }
  const spoken = messages.map((message): Placed['message'] => {
    if ('parts' in message) return { ...message, parts: message.parts.map(inText) }
    const { content } = message
    return { ...message, content: typeof content === 'string' ? content : content.map(inText) }
  })
  return hasReasoning ? comparisonHash(spoken) : null
}

/** Of its texts and signatures; those of calls and results do not count. */
function textLength(message: Placed['message']): number {
  const content = 'parts' in message ? message.parts : message.content
  if (typeof content === 'string') return content.length
  return listOf(content).reduce((sum: number, part) => {
    const { text, signature } = fieldsOf(part) ?? {}
    return sum + textOf(text).length + textOf(signature).length
  }, 0)
}

function callIdsOf(message: Placed['message']): readonly string[] {
  return partsOf(message).flatMap((part) => {
    const { type, callId } = fieldsOf(part) ?? {}
    return type === 'tool-call' && typeof callId === 'string' ? [callId] : []
  })
}
