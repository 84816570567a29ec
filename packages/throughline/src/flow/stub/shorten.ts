import { dataBlock } from '../../domain/data-block.ts'
import type { Seq } from '../../domain/ids.ts'
import { type JsonValue, parseExactly } from '../../domain/json.ts'
import type { FileOperation, FileReference } from '../../domain/ledger.ts'
import { type ToolOutput, textsOfOutput } from '../../domain/message.ts'
import { grouped } from '../../domain/text.ts'
import { excerpt } from '../text/excerpt.ts'

export interface Stubbing {
  readonly seq: Seq
  readonly keepTokens: number
  count(text: string): number
  readonly file?: ReturnType<typeof fileFacts> | null
  /** A digest of the message by models. */
  readonly digest?: string | undefined
}

// A note would be longer than such a text.
const shortCharacters = 60

export function shorten(text: string, stubbing: Stubbing): string {
  const { seq, keepTokens, count, file = null, digest } = stubbing
  if (text.length <= shortCharacters) return text
  const facts = keepTokens < leastWithFacts ? null : file
  const of = facts === null ? '' : ` of ${facts.named}`
  const since = facts === null || facts.since === '' ? '' : `; ${facts.since}`
  const digested = digest === undefined ? '' : `${dataBlock(`digest of #${seq}`, digest)}\n`
  return excerpt(text, {
    // The note about the file uses some of the room for its text.
    keepTokens: Math.max(Math.min(keepTokens, leastPreview), keepTokens - count(of + since)),
    count,
    note: (characters) =>
      `\n[… ${grouped(characters)} characters${of} left out${since}; see #${seq} …]\n${digested}`,
  })
}

const leastWithFacts = 24
const leastPreview = 12

const done: Readonly<Record<FileOperation, string>> = {
  ...{ read: 'read', create: 'written', edit: 'edited', delete: 'deleted' },
}

/**
 * Names places, never "so many steps ago", because a stub is frozen and must stay true. `seq`: the
 * shortened message.
 */
export function fileFacts(
  file: FileReference,
  { seq, lineCount }: { readonly seq: Seq; readonly lineCount: number | null },
) {
  const lines = lineCount === null ? '' : ` (${lineCount} ${lineCount === 1 ? 'line' : 'lines'})`
  return { named: `${shortPath(file.path)}${lines}`, since: doneSince(file, seq) }
}

function doneSince({ operation, lastSeq, modifiedSeq }: FileReference, seq: Seq): string {
  if (lastSeq <= seq) return ''
  const last = `last ${done[operation]} in #${lastSeq}`
  const isChanged = modifiedSeq !== null && modifiedSeq > seq
  if (!isChanged) return last
  if (operation === 'read') return `changed in #${modifiedSeq}, ${last}`
  return operation === 'delete' ? last : `${last}, so read it again`
}

const pathCharacters = 60

/** Keeps the end, where paths differ. Brackets would end the note around it. */
function shortPath(path: string): string {
  const plain = path.replace(/[[\]]/g, '_')
  return plain.length <= pathCharacters ? plain : `…${plain.slice(-pathCharacters).toWellFormed()}`
}

/** The output of a tool as one text; a note replaces parts that are not text. */
export function outputText(output: ToolOutput, seq: number): string {
  return textsOfOutput(output, (part) => [
    part.type === 'text' ? part.text : leftOutNote(seq),
  ]).join('\n')
}

export function leftOutNote(seq: number): string {
  return `[left out; see #${seq}]`
}

/** Keeps valid JSON: models imitate broken arguments, and providers refuse them. */
export function stubInput(input: string, stubbing: Stubbing): string {
  // Nearly all arguments are short.
  if (input.length <= shortInputCharacters) return input
  const shortened = shortenedFields(input, stubbing)
  const shortest = shortened !== null && shortened.length < input.length ? shortened : input
  // Notes may be longer than the short fields that they replace.
  const most = Math.max(stubbing.keepTokens, 24) * 2
  if (shortened !== null && stubbing.count(shortest) <= most) return shortest
  const leftOut = `arguments of ${input.length} characters; see #${stubbing.seq}`
  return JSON.stringify({ left_out: leftOut })
}

/** Null if it is not an object, or too large or too deep to parse. */
function shortenedFields(input: string, stubbing: Stubbing): string | null {
  // Parsing megabytes of arguments to keep one line is not worth the time.
  if (input.length > readableCharacters) return null
  try {
    const value = parseExactly(input)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = Object.entries(value)
    if (fields.length > fieldsMax) return null
    const each = { ...stubbing, keepTokens: Math.floor(stubbing.keepTokens / fields.length) }
    const stubbed = fields.map(([name, field]) => [name, stubValue(field, each)] as const)
    return JSON.stringify(Object.fromEntries(stubbed))
  } catch {
    return null
  }
}

const shortInputCharacters = 80
const fieldsMax = 32

const readableCharacters = 1_000_000

function stubValue(value: JsonValue, stubbing: Stubbing): JsonValue {
  if (typeof value === 'string') return shorten(value, stubbing)
  const text = JSON.stringify(value)
  return text.length <= shortInputCharacters ? value : shorten(text, stubbing)
}
