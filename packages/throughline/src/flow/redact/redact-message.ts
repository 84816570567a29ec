/** Removes secrets from whole texts, before any cut: a password is recognised by the words before it. */
import { defaults } from '../../defaults-data.ts'
import { contentOf, type Message, type Part, type ToolOutput } from '../../domain/message.ts'
import { grouped } from '../../domain/text.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { mapStrings, type StringMaps } from '../text/map-strings.ts'

type Redactable = Pick<Message, 'seq' | 'role' | 'parts'> & Partial<Pick<Message, 'origin'>>

// Consecutive compactions read the same messages.
const redactedMessages = new WeakMap<
  Message,
  { readonly message: Redactable; readonly redacted: number }
>()

/** Redacts a message of the log once, because it never changes; `redacted` counts its secrets. */
export function redactLogMessage(message: Message) {
  return getOrMake(redactedMessages, message, () => {
    const { redact, count } = redactor()
    const { parts, redactAndShorten } = shortenParts(message.parts, redact)
    return { message: redactStrings({ ...message, parts }, redactAndShorten), redacted: count() }
  })
}

export function redactStrings(
  { seq, role, origin, parts }: Redactable,
  redact: Redact,
): Redactable {
  const maps: StringMaps = {
    // Also URLs, which may contain a password or a signature.
    text: redact,
    json: (json) => redactJson(json, redact),
    id: (id) => id,
    title: redact,
  }
  const redactPart = <AnyPart extends Part>(part: AnyPart): AnyPart =>
    mapStrings(part, maps, (inner) => [redactPart(inner)])
  return { seq, role, origin: origin ?? null, parts: parts.map(redactPart) }
}

/** Keeps both ends of a giant message, for everything derived from it. The log keeps it whole. */
function shortenParts(parts: readonly Part[], redact: Redact) {
  const lengths = parts.flatMap(contentOf).map(({ length }) => length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total <= defaults.derivedCharacters) return { parts, redactAndShorten: redact }
  const maxCharacters = evenLimit(lengths, defaults.derivedCharacters)
  return {
    parts: parts.map((part) => shortenPart(part, maxCharacters, redact)),
    redactAndShorten: (text: string) =>
      text.length <= maxCharacters ? redact(text) : redactAndCut(text, maxCharacters, redact),
  }
}

/** The limit per text with which all texts together have at most `total` characters. */
function evenLimit(lengths: readonly number[], total: number): number {
  const ascending = lengths.toSorted((left, right) => left - right)
  let remaining = total
  for (const [index, length] of ascending.entries()) {
    const share = remaining / (ascending.length - index)
    if (length > share) return Math.floor(share)
    remaining -= length
  }
  return total
}

/** JSON stays JSON if its values can be shortened, so that a file's path is still found. */
function shortenPart(part: Part, maxCharacters: number, redact: Redact): Part {
  if (part.type === 'resource-excerpt')
    return { ...part, text: shortenText(part.text, maxCharacters, redact) }
  if (part.type === 'tool-call')
    return { ...part, input: shortenJson(part.input, maxCharacters, redact) ?? part.input }
  if (part.type !== 'tool-result' || part.output.kind !== 'json') return part
  const json = shortenJson(part.output.json, maxCharacters, redact)
  const output: ToolOutput =
    json === null ? { kind: 'text', text: part.output.json } : { kind: 'json', json }
  return { ...part, output }
}

/** Null for JSON with very many values: parsing it would take several times its size in memory. */
function shortenJson(json: string, maxCharacters: number, redact: Redact): string | null {
  if (json.length <= maxCharacters) return json
  let quotes = 0
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at + 1)) {
    quotes += 1
    if (quotes > maxQuotes) return null
  }
  try {
    const maxValueCharacters = Math.floor(maxCharacters / 4)
    const value: unknown = JSON.parse(json, (_, inner: unknown) =>
      typeof inner === 'string' ? shortenText(inner, maxValueCharacters, redact) : inner,
    )
    const shortened = JSON.stringify(value)
    return shortened.length <= maxCharacters ? shortened : null
  } catch {
    return null
  }
}

const maxQuotes = 20_000

function shortenText(text: string, maxCharacters: number, redact: Redact): string {
  return text.length <= maxCharacters ? text : redactAndCut(text, maxCharacters, redact)
}

/** Redacts beyond the cut before cutting, because half of a secret is not recognised. */
function redactAndCut(text: string, maxCharacters: number, redact: Redact): string {
  const half = Math.floor(maxCharacters / 2)
  const start = redact(text.slice(0, half + marginCharacters))
  const end = redact(text.slice(-(half + marginCharacters)))
  return [
    start.slice(0, Math.max(0, start.length - marginCharacters)),
    `[… ${grouped(text.length - 2 * half)} characters left out …]`,
    end.slice(marginCharacters),
  ]
    .join('\n')
    .toWellFormed()
}

/** Longer than any key, so that a secret at the cut is always seen whole. */
const marginCharacters = 65_536

export type Redact = (text: string) => string

// Secrets are never shorter than this.
const minSecretCharacters = 8

/** `count` returns the number of secrets that `redact` has found so far. */
export function redactor() {
  let secrets = 0
  return {
    redact: (text: string) => {
      if (text.length < minSecretCharacters) return text
      const { text: redactedText, redacted } = redactSecrets(text)
      for (const { count } of redacted) secrets += count
      return redactedText
    },
    count: () => secrets,
  }
}

/**
 * Redacts the JSON text first, because field names identify secrets; then each string value,
 * because an escaped line break hides the start of a line.
 */
export function redactJson(json: string, redact: Redact): string {
  const redactedJson = redact(json)
  if (!redactedJson.includes('\\')) return redactedJson
  let isChanged = false
  const redactValue = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    // Some clients encode the arguments as a JSON string inside JSON.
    const redacted = /^\s*\{/.test(value) ? redactJson(value, redact) : redact(value)
    isChanged ||= redacted !== value
    return redacted
  }
  try {
    const value: unknown = JSON.parse(redactedJson, redactValue)
    // Parsing can change long numbers, so JSON without secrets is returned as it was.
    return isChanged ? JSON.stringify(value) : redactedJson
  } catch {
    return redactedJson
  }
}
