/**
 * Shortens a message to a stub.
 *
 * Role, call ids, names and the pairing of results stay, so that a valid request stays valid. Long
 * texts keep both ends around a note; pictures and sealed blocks are left out.
 */
import { defaults } from '../../defaults-data.ts'
import { noSize } from '../../domain/context.ts'
import { dataBlock, plainLabel } from '../../domain/data-block.ts'
import { shortHash } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FileReference } from '../../domain/ledger.ts'
import {
  type MessageInput,
  type Part,
  type PartInput,
  placeholderText,
  type ToolOutput,
} from '../../domain/message.ts'
import { anchorOf } from '../../domain/span.ts'
import type { StubbedMessage, View } from '../../domain/view.ts'
import { lineCount } from '../classify/track-files.ts'
import type { Measurable, Meter } from '../measure/measure.ts'
import { excerpt } from '../text/excerpt.ts'
import { isDocument } from '../text/message-text.ts'
import { textPart } from '../text/sanitize-message.ts'
import { fileFacts, leftOutNote, outputText, type Stubbing, shorten, stubInput } from './shorten.ts'

type Whole = Measurable & Pick<StubbedMessage, 'seq' | 'role'>

export function stubMessage(message: Whole, options: StubOptions, meter: Meter): StubbedMessage {
  const { seq, role, author } = message
  const given = withoutNames(message)
  const whole = joinedTexts(given, options.keepTokens)
  const shortened = whole.filter(({ type }) => shortenedTypes.includes(type)).length
  const keepTokens = Math.floor(options.keepTokens / Math.max(1, shortened))
  const stubbing: Stubbing = { seq, keepTokens, count: meter.text }
  const digest = given === message.parts ? digestOf(options) : undefined
  const longest = digest === undefined ? undefined : longestText(whole)
  const stubbed = whole.flatMap((part) =>
    stubPart(part, part === longest ? { ...stubbing, digest } : stubbing, options),
  )
  const note = [textPart(leftOutNote(seq))]
  // Placeholders of files and excerpts are texts here too; a single note is shorter.
  const isBare =
    options.keepTokens === 0 &&
    stubbed.every(({ type }) => type === 'text') &&
    JSON.stringify(stubbed).length > JSON.stringify(note).length
  const parts = isBare || stubbed.length === 0 ? note : stubbed
  const size = meter.closeSize({ role, author, parts })
  const hash = shortHash(JSON.stringify(parts))
  const wholeTokens = meter.message(message)
  return { seq, role, author, parts, size, hash, made: madeAs(options), wholeTokens }
}

/** A note in a system message has its authority, so it must not contain names from documents. */
function withoutNames({ seq, role, parts }: Whole): readonly Part[] {
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
function joinedTexts(parts: readonly Part[], keepTokens: number): readonly Part[] {
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.length < 2 || keepTokens / texts.length >= leastTextTokens) return parts
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
  stubbing: Stubbing,
  { keepReasoning, files }: StubOptions,
): readonly Part[] {
  const place = `#${stubbing.seq}`
  switch (part.type) {
    case 'text': {
      const text = shorten(part.text, stubbing)
      return [text === part.text ? part : { ...part, text, metadata: null }]
    }
    case 'reasoning':
    case 'opaque':
      return keepReasoning ? [part] : []
    case 'tool-call': {
      const input = stubInput(part.input, stubbing)
      return [input === part.input ? part : { ...part, input, metadata: null }]
    }
    case 'tool-result': {
      const output = stubOutput(part.output, stubbing, files?.get(part.callId) ?? null)
      return [output === part.output ? part : { ...part, output, metadata: null }]
    }
    case 'file': {
      const name = part.name === null ? '' : ` ${short(part.name)}`
      return [textPart(`[file${name} (${short(part.mediaType)}) left out; see ${place}]`)]
    }
    case 'resource-excerpt': {
      const title = short(part.title ?? part.resourceId)
      return [textPart(`[excerpt of ${title} left out; see ${place}]`)]
    }
    case 'attachment-ref':
      return [textPart(`[attachment ${short(part.title ?? part.attachmentId)}; in ${place}]`)]
  }
}

function stubOutput(
  output: ToolOutput,
  stubbing: Stubbing,
  file: FileReference | null,
): ToolOutput {
  const text = outputText(output, stubbing.seq)
  const lines = file === null || output.kind === 'json' ? null : lineCount(text)
  const facts = file && fileFacts(file, { seq: stubbing.seq, lineCount: lines })
  const shortened = shorten(text, { ...stubbing, file: facts })
  return shortened === text && output.kind !== 'parts' ? output : { kind: 'text', text: shortened }
}

