/**
 * Messages as a summarizer reads them: words in full, tool uses as facts, because three quarters of a session
 * are output. Reasoning, sealed blocks and calls with results are left out; documents are named. No line of a
 * message can pass for another speaker's label.
 */

import type { Seq } from '../../domain/ids.ts'
import type { KnownCalls, Part, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { type Span, span } from '../../domain/span.ts'
import { factLine, isWorthReporting } from '../../extract/describe-tool-use.ts'
import { digestOf } from '../../extract/message-digest.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import type { SourceMessage, SummaryPiece } from '../../ports/summary-style.ts'
import { firstCodePoints, lineOfText } from '../read-answer.ts'

export interface EntryRules {
  /** Whether each use of a tool has a line; otherwise only those that matter. */
  readonly everyTool?: boolean
  /** Whether system messages are included. */
  readonly system?: boolean
  /** The most code points of text per message. */
  readonly messageCharacters?: number | null
  /** The text for a message that has nothing to read; otherwise it is left out. */
  readonly unreadable?: string | null
}

// A line of facts, not the output again.
const toolCharacters = 600

export function entriesOf(
  messages: readonly SourceMessage[],
  calls: KnownCalls,
  rules: EntryRules = {},
): readonly Entry[] {
  const answered = new Set(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
    ),
  )
  return messages.flatMap((message) => {
    if (message.role === 'system' && !rules.system) return []
    // Agents without tools get command output as a user message.
    const digest = message.role === 'user' ? digestOf(message, new Map()) : null
    const report = digest?.by === 'tool' ? digest.text : null
    if (report !== null) return [entryOf(message, 'tool', report)]
    const whole = message.parts.flatMap(textsIn).join('\n').trim()
    const words = capped(whole, rules.messageCharacters ?? null)
    const toolLines = message.parts.flatMap((part) => toolLinesIn(part, { answered, calls, rules }))
    const lines = words === '' ? toolLines : [words, ...toolLines]
    const text = lines.join('\n') || textIfUnreadable(message, rules)
    return text === null ? [] : [entryOf(message, message.role, text)]
  })
}

export function entryOf(message: SourceMessage, role: SourceMessage['role'], text: string): Entry {
  const { seq, author, status } = message
  const incomplete = status === 'incomplete'
  return { seq, role, author, incomplete, text: escapeLabels(text.toWellFormed()), part: null }
}

function textsIn(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'file':
      return [`[File: ${lineOfText(part.name ?? part.mediaType)}]`]
    case 'resource-excerpt':
    case 'attachment-ref':
      return [`[Document: ${referenceIn(part)}]`]
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
    case 'opaque':
      return []
  }
}

interface ToolLineOptions {
  readonly answered: ReadonlySet<string>
  readonly calls: KnownCalls
  readonly rules: EntryRules
}

function toolLinesIn(part: Part, { answered, calls, rules }: ToolLineOptions): readonly string[] {
  const lines = (call: ToolCallPart | null, result: ToolResultPart | null) => {
    const use = readToolUse(call, result)
    const isLeftOut = !rules.everyTool && !isWorthReporting(use)
    return isLeftOut ? [] : [firstCodePoints(lineOfText(factLine(use)), toolCharacters)]
  }
  if (part.type === 'tool-result') return lines(calls.get(part.callId) ?? null, part)
  return part.type === 'tool-call' && !answered.has(part.callId) ? lines(part, null) : []
}

function capped(text: string, maxCodePoints: number | null): string {
  if (maxCodePoints === null) return text
  const kept = firstCodePoints(text, maxCodePoints)
  const left = text.length - kept.length
  return left === 0 ? text : `${kept} [… ${left} more characters]`
}

/** Opaque content gets a note; reasoning and calls are left out on purpose. */
function textIfUnreadable({ parts }: SourceMessage, rules: EntryRules): string | null {
  return parts.some(({ type }) => type === 'opaque') ? (rules.unreadable ?? null) : null
}

