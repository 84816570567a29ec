/**
 * A stub: a message as far as there is room for it. Any message can be stubbed.
 *
 * The role stays, every call keeps its id and its name, and every result stays with
 * its call, so that what was a sound request is one still. Long texts become their
 * beginning and end with a note between them, which says where the whole is;
 * pictures and sealed blocks go as a whole, because half of one is nothing.
 */
import { plainLabel } from '../../domain/data-block.ts'
import { shortHash } from '../../domain/hash.ts'
import type { FileReference } from '../../domain/ledger.ts'
import type { Part, ToolOutput } from '../../domain/message.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import { lineCount } from '../classify/track-files.ts'
import type { Measurable, Meter } from '../measure/measure.ts'
import { isDocument } from '../text/message-text.ts'
import { textPart } from '../text/sanitize-message.ts'
import { fileFacts, leftOutNote, outputText, type Stubbing, shorten, stubInput } from './shorten.ts'
import { digestOf, leastTold, madeAs, type StubOptions } from './stub-made.ts'

export type Whole = Measurable & Pick<StubbedMessage, 'seq' | 'role'>

export function stubMessage(message: Whole, options: StubOptions, meter: Meter): StubbedMessage {
  const { seq, role, author } = message
  const given = withoutNames(message)
  const whole = joinedTexts(given, options.keepTokens)
  const shortened = whole.filter(isShortened).length
  const keepTokens = Math.floor(options.keepTokens / Math.max(1, shortened))
  const stubbing: Stubbing = { seq, keepTokens, count: meter.text }
  const digest = given === message.parts ? digestOf(options) : undefined
  const longest = digest === undefined ? undefined : longestText(whole)
  const stubbed = whole.flatMap((part) =>
    stubPart(part, part === longest ? { ...stubbing, digest } : stubbing, options),
  )
  const note = [textPart(leftOutNote(seq))]
  // Names of files and titles are words too.
  const bare = options.keepTokens === 0 && !stubbed.some(isKeptWhole) && isLonger(stubbed, note)
  const parts = bare || stubbed.length === 0 ? note : stubbed
  const size = meter.closeSize({ role, author, parts })
  const hash = shortHash(JSON.stringify(parts))
  const wholeTokens = meter.message(message)
  return { seq, role, author, parts, size, hash, made: madeAs(options), wholeTokens }
}

/** A note in a system message has its authority: nothing that a document supplied is in one. */
function withoutNames({ seq, role, parts }: Whole): readonly Part[] {
  if (role !== 'system' || !parts.some(isDocument)) return parts
  return parts.map((part) => (isDocument(part) ? textPart(leftOutNote(seq)) : part))
}

/** The longest text that is cut between a beginning and an end. */
function longestText(parts: readonly Part[]): Part | undefined {
  const length = (part: Part) =>
    part.type === 'text'
      ? part.text.length
      : part.type === 'tool-result'
        ? outputText(part.output, 0).length
        : 0
  const longest = parts.toSorted((left, right) => length(right) - length(left))[0]
  return longest !== undefined && length(longest) > 0 ? longest : undefined
}

/** Where each of many texts would be a note of its own, they are shortened as one. */
function joinedTexts(parts: readonly Part[], keepTokens: number): readonly Part[] {
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.length < 2 || keepTokens / texts.length >= leastTold) return parts
  const joined = textPart(texts.map(({ text }) => text).join('\n'))
  const first = parts.findIndex((part) => part.type === 'text')
  return parts.flatMap((part, at): readonly Part[] => {
    if (part.type !== 'text') return [part]
    return at === first ? [joined] : []
  })
}

function isLonger(left: readonly Part[], right: readonly Part[]): boolean {
  return JSON.stringify(left).length > JSON.stringify(right).length
}

/** Calls, their results, and what a provider has sealed. */
function isKeptWhole({ type }: Part): boolean {
  return type !== 'text'
}

function isShortened(part: Part): boolean {
  return part.type === 'text' || part.type === 'tool-call' || part.type === 'tool-result'
}

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
      return [textPart(`[file${name} (${short(part.mediaType)}) left out; whole in ${place}]`)]
    }
    case 'resource-excerpt': {
      const title = short(part.title ?? part.resourceId)
      return [textPart(`[excerpt of ${title} left out; whole in ${place}]`)]
    }
    case 'attachment-ref':
      return [textPart(`[attachment ${short(part.title ?? part.attachmentId)}; in ${place}]`)]
    case 'opaque':
      return keepReasoning ? [part] : []
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