const nameCharacters = 60

function short(name: string): string {
  const plain = plainLabel(name.slice(0, nameCharacters))
  return name.length <= nameCharacters ? plain : `${plain}…`
}

/** The same options and message give the same stub; `madeAs` identifies the options. */
interface StubOptions {
  /** For all of its texts together, without the notes. */
  readonly keepTokens: number
  /** In the running turn: providers refuse its calls without their reasoning. */
  readonly keepReasoning: boolean
  /** The files whose texts are in its results, by call id. */
  readonly files?: ReadonlyMap<string, FileReference> | undefined
  /** A digest of the message by models, shown with its longest text. */
  readonly digest?: string | undefined
}

export function madeAs(options: StubOptions): string {
  const { keepTokens, keepReasoning, files } = options
  // The stub mentions later uses of a file.
  const uses = [...(files?.values() ?? [])].map(
    ({ operation, lastSeq, modifiedSeq }) => ` ${operation} #${lastSeq} #${modifiedSeq ?? ''}`,
  )
  const digest = digestOf(options)
  const digested = digest === undefined ? '' : ` ${digestMade} ${shortHash(digest)}`
  return `${keepTokens}${keepReasoning ? ' with reasoning' : ''}${uses.join('')}${digested}`
}

const digestMade = 'digest'

/** A stub with almost no room has no digest. */
function digestOf({ keepTokens, digest }: StubOptions): string | undefined {
  return keepTokens < leastTextTokens ? undefined : digest
}

/** With fewer tokens a note replaces the text. */
const leastTextTokens = 24

export const unitMade = 'unit'

/**
 * Messages large enough for a digest. A digest has some hundred tokens and costs a call, and
 * messages that are small for the window mostly fit.
 */
export function giantsIn({ stubs }: Pick<View, 'stubs'>, { card }: Meter): readonly Seq[] {
  const { giantTokens, giantRatio } = defaults
  const most = Math.max(giantTokens.value, card.contextWindowTokens * giantRatio.value)
  // A message that is described with its whole unit needs no digest.
  const lacksDigest = (made: string) => made !== unitMade && !made.includes(` ${digestMade} `)
  return stubs
    .filter(({ wholeTokens, made }) => wholeTokens > most && lacksDigest(made))
    .map(({ seq }) => seq)
}

/** A stub as an input message, so that a caller can pass it on. */
export function stubToInput(stub: Pick<StubbedMessage, 'role' | 'author' | 'parts'>): MessageInput {
  const { role, author, parts } = stub
  return { role, content: parts.flatMap(partToInput), ...(author !== null && { author }) }
}

function partToInput(part: Part): readonly PartInput[] {
  const { type } = part
  if (type === 'file' || type === 'resource-excerpt' || type === 'attachment-ref') return []
  if (type === 'tool-result' && part.output.kind === 'parts') return []
  // An input leaves out the fields that are null in a part.
  const given = Object.entries(part).filter(([, value]) => value !== null)
  return [Object.fromEntries(given) as unknown as PartInput]
}

/**
 * Renders a whole unit as one data text, if even short stubs are too large: many calls at once,
 * or sealed blocks.
 */
export function stubUnit(
  messages: readonly Whole[],
  keepTokens: number,
  meter: Meter,
): readonly StubbedMessage[] {
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return []
  const anchor = anchorOf({ from: first.seq, to: last.seq + 1 })
  const text = shortText(messages, anchor, keepTokens, meter)
  return messages.map((message) => {
    const { seq } = message
    const isFirst = message === first
    const stub = {
      role: 'user',
      author: null,
      parts: isFirst ? [placeholderText(text)] : [],
    } as const
    const size = isFirst ? meter.closeSize(stub) : noSize
    const hash = isFirst ? shortHash(text) : anchor
    return { seq, ...stub, size, hash, made: unitMade, wholeTokens: meter.message(message) }
  })
}

function shortText(
  messages: readonly Whole[],
  anchor: string,
  keepTokens: number,
  meter: Meter,
): string {
  if (keepTokens < leastTextTokens) return `[left out; see ${anchor}]`
  const each = Math.max(leastEach, Math.floor(keepTokens / messages.length))
  const lines = messages.flatMap(({ parts }) => parts.flatMap((part) => shortPart(part, each)))
  const note = (characters: number) => `\n[… ${characters} characters …]\n`
  const text = excerpt(lines.join('\n'), { keepTokens, count: meter.text, note })
  return dataBlock(`shortened; see ${anchor}`, text)
}

const leastEach = 6
const charactersPerToken = 4

function shortPart(part: Part, tokens: number): readonly string[] {
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
