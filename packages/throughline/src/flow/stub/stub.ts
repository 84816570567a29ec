/**
 * Shortens a message to a stub.
 *
 * Role, call ids, names and the pairing of results stay, so that a valid request stays valid. Long
 * texts keep both ends around a note; pictures and opaque parts are left out.
 */
import { noSize, type Size } from '../../domain/context.ts'
import { dataBlock, plainLabel } from '../../domain/data-block.ts'
import { shortHash } from '../../domain/hash.ts'
import type { FileReference } from '../../domain/ledger.ts'
import {
  contentOf,
  type MessageInput,
  type Part,
  type PartInput,
  placeholderText,
  type ToolOutput,
} from '../../domain/message.ts'
import { withoutReminders } from '../../domain/reminders.ts'
import { anchorOf } from '../../domain/span.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import { lineCount } from '../classify/track-files.ts'
import type { Measurable, Meter } from '../measure/measure.ts'
import { excerpt } from '../text/excerpt.ts'
import { isDocument } from '../text/message-text.ts'
import { textPart } from '../text/sanitize-message.ts'
import { digestMade, unitMade } from './giants.ts'
import {
  fileFacts,
  leftOutNote,
  outputText,
  type ShortenOptions,
  shorten,
  stubInput,
} from './shorten.ts'
import { shortenRequest } from './shorten-request.ts'

type WholeMessage = Measurable & Pick<StubbedMessage, 'seq' | 'role'>

export function stubMessage(
  message: WholeMessage,
  options: StubOptions,
  meter: Meter,
): StubbedMessage {
  const { seq, role, author } = message
  const nameless = withoutDocumentNames(message)
  const whole = joinShortTexts(nameless, options.keepTokens)
  const shortenedParts = whole.filter(({ type }) => shortenedTypes.includes(type)).length
  const keepTokens = Math.floor(options.keepTokens / Math.max(1, shortenedParts))
  const wholeTokens = meter.message(message)
  const characters = whole.flatMap(contentOf).reduce((sum, { length }) => sum + length, 0)
  const contentTokens = wholeTokens - frameTokens(whole, meter.card)
  const charactersPerToken = Math.max(1, characters / Math.max(1, contentTokens))
  const isDense = charactersPerToken < maxDenseCharacters
  const shortening: ShortenOptions = {
    ...{ seq, keepTokens, count: meter.text },
    ...(isDense && { charactersPerToken }),
  }
  const digest = nameless === message.parts ? digestOf(options) : undefined
  const digestedPart = digest === undefined ? undefined : longestText(whole)
  const stubbed = whole.flatMap((part) =>
    stubPart(part, part === digestedPart ? { ...shortening, digest } : shortening, options),
  )
  const note = [textPart(leftOutNote(seq))]
  // Placeholders of files and excerpts are texts here too; a single note is shorter.
  const isNoteShorter =
    options.keepTokens === 0 &&
    stubbed.every(({ type }) => type === 'text') &&
    JSON.stringify(stubbed).length > JSON.stringify(note).length
  const parts = isNoteShorter || stubbed.length === 0 ? note : stubbed
  const size = meter.closeSize({ role, author, parts })
  const hash = shortHash(JSON.stringify(parts))
  return { seq, role, author, parts, size, hash, made: madeAs(options), wholeTokens }
}

function frameTokens(
  parts: readonly Part[],
  { overhead }: Pick<Meter['card'], 'overhead'>,
): number {
  const uses = parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result').length
  return overhead.perMessageTokens + uses * overhead.perToolUseTokens
}

/** Code and data have fewer characters in a token than prose has, so the usual guess is too long. */
const maxDenseCharacters = 3.6

/** The size that a stub will have, about: enough to plan with. */
export function plannedStubSize(
  { message, size }: { readonly message: WholeMessage; readonly size: Size },
  options: StubOptions,
  { card, text }: Pick<Meter, 'card' | 'text'>,
): Size {
  const digest = digestOf(options)
  const tokens = Math.min(
    size.tokens,
    frameTokens(message.parts, card) +
      Math.ceil(options.keepTokens * usualShare) +
      plannedNoteTokens +
      (digest === undefined ? 0 : text(digest)),
  )
  const perToken = size.wire / Math.max(1, size.tokens)
  return { tokens, wire: Math.min(size.wire, Math.ceil(tokens * perToken) + plannedFrameTokens) }
}

