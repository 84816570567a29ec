/** Builds the blocks beside the messages, delimited and labelled with what they cover (invariants 14 and 15). */
import {
  type ContextMessage,
  noSize,
  type Omission,
  type Size,
  type SlotKind,
} from '../../domain/context.ts'
import { dataBlock, requestsLabel, wordsBlock } from '../../domain/data-block.ts'
import { shortHash, spellingText } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import type { OfferedTools } from '../../domain/recall.ts'
import type { Span } from '../../domain/span.ts'
import { digestHeading } from '../../domain/summary.ts'
import type { HistoryBlocks, Insert, View } from '../../domain/view.ts'
import { createBoundedCache, getOrMake } from '../text/bounded-cache.ts'
import { partText } from '../text/message-text.ts'
import { sanitizeMessage, sanitizeName, textPart } from '../text/sanitize-message.ts'

/** The messages of a slot, and what had no room in it. */
export interface Filled {
  readonly messages: readonly ContextMessage[]
  readonly omitted: readonly Omission[]
}

export interface FilledExtension extends Filled {
  readonly size: Size
}

export const noExtension: FilledExtension = { messages: [], omitted: [], size: noSize }

/** Shows nothing of the extension and reports that as an omission. */
export function omittedExtension({ size }: Pick<FilledExtension, 'size'>): FilledExtension {
  const tokens = size.tokens === 0 ? null : size.tokens
  return { ...noExtension, omitted: [{ span: null, why: 'over-share', tokens }] }
}

/** Whether a text was recalled for this message, in any spelling. */
export function isInsertOf({ of }: Pick<Insert, 'of'>, message: Message): boolean {
  return of === message.hashes.content || of === shortHash(spellingText(message))
}

/** Says which messages are missing and, where the request offers tools for it, how to get them. */
export function missingNote(
  /** The missing messages; null where only the tools are named. */
  span: Span | null,
  /** Whether some of them are shown all the same. */
  hasKeeps: boolean,
  offered: OfferedTools | null,
): ContextMessage {
  const { recall = null, expand = null } = offered ?? {}
  const sentences = [
    ...(span === null ? [] : [missingText(span, hasKeeps)]),
    ...(recall === null ? [] : [`Search everything left out with ${quoted(recall)}.`]),
    ...(expand === null ? [] : [`Open an anchor such as #12 with ${quoted(expand)}.`]),
  ]
  return derivedMessage('earlier', [textPart(`[${sentences.join(' ')}]`)])
}

function missingText({ from, to }: Span, hasKeeps: boolean): string {
  if (to === from + 1) return `Message #${from} is left out.`
  return `Messages ${spanText(to, from)} are left out${hasKeeps ? ', except those shown' : ''}.`
}

function quoted(name: string): string {
  return `\`${sanitizeName(name).replace(/[\p{Cc}`[\]]/gu, ' ')}\``
}

type HistorySlot = 'summary' | 'ledger' | 'files'
type HistoryMessages = Readonly<Record<HistorySlot | 'requests', readonly ContextMessage[]>>

const noHistory: HistoryMessages = { requests: [], summary: [], ledger: [], files: [] }
// A view is rendered for many requests, and its blocks are the same each time.
const renderedBlocks = new WeakMap<
  HistoryBlocks,
  { readonly line: Seq; readonly messages: HistoryMessages }
>()

export function historyMessages(view: Pick<View, 'line' | 'history'>): HistoryMessages {
  const { line, history } = view
  if (history === null) return noHistory
  const render = () => ({ line, messages: renderBlocks(line, history) })
  return getOrMake(renderedBlocks, history, render, (cached) => cached.line === line).messages
}

