/** Shortens texts and arguments of calls; a note names what is left out and where it is. */
import { dataBlock } from '../../domain/data-block.ts'
import type { Seq } from '../../domain/ids.ts'
import { type JsonValue, parseExactly } from '../../domain/json.ts'
import type { FileOperation, FileReference } from '../../domain/ledger.ts'
import { type ToolOutput, textsOfOutput } from '../../domain/message.ts'
import { withoutReminders } from '../../domain/reminders.ts'
import { grouped } from '../../domain/text.ts'
import { excerpt } from '../text/excerpt.ts'

export interface ShortenOptions {
  /** The shortened message. */
  readonly seq: Seq
  readonly keepTokens: number
  count(text: string): number
  /** Of the whole message. */
  readonly charactersPerToken?: number
  readonly file?: ReturnType<typeof fileFacts> | null
  /** A digest of the message by models. */
  readonly digest?: string | undefined
}

// A note would be longer than such a text.
const minCharacters = 60

export function shorten(text: string, options: ShortenOptions): string {
  const { seq, keepTokens, count, file = null, digest } = options
  if (text.length <= minCharacters) return text
  const facts = keepTokens < minTokensWithFacts ? null : file
  const ofFile = facts === null ? '' : ` of ${facts.name}`
  const lastUse = facts === null || facts.lastUse === '' ? '' : `; ${facts.lastUse}`
  const digestBlock = digest === undefined ? '' : `${dataBlock(`digest of #${seq}`, digest)}\n`
  // The note about the file uses some of the room for its text.
  const textTokens = keepTokens - count(ofFile + lastUse)
  return excerpt(text, {
    keepTokens: Math.max(Math.min(keepTokens, minTextTokens), textTokens),
    count,
    density: options.charactersPerToken,
    note: (characters) =>
      `\n[… ${grouped(characters)} characters${ofFile} left out${lastUse}; see #${seq} …]\n${digestBlock}`,
  })
}

const minTokensWithFacts = 24
const minTextTokens = 12

const participles: Readonly<Record<FileOperation, string>> = {
  read: 'read',
  create: 'written',
  edit: 'edited',
  delete: 'deleted',
}

/** Names places, never "so many steps ago", because a stub is frozen and must stay true. */
export function fileFacts(file: FileReference, seq: Seq, lineCount: number | null) {
  const lines = lineCount === null ? '' : ` (${lineCount} ${lineCount === 1 ? 'line' : 'lines'})`
  return { name: `${shortPath(file.path)}${lines}`, lastUse: lastUseAfter(file, seq) }
}

/** Empty if the file was not used after the message `seq`. */
function lastUseAfter({ operation, lastSeq, modifiedSeq }: FileReference, seq: Seq): string {
  if (lastSeq <= seq) return ''
  const lastUse = `last ${participles[operation]} in #${lastSeq}`
  const isChanged = modifiedSeq !== null && modifiedSeq > seq
  if (!isChanged || operation === 'delete') return lastUse
  if (operation === 'read') return `changed in #${modifiedSeq}, ${lastUse}`
  return `${lastUse}, so read it again`
}

const maxPathCharacters = 60

/** Keeps the end, where paths differ. Brackets would end the note around the path. */
function shortPath(path: string): string {
  const plain = path.replace(/[[\]]/g, '_')
  if (plain.length <= maxPathCharacters) return plain
  return `…${plain.slice(-maxPathCharacters).toWellFormed()}`
}

/** The output of a tool as one text; a note replaces parts that are not text. */
export function outputText(output: ToolOutput, seq: number): string {
  const texts = textsOfOutput(output, (part) => [
    part.type === 'text' ? part.text : leftOutNote(seq),
  ])
  return withoutReminders(texts.join('\n'))
}

export function leftOutNote(seq: number): string {
  return `[left out; see #${seq}]`
}

/** Keeps valid JSON: models imitate broken arguments, and providers refuse them. */
export function stubInput(input: string, options: ShortenOptions): string {
  // Nearly all arguments are short.
  if (input.length <= shortInputCharacters) return input
  const shortened = shortenFields(input, options)
  if (shortened !== null) {
    // Notes may be longer than the short fields that they replace.
    const shortest = shortened.length < input.length ? shortened : input
    const maxTokens = Math.max(options.keepTokens, 24) * 2
    if (options.count(shortest) <= maxTokens) return shortest
  }
  const leftOut = `arguments of ${input.length} characters; see #${options.seq}`
  return JSON.stringify({ left_out: leftOut })
}

/** Null if the input is not an object, or too large or too deep to parse. */
function shortenFields(input: string, options: ShortenOptions): string | null {
  // Parsing megabytes of arguments to keep one line is not worth the time.
  if (input.length > maxParsedCharacters) return null
  try {
    const value = parseExactly(input)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = Object.entries(value)
    if (fields.length > maxFields) return null
    const fieldTokens = Math.floor(options.keepTokens / fields.length)
    const ofField = { ...options, keepTokens: fieldTokens }
    const shortened = fields.map(([name, field]) => [name, shortenValue(field, ofField)] as const)
    return JSON.stringify(Object.fromEntries(shortened))
  } catch {
    return null
  }
}

const shortInputCharacters = 80
const maxFields = 32
const maxParsedCharacters = 1_000_000

function shortenValue(value: JsonValue, options: ShortenOptions): JsonValue {
  if (typeof value === 'string') return shorten(value, options)
  const text = JSON.stringify(value)
  return text.length <= shortInputCharacters ? value : shorten(text, options)
}