/** Cuts fall at good places, so a stub mostly has a little less than it may. */
const usualShare = 0.92
/** The note in a stub, and the ids of its calls. */
const plannedNoteTokens = 16
/** A stub has the same frame as its message, which is a larger part of it. */
const plannedFrameTokens = 8

/** A note in a system message has the authority of the system, so it names no document. */
function withoutDocumentNames({ seq, role, parts }: WholeMessage): readonly Part[] {
  if (role !== 'system' || !parts.some(isDocument)) return parts
  return parts.map((part) => (isDocument(part) ? textPart(leftOutNote(seq)) : part))
}

function longestText(parts: readonly Part[]): Part | undefined {
  const length = (part: Part) => {
    if (part.type === 'text') return part.text.length
    return part.type === 'tool-result' ? outputText(part.output, 0).length : 0
  }
  const longest = parts.toSorted((left, right) => length(right) - length(left))[0]
  return longest !== undefined && length(longest) > 0 ? longest : undefined
}

/** Joins the texts if each would otherwise become only a note. */
function joinShortTexts(parts: readonly Part[], keepTokens: number): readonly Part[] {
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.length < 2 || keepTokens / texts.length >= minTextTokens) return parts
  const joined = textPart(texts.map(({ text }) => text).join('\n'))
  const first = parts.findIndex((part) => part.type === 'text')
  return parts.flatMap((part, at): readonly Part[] => {
    if (part.type !== 'text') return [part]
    return at === first ? [joined] : []
  })
}

const shortenedTypes: readonly Part['type'][] = ['text', 'tool-call', 'tool-result']

function stubPart(
  part: Part,
  shortening: ShortenOptions,
  { keepReasoning, files, inWork }: StubOptions,
): readonly Part[] {
  const anchor = `#${shortening.seq}`
  switch (part.type) {
    case 'text': {
      const words = withoutReminders(part.text)
      const text =
        inWork === undefined
          ? shorten(words, shortening)
          : shortenRequest(words, shortening, inWork)
      return [text === part.text ? part : { ...part, text, metadata: null }]
    }
    case 'reasoning':
    case 'opaque':
      return keepReasoning ? [part] : []
    case 'tool-call': {
      const input = stubInput(part.input, shortening)
      return [input === part.input ? part : { ...part, input, metadata: null }]
    }
    case 'tool-result': {
      const output = stubOutput(part.output, shortening, files?.get(part.callId) ?? null)
      return [output === part.output ? part : { ...part, output, metadata: null }]
    }
    case 'file': {
      const name = part.name === null ? '' : ` ${shortName(part.name)}`
      return [textPart(`[file${name} (${shortName(part.mediaType)}) left out; see ${anchor}]`)]
    }
    case 'resource-excerpt': {
      const title = shortName(part.title ?? part.resourceId)
      return [textPart(`[excerpt of ${title} left out; see ${anchor}]`)]
    }
    case 'attachment-ref':
      return [textPart(`[attachment ${shortName(part.title ?? part.attachmentId)}; in ${anchor}]`)]
  }
}

function stubOutput(
  output: ToolOutput,
  shortening: ShortenOptions,
  file: FileReference | null,
): ToolOutput {
  const text = outputText(output, shortening.seq)
  const lines = file === null || output.kind === 'json' ? null : lineCount(text)
  const facts = file && fileFacts(file, shortening.seq, lines)
  const shortened = shorten(text, { ...shortening, file: facts })
  return shortened === text && output.kind !== 'parts' ? output : { kind: 'text', text: shortened }
}

const maxNameCharacters = 60

function shortName(name: string): string {
  const plain = plainLabel(name.slice(0, maxNameCharacters))
  return name.length <= maxNameCharacters ? plain : `${plain}…`
}