function renderBlocks(line: Seq, history: HistoryBlocks): HistoryMessages {
  const { written, described, ledgerTo } = history
  const block = (slot: HistorySlot, label: string, text: string, delimit = dataBlock) =>
    text === '' ? [] : [derivedMessage(slot, [textPart(delimit(label, text))])]
  const completeness = history.requestsCut ? 'incomplete, … marks a cut' : 'complete'
  const requestsText = `${requestsLabel}; ${completeness}`
  const hiddenEntries = history.entries - history.entriesShown
  const entriesNote = hiddenEntries > 0 ? `; ${hiddenEntries} more entries left out` : ''
  const ledgerLabel = `ledger of messages ${spanText(ledgerTo)}${entriesNote}`
  // Requests normally share the `summary` budget. A tool-lines digest needs all of it, so the
  // requests go to `ledger`.
  const requestsSlot = history.digest === null ? 'summary' : 'ledger'
  const isByPerson = written?.by === 'person' && described === 0
  const delimitSummary = isByPerson ? wordsBlock : dataBlock
  const { heading, text } = splitHeading(history)
  const delimitHeaded = (label: string, content: string) =>
    `${heading}${delimitSummary(label, content)}`
  return {
    requests: block(requestsSlot, requestsText, history.requests, wordsBlock),
    summary: block('summary', digestLabel(line, history), text, delimitHeaded),
    ledger: block('ledger', ledgerLabel, history.ledger),
    files: block('files', 'excerpts of files as last read or edited', history.files),
  }
}

/** The headings of published designs come first in the message, before the mark of the block. */
function splitHeading({ summary, digest, written }: HistoryBlocks) {
  const found = designHeadings.find((each) => summary.startsWith(each))
  if (found !== undefined && written?.by === 'model')
    return { heading: `${found.trimEnd()}\n`, text: summary.slice(found.length) }
  return { heading: digest === null ? '' : `${digestHeading}\n`, text: summary }
}

const designHeadings = [`${digestHeading}\n`, 'PREVIOUS CONVERSATION SUMMARY: ']

/** The tag `summary-depth` counts the summaries that were made from one another. */
function digestLabel(line: Seq, { written, described }: HistoryBlocks): string {
  const from = written?.to ?? 0
  const messages = line - from
  const isPart = described !== null && described < messages
  const amount = isPart ? `${described} of the ${messages} messages` : 'messages'
  const digest = `digest of ${amount} ${spanText(line, from)}, written by rules`
  if (written === null) return digest
  const summary = `summary of messages ${spanText(from)}, written by a ${written.by}`
  const thenDigest = messages > 0 && described !== 0 ? `; then ${digest}` : ''
  return `${summary}${thenDigest} · summary-depth:${written.depth}`
}

function spanText(to: Seq, from: Seq = 0): string {
  return to === from + 1 ? `#${from}` : `#${from} to #${to - 1}`
}

/** The excerpts may come from tools, so they are data. */
export function recalledMessage(insert: Pick<Insert, 'text'>): ContextMessage {
  // An insert is in many requests; the same object lets the meter cache its size.
  return insertMessages.get(insert.text, () =>
    derivedMessage('recalled', [textPart(dataBlock(recalledLabel, insert.text))]),
  )
}

const recalledLabel = 'excerpts of older messages, found by searching with the next message'
const insertMessages = createBoundedCache<ContextMessage>(256)

export function pinBlock(message: Message): ContextMessage {
  const { parts } = sanitizeMessage({ ...message, slot: 'pins' })
  const label = `pinned message #${message.seq} of the ${message.author ?? message.role}`
  const text = parts.flatMap(pinnedText).join('\n')
  // The user's own words bind; documents and results among them would not.
  const isUserText = message.role === 'user' && parts.every(({ type }) => type === 'text')
  const block = isUserText ? wordsBlock(label, text) : dataBlock(label, text)
  return derivedMessage('pins', [textPart(block), ...parts.flatMap(filesOf)])
}

/** Pictures and other files, also those inside a result. */
export function filesOf(part: Part): readonly Part[] {
  if (part.type === 'file') return [part]
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return []
  return part.output.parts.filter(({ type }) => type === 'file')
}

function pinnedText(part: Part): readonly string[] {
  switch (part.type) {
    case 'tool-result':
      return textsOfOutput(part.output, pinnedText)
    case 'attachment-ref':
      return [`attachment ${part.title ?? part.attachmentId}`]
    case 'file':
      return []
    default:
      return [partText(part)]
  }
}

/** A message that we render: it has no place in the log. */
export function derivedMessage(slot: SlotKind, parts: readonly Part[]): ContextMessage {
  return { role: 'user', author: null, parts, meta: null, seq: null, slot }
}
