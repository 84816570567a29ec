/** Texts beside the messages are data, delimited and labelled (invariants 14 and 15). */
import type { ContextMessage, Omission, SlotKind } from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import type { Seq } from '../../domain/ids.ts'
import {
  type Message,
  type Part,
  type ResourceExcerptPart,
  textsOfOutput,
} from '../../domain/message.ts'
import type { OfferedTools } from '../../domain/recall.ts'
import type { Insert, Past, View } from '../../domain/view.ts'
import type { RetrievedPiece } from '../check/check-request.ts'
import { createBoundedCache, getOrMake } from '../text/bounded-cache.ts'
import { excerpt } from '../text/excerpt.ts'
import { plainPartText } from '../text/message-text.ts'
import { sanitizeMessage, sanitizeName, textPart } from '../text/sanitize-message.ts'

export interface Filled {
  readonly messages: readonly ContextMessage[]
  readonly omitted: readonly Omission[]
}

export function fillProfile(
  text: string,
  shareTokens: number,
  count: (text: string) => number,
): Filled {
  if (text === '') return { messages: [], omitted: [] }
  const cut = cutToShare(text, shareTokens, count)
  const message = derived('profile', [textPart(dataBlock('profile', cut.text))])
  return { messages: [message], omitted: cut.omitted }
}

/** Whole pieces in their order, the first that is too long cut, the rest left out. */
export function fillRetrieved(
  pieces: readonly RetrievedPiece[],
  shareTokens: number,
  count: (text: string) => number,
): Filled {
  const parts: ResourceExcerptPart[] = []
  const omitted: Omission[] = []
  let room = shareTokens
  for (const { id, title, text } of pieces) {
    room -= blockTokens + count(id) + (title === null ? 0 : count(title))
    const cut = room > 0 ? cutToShare(text, room, count) : null
    if (cut === null) {
      omitted.push({ span: null, why: 'over-share', tokens: null })
      continue
    }
    parts.push({ type: 'resource-excerpt', resourceId: id, title, text: cut.text, metadata: null })
    omitted.push(...cut.omitted)
    room -= count(cut.text)
  }
  return { messages: parts.length === 0 ? [] : [derived('retrieved', parts)], omitted }
}

const blockTokens = 50

interface CutText extends Pick<Filled, 'omitted'> {
  readonly text: string
}

function cutToShare(text: string, shareTokens: number, count: (text: string) => number): CutText {
  // A token has at least a byte, and a code unit at most three: most are known to fit.
  if (text.length * 3 <= shareTokens || count(text) <= shareTokens) return { text, omitted: [] }
  const note = (characters: number) => `\n[… ${characters} characters left out …]\n`
  const cut = excerpt(text, { keepTokens: shareTokens, count, note })
  const tokens = Math.max(0, count(text) - count(cut))
  return { text: cut, omitted: [{ span: null, why: 'over-share', tokens }] }
}

/** In place of the messages before the line, from the first that nothing describes. */
export function earlierNote(line: Seq, keeps: readonly Seq[], from: Seq = 0): ContextMessage {
  const span = spanText(line, from)
  const kept = keeps.length === 0 ? '' : `, but for ${keeps.map((seq) => `#${seq}`).join(', ')}`
  return derived('earlier', [
    textPart(`[earlier messages of this conversation, ${span}, are not shown${kept}]`),
  ])
}

/** How what is not shown is found, where the request offers a way. */
export function recallNote({ recall, expand }: OfferedTools): ContextMessage {
  const ways = [
    ...(recall === null ? [] : [`what is not shown can be searched with ${quoted(recall)}`]),
    ...(expand === null ? [] : [`anchors such as #12 are opened with ${quoted(expand)}`]),
  ]
  return derived('earlier', [textPart(`[${ways.join('; ')}]`)])
}

function quoted(name: string): string {
  return `\`${sanitizeName(name).replace(/[\p{Cc}`[\]]/gu, ' ')}\``
}

type PastSlot = 'summary' | 'ledger' | 'files'
type PastMessages = Readonly<Record<PastSlot, readonly ContextMessage[]>>

const noPast: PastMessages = { summary: [], ledger: [], files: [] }
// A view is shown request after request, and its past is the same each time.
const remembered = new WeakMap<Past, { readonly line: Seq; readonly messages: PastMessages }>()

export function pastMessages({ line, past }: Pick<View, 'line' | 'past'>): PastMessages {
  if (past === null) return noPast
  const render = () => ({ line, messages: renderedPast(line, past) })
  return getOrMake(remembered, past, render, (known) => known.line === line).messages
}

function renderedPast(line: Seq, { summary, ledger, ledgerTo, files, written }: Past) {
  const told = (slot: PastSlot, label: string, text: string) =>
    text === '' ? [] : [derived(slot, [textPart(dataBlock(label, text))])]
  // The tag says that a model wrote it, and how deep its chain is.
  const depth = written ? ` · summary-depth:${written.depth}` : ''
  return {
    summary: told('summary', `earlier messages, ${spanText(line)}, in short${depth}`, summary),
    ledger: told('ledger', `what ${spanText(ledgerTo)} name, and where it stands`, ledger),
    files: told('files', 'lines of files, as they stood last', files),
  }
}

function spanText(line: Seq, from: Seq = 0): string {
  return line === from + 1 ? `#${from}` : `#${from} to #${line - 1}`
}

/** It may come from tools, so it has no role's authority. */
export function recalledMessage(insert: Pick<Insert, 'text'>): ContextMessage {
  // It is shown request after request, and its size is known by its parts.
  return rememberedInserts.get(insert.text, () =>
    derived('recalled', [textPart(dataBlock(recalledLabel, insert.text))]),
  )
}

const recalledLabel = 'recalled for the next message from earlier in this conversation'
const rememberedInserts = createBoundedCache<ContextMessage>(256)

export function pinBlock(message: Message): ContextMessage {
  const { parts } = sanitizeMessage({ ...message, slot: 'pins' })
  const label = `pinned message #${message.seq} of the ${message.author ?? message.role}`
  const text = parts.flatMap(pinnedText).join('\n')
  return derived('pins', [textPart(dataBlock(label, text)), ...parts.flatMap(filesOf)])
}

/** Pictures and other files, also those inside a result. */
export function filesOf(part: Part): readonly Part[] {
  if (part.type === 'file') return [part]
  const inside = part.type === 'tool-result' && part.output.kind === 'parts'
  return inside ? part.output.parts.filter(({ type }) => type === 'file') : []
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
      return [plainPartText(part)]
  }
}

export function derived(slot: SlotKind, parts: readonly Part[]): ContextMessage {
  return { role: 'user', author: null, parts, meta: null, seq: null, slot }
}
