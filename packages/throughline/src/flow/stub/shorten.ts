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
  /** A digest of it by models. */
  readonly digest?: string | undefined
}

// So short that a note would be longer.
const shortCharacters = 60

export function shorten(text: string, stubbing: Stubbing): string {
  const { seq, keepTokens, count, file = null, digest } = stubbing
  if (text.length <= shortCharacters) return text
  const facts = keepTokens < leastWithFacts ? null : file
  const of = facts === null ? '' : ` of ${facts.named}`
  const since = facts === null || facts.since === '' ? '' : `; ${facts.since}`
  const digested = digest === undefined ? '' : `${dataBlock(`digest of #${seq}`, digest)}\n`
  return excerpt(text, {
    // What is said of the file is said in place of some of its text.
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
 * Places, never "so many steps ago": a stub is frozen, and what it says has to stay true. `seq`:
 * the shortened message.
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

/** Its end: that is where paths differ. Brackets would end the note around it. */
function shortPath(path: string): string {
  const plain = path.replace(/[[\]]/g, '_')
  return plain.length <= pathCharacters ? plain : `…${plain.slice(-pathCharacters).toWellFormed()}`
}

/** The output of a tool as one text; what is no text is noted. */
export function outputText(output: ToolOutput, seq: number): string {
  return textsOfOutput(output, (part) => [
    part.type === 'text' ? part.text : leftOutNote(seq),
  ]).join('\n')
}

export function leftOutNote(seq: number): string {
  return `[left out; see #${seq}]`
}

/** The arguments stay JSON: broken ones teach a model to write such, and providers refuse them. */
export function stubInput(input: string, stubbing: Stubbing): string {
  // Arguments are short nearly always.
  if (input.length <= shortInputCharacters) return input
  const shortened = shortenedFields(input, stubbing)
  const shortest = shortened !== null && shortened.length < input.length ? shortened : input
  // Notes are longer than what little they replace: many fields may not get smaller.
  const most = Math.max(stubbing.keepTokens, 24) * 2
  if (shortened !== null && stubbing.count(shortest) <= most) return shortest
  const leftOut = `arguments of ${input.length} characters; see #${stubbing.seq}`
  return JSON.stringify({ left_out: leftOut })
}

/** Null for what is no object, or too large or too deep to be looked into. */
function shortenedFields(input: string, stubbing: Stubbing): string | null {
  // Reading megabytes of arguments to keep a line of them is not worth it.
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
