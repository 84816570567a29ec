/** The whole text is checked before any part is taken: a password is recognised by what precedes it. */
import { defaults } from '../../defaults-data.ts'
import { contentOf, type Message, type Part, type ToolOutput } from '../../domain/message.ts'
import { grouped } from '../../domain/text.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { mapStrings, type StringMaps } from '../text/map-strings.ts'

type Redactable = Pick<Message, 'seq' | 'role' | 'parts'>

// A compaction reads messages that the one before has read.
const known = new WeakMap<Message, { readonly message: Redactable; readonly redacted: number }>()

/** Of a message of a log, which never changes; and how many secrets were left out. */
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
    // An address may hold a password or a signature.
    url: redact,
  }
  const redacted = <Whole extends Part>(part: Whole): Whole =>
    mapStrings(part, maps, (inner) => [redacted(inner)])
  return { seq, role, parts: parts.map(redacted) }
}

/** A giant message as both ends, for everything derived from it. The log keeps it whole. */
function shortenParts(parts: readonly Part[], redact: Redact) {
  const lengths = parts.flatMap(contentOf).map(({ length }) => length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total <= defaults.derivedCharacters.value) return { parts, redactShort: redact }
  const most = evenLimit(lengths, defaults.derivedCharacters.value)
  return {
    parts: parts.map((part) => shortenPart(part, most, redact)),
    /** Redacts texts of these parts, and cuts those that are too long. */
    redactShort: (text: string) =>
      text.length <= most ? redact(text) : redactAndCut(text, most, redact),
  }
}

/** Cut to so many characters each, all of them together have no more than `total`. */
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

/** JSON stays JSON where its values can be shortened: the path of a file says what its text is. */
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

/** Null where it is long because it has many values: parsed, those would take several times its size. */
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

/** What is at a cut is redacted with what is around it: half a secret is not recognised. */
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

/** Longer than any key. */
const marginCharacters = 65_536

export type Redact = (text: string) => string

// No secret is shorter.
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
 * As written, for names before values; then each string, because an escaped line end hides a line
 * start.
 */
export function redactJson(json: string, redact: Redact): string {
  const written = redact(json)
  if (!written.includes('\\')) return written
  let isChanged = false
  const redactText = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    // Some clients write the JSON of arguments as a JSON text once more.
    const rest = /^\s*\{/.test(value) ? redactJson(value, redact) : redact(value)
    isChanged ||= rest !== value
    return rest
  }
  try {
    const value: unknown = JSON.parse(written, redactText)
    // Numbers that parsing would change stay as they are where nothing has to go.
    return isChanged ? JSON.stringify(value) : written
  } catch {
    return written
  }
}
