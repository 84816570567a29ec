/** Removes secrets from whole texts, before any cut: a password is recognised by the words before it. */
import { defaults } from '../../defaults-data.ts'
import { contentOf, type Message, type Part, type ToolOutput } from '../../domain/message.ts'
import { grouped } from '../../domain/text.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { mapStrings, type StringMaps } from '../text/map-strings.ts'

type Redactable = Pick<Message, 'seq' | 'role' | 'parts'>

// Consecutive compactions read the same messages.
const known = new WeakMap<Message, { readonly message: Redactable; readonly redacted: number }>()

/** Redacts a message of the log once, because it never changes; `redacted` counts its secrets. */
export function redactLogMessage(message: Message) {
  return getOrMake(known, message, () => {
    const { redact, count } = redactor()
    const { parts, redactShort } = shortenParts(message.parts, redact)
    return { message: redactStrings({ ...message, parts }, redactShort), redacted: count() }
  })
}

export function redactStrings({ seq, role, parts }: Redactable, redact: Redact): Redactable {
  const maps: StringMaps = {
    text: redact,
    json: (json) => redactJson(json, redact),
    id: (id) => id,
    title: redact,
    // A URL may contain a password or a signature.
    url: redact,
  }
  const redacted = <Whole extends Part>(part: Whole): Whole =>
    mapStrings(part, maps, (inner) => [redacted(inner)])
  return { seq, role, parts: parts.map(redacted) }
}

/** Keeps both ends of a giant message, for everything derived from it. The log keeps it whole. */
function shortenParts(parts: readonly Part[], redact: Redact) {
  const lengths = parts.flatMap(contentOf).map(({ length }) => length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total <= defaults.derivedCharacters.value) return { parts, redactShort: redact }
  const most = evenLimit(lengths, defaults.derivedCharacters.value)
  return {
    parts: parts.map((part) => shortenPart(part, most, redact)),
    /** Redacts texts of these parts and cuts the long ones. */
    redactShort: (text: string) =>
      text.length <= most ? redact(text) : redactAndCut(text, most, redact),
  }
}

/** The limit per text with which all texts together have at most `total` characters. */
function evenLimit(lengths: readonly number[], total: number): number {
  const ascending = [...lengths].sort((left, right) => left - right)
  let left = total
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (length > share) return Math.floor(share)
    left -= length
  }
  return total
}

/** JSON stays JSON if its values can be shortened, so that a file's path is still found. */
function shortenPart(part: Part, most: number, redact: Redact): Part {
  if (part.type === 'resource-excerpt') return { ...part, text: shortText(part.text, most, redact) }
  if (part.type === 'tool-call' && part.input.length > most)
    return { ...part, input: shortenJson(part.input, most, redact) ?? part.input }
  if (part.type !== 'tool-result' || part.output.kind !== 'json' || part.output.json.length <= most)
    return part
  const json = shortenJson(part.output.json, most, redact)
  const output: ToolOutput =
    json === null ? { kind: 'text', text: part.output.json } : { kind: 'json', json }
  return { ...part, output }
}

/** Null for JSON with very many values: parsing it would take several times its size in memory. */
function shortenJson(json: string, most: number, redact: Redact): string | null {
  let quotes = 0
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at + 1)) {
    quotes += 1
    if (quotes > maxQuotes) return null
  }
  try {
    const share = Math.floor(most / 4)
    const value: unknown = JSON.parse(json, (_, each: unknown) =>
      typeof each === 'string' ? shortText(each, share, redact) : each,
    )
    const short = JSON.stringify(value)
    return short.length <= most ? short : null
  } catch {
    return null
  }
}

const maxQuotes = 20_000

function shortText(text: string, most: number, redact: Redact): string {
  return text.length <= most ? text : redactAndCut(text, most, redact)
}

/** Redacts beyond the cut before cutting, because half of a secret is not recognised. */
function redactAndCut(text: string, most: number, redact: Redact): string {
  const half = Math.floor(most / 2)
  const first = redact(text.slice(0, half + marginCharacters))
  const last = redact(text.slice(-(half + marginCharacters)))
  return [
    first.slice(0, Math.max(0, first.length - marginCharacters)),
    `[… ${grouped(text.length - 2 * half)} characters left out …]`,
    last.slice(marginCharacters),
  ]
    .join('\n')
    .toWellFormed()
}

/** Longer than any key, so that a secret at the cut is always seen whole. */
const marginCharacters = 65_536

export type Redact = (text: string) => string

// Secrets are never shorter than this.
const minSecretCharacters = 8

export function redactor() {
  let found = 0
  return {
    redact: (text: string) => {
      if (text.length < minSecretCharacters) return text
      const { text: rest, redacted } = redactSecrets(text)
      for (const { count } of redacted) found += count
      return rest
    },
    count: () => found,
  }
}

/**
 * Redacts the JSON text first, because field names identify secrets; then each string value,
 * because an escaped line break hides the start of a line.
 */
export function redactJson(json: string, redact: Redact): string {
  const written = redact(json)
  if (!written.includes('\\')) return written
  let isChanged = false
  const redactText = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    // Some clients encode the arguments as a JSON string inside JSON.
    const rest = /^\s*\{/.test(value) ? redactJson(value, redact) : redact(value)
    isChanged ||= rest !== value
    return rest
  }
  try {
    const value: unknown = JSON.parse(written, redactText)
    // Parsing can change long numbers, so JSON without secrets is returned as it was.
    return isChanged ? JSON.stringify(value) : written
  } catch {
    return written
  }
}