/** The same options and message give the same stub; `madeAs` identifies the options. */
interface StubOptions {
  /** For all texts of the message together, without the notes. */
  readonly keepTokens: number
  /** True in the running turn: providers refuse its calls without their reasoning. */
  readonly keepReasoning: boolean
  /** The files whose texts are in the message's results, by call id. */
  readonly files?: ReadonlyMap<string, FileReference> | undefined
  /** Of a user message: the names of the files in work, whose lines stay. */
  readonly inWork?: readonly string[]
  /** A digest of the message by models, shown with its longest text. */
  readonly digest?: string | undefined
}

export function madeAs(options: StubOptions): string {
  const { keepTokens, keepReasoning, files, inWork } = options
  // The stub mentions later uses of a file.
  const uses = [...(files?.values() ?? [])].map(
    ({ operation, lastSeq, modifiedSeq }) => ` ${operation} #${lastSeq} #${modifiedSeq ?? ''}`,
  )
  const lines = inWork === undefined ? '' : ` lines about ${shortHash(inWork.join())}`
  const digest = digestOf(options)
  const digestId = digest === undefined ? '' : ` ${digestMade} ${shortHash(digest)}`
  return `${keepTokens}${keepReasoning ? ' with reasoning' : ''}${uses.join('')}${lines}${digestId}`
}

/** A stub with almost no room has no digest. */
function digestOf({ keepTokens, digest }: StubOptions): string | undefined {
  return keepTokens < minTextTokens ? undefined : digest
}

/** With fewer tokens a note replaces the text. */
const minTextTokens = 24

/** A stub as an input message, so that a caller can pass it on. */
export function stubToInput(stub: Pick<StubbedMessage, 'role' | 'author' | 'parts'>): MessageInput {
  const { role, author, parts } = stub
  return { role, content: parts.flatMap(partToInput), ...(author !== null && { author }) }
}

function partToInput(part: Part): readonly PartInput[] {
  if (isDocument(part) || (part.type === 'tool-result' && part.output.kind === 'parts')) return []
  // An input leaves out the fields that are null in a part.
  const fields = Object.entries(part).filter(([, value]) => value !== null)
  return [Object.fromEntries(fields) as unknown as PartInput]
}

/**
 * Renders a whole unit as one data text, if even short stubs are too large: many calls at once,
 * or long opaque parts. The first stub has the text, the others are empty.
 */
export function stubUnit(
  messages: readonly WholeMessage[],
  keepTokens: number,
  meter: Meter,
): readonly StubbedMessage[] {
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return []
  const anchor = anchorOf({ from: first.seq, to: last.seq + 1 })
  const text = unitText(messages, anchor, keepTokens, meter)
  return messages.map((message) => {
    const { seq } = message
    const isFirst = message === first
    const parts = isFirst ? [placeholderText(text)] : []
    const stub = { role: 'user', author: null, parts } as const
    const size = isFirst ? meter.closeSize(stub) : noSize
    const hash = isFirst ? shortHash(text) : anchor
    return { seq, ...stub, size, hash, made: unitMade, wholeTokens: meter.message(message) }
  })
}

function unitText(
  messages: readonly WholeMessage[],
  anchor: string,
  keepTokens: number,
  meter: Meter,
): string {
  if (keepTokens < minTextTokens) return `[left out; see ${anchor}]`
  const messageTokens = Math.max(minMessageTokens, Math.floor(keepTokens / messages.length))
  const parts = messages.flatMap((message) => message.parts)
  const lines = parts.flatMap((part) => startOfPart(part, messageTokens))
  const note = (characters: number) => `\n[… ${characters} characters …]\n`
  const text = excerpt(lines.join('\n'), { keepTokens, count: meter.text, note })
  return dataBlock(`shortened; see ${anchor}`, text)
}

const minMessageTokens = 6
const charactersPerToken = 4

function startOfPart(part: Part, tokens: number): readonly string[] {
  const cut = (text: string) => text.slice(0, tokens * charactersPerToken).toWellFormed()
  switch (part.type) {
    case 'text':
      return [cut(part.text)]
    case 'tool-call':
      return [`${part.name} ${cut(part.input)}`]
    case 'tool-result':
      return [`→ ${cut(outputText(part.output, 0))}`]
    default:
      return []
  }
}