export function pieceEntries(pieces: readonly SummaryPiece[]): readonly Entry[] {
  return pieces.map(({ seq, text, isExcerpt }, index) => ({
    seq,
    role: 'segment',
    author: null,
    incomplete: isExcerpt,
    text: escapeLabels(text.toWellFormed()),
    part: pieces.length === 1 ? null : { number: index + 1, of: pieces.length },
  }))
}

/** Messages without an entry belong to the next chunk, and at the end to the last. */
export function coversOf(
  messages: readonly SourceMessage[],
  chunks: readonly (readonly Entry[])[],
  index: number,
): Span {
  const start = messages[0]?.seq ?? 0
  const end = (messages.at(-1)?.seq ?? -1) + 1
  const previousLast = chunks[index - 1]?.at(-1)?.seq
  const [first, last] = [chunks[index]?.[0]?.seq, chunks[index]?.at(-1)?.seq]
  // A message that was split is the last of one chunk and the first of the next.
  const from =
    previousLast === undefined || first === undefined ? start : Math.min(previousLast + 1, first)
  return span(from, last === undefined || index === chunks.length - 1 ? end : last + 1)
}

/** `User (Ada): …` */
export function writtenWithNames(entries: readonly Entry[]): string {
  return written(entries, (entry) => {
    const [first = '', ...rest] = entry.role
    return `${first.toUpperCase()}${rest.join('')}${detailsOf(entry)}:`
  })
}

/** `[user]: …` */
export function writtenWithRoles(entries: readonly Entry[]): string {
  return written(entries, (entry) => `[${entry.role}${detailsOf(entry)}]:`)
}

function written(entries: readonly Entry[], label: (entry: Entry) => string): string {
  return entries.map((entry) => `${label(entry)} ${entry.text}`).join('\n\n')
}

const authorCharacters = 60

function detailsOf({ author, incomplete, part }: Entry): string {
  const name = author === null ? '' : authorLabel(author)
  const details = [
    ...(name === '' ? [] : [name]),
    ...(part === null ? [] : [`part ${part.number} of ${part.of}`]),
    ...(incomplete ? ['cut off'] : []),
  ]
  return details.length === 0 ? '' : ` (${details.join(', ')})`
}

function authorLabel(author: string): string {
  return firstCodePoints(lineOfText(author.replaceAll(/[()[\]:]/g, ' ')), authorCharacters).trim()
}

export interface Entry {
  readonly seq: Seq
  /** `segment`: a summary or an excerpt of several messages. */
  readonly role: SourceMessage['role'] | 'segment'
  readonly author: string | null
  readonly incomplete: boolean
  readonly text: string
  readonly part: { readonly number: number; readonly of: number } | null
}

/** Quotes lines that look like the label of a speaker. */
function escapeLabels(text: string): string {
  return text.replaceAll(asLabel, () => '> ')
}

const asLabel = /^(?=[ \t]{0,8}\[?(?:system|user|assistant|tool|segment)\b[^\n:]{0,120}:)/gim

/** Document contents are fetched with each request, so a summary names documents only. */
const titleCharacters = 200
// With more documents, the newest are the relevant ones.
const maxReferences = 50

/** `grammar.pdf (ID: 123)`; null if the part is not a document. */
function referenceIn(part: Part): string | null {
  if (part.type !== 'resource-excerpt' && part.type !== 'attachment-ref') return null
  const short = (text: string) => firstCodePoints(lineOfText(text), titleCharacters)
  const id = short(part.type === 'resource-excerpt' ? part.resourceId : part.attachmentId)
  const name = short(part.title ?? '')
  return name === '' ? `ID: ${id}` : `${name} (ID: ${id})`
}

export function referencesWith(
  known: readonly string[],
  messages: readonly Pick<SourceMessage, 'parts'>[],
): readonly string[] {
  const found = messages.flatMap(({ parts }) => parts.flatMap((part) => referenceIn(part) ?? []))
  const newestFirst = new Set([...known, ...found].toReversed())
  return [...newestFirst].slice(0, maxReferences).toReversed()
}
