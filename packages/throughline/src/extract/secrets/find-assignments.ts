/**
 * Finds values after the name of a secret, in env files, JSON, YAML, shells, XML, addresses and
 * sentences: `API_KEY=…`, `"token": "…"`, `--password …`, `<secret>…`.
 *
 * Each separator is read backward to the name, whose length is limited, and forward to the value.
 */

import { isPlaceholder, isVaried, looksRandom } from './looks-random.ts'
import {
  type Alphabet,
  alphabet,
  alphabets,
  except,
  type Finder,
  type Finding,
  type ScannedText,
  withoutStop,
} from './secret-text.ts'
import {
  fieldOfObject,
  harmlessTokenWords,
  namedPlaceholder,
  namedSecretKinds,
  numberedName,
  passwordName,
  plainWords,
  secretKey,
} from './secret-words-data.ts'

export const findAssignments: Finder = (scanned) => {
  // Most texts have no such word and need no further search.
  if (!mentionsSecret.test(scanned.text)) return []
  const findings = afterNames(scanned)
  // A quick test first: the pattern of a phrase looks back at every space.
  const mayHavePhrase = scanned.text.includes('--') || spokenName.test(scanned.text)
  return mayHavePhrase ? [...findings, ...afterPhrases(scanned)] : findings
}

function afterNames(scanned: ScannedText): readonly Finding[] {
  const { text } = scanned
  const findings: Finding[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (separators[text.charCodeAt(at)] !== 1) continue
    const name = nameBefore(text, at)
    const kind = name === null ? null : kindOfName(name)
    if (name === null || kind === null) continue
    const finding = valueAfter(scanned, at, kind, isSetting(text, at, name))
    if (finding === null) continue
    findings.push(finding)
    at = finding.to - 1
  }
  return findings
}

/** `DB_PASSWORD=…`, `--password=…`, `--from-literal=password=…` and `"password": "…"`. */
function isSetting(text: string, separator: number, name: string): boolean {
  if (text[separator] === ':') return quotedPair.test(text.slice(separator - 2, separator + 8))
  const from = separator - name.length
  if (text[separator] !== '=' || text.slice(from, separator) !== name) return false
  // `pass` often means passed tests, so there only a value with a digit is a password.
  if (/^(?:--)?pass$/i.test(name)) return false
  return name.startsWith('--') || text[from - 1] === '=' || /^[A-Z][A-Z0-9_]*$/.test(name)
}

const quotedPair = /^(?:\\"|."):[ \t]{0,4}\\?"/

const phrase =
  /(?<=(?:^|[\s"']|\\[nrt])--?(?<option>[A-Za-z][\w-]{2,40})) |(?<=(?:\b|\\[nrt])(?:ENV|ARG|setx) (?<variable>\w{3,64})) |(?<=\b(?<noun>password|passphrase|secret|token|key|pwd)) (?:is|was):? /gi

const spokenName =
  /(?:password|passphrase|secret|token|key|pwd) (?:is|was)|(?:^|\s|\\[nrt])-\w{0,40}pass|(?:ENV|ARG|setx) /i

/** `--password …` and `the password is …`, with only a space before the value. */
function* afterPhrases(scanned: ScannedText): Generator<Finding> {
  for (const { index, 0: gap, groups } of scanned.text.matchAll(phrase)) {
    const name = groups?.['option'] ?? groups?.['variable'] ?? groups?.['noun'] ?? ''
    const kind = kindOfName(name) ?? (name.toLowerCase() === 'key' ? 'API key' : null)
    if (kind === null) continue
    const isSetting = groups?.['variable'] !== undefined
    const finding = valueAfter(scanned, index + gap.length - 1, kind, isSetting)
    if (finding !== null) yield finding
  }
}

const separators = alphabet('=:>,')
const nameText = alphabet('-A-Za-z0-9_.')
const longestName = 64

function nameBefore(text: string, separator: number): string | null {
  let end = separator
  while (end > 0 && separator - end < 3 && text[end - 1] === ' ') end -= 1
  if (text.startsWith('**', end - 2)) end -= 2
  const isQuoted = isQuote(text[end - 1])
  const separatorText = text[separator]
  if (separatorText === ',' && !isQuoted) return null
  if (isQuoted) end -= text[end - 2] === '\\' ? 2 : 1
  const from = nameStart(text, end)
  if (end - from < 3) return null
  if (separatorText === '>' && text[from - 1] !== '<') return null
  const name = text.slice(from, end)
  if (!mentionsSecret.test(name)) return null
  const isPhrase = /^(?:key|token)s?$/i.test(name) && text[from - 1] === ' '
  return isPhrase ? text.slice(nameStart(text, from - 1), end) : name
}

const mentionsSecret = /pass|pwd|secret|token|key|jwt|auth|credential|sig/i

function nameStart(text: string, end: number): number {
  let from = end
  while (from > 0 && end - from < longestName && nameText[text.charCodeAt(from - 1)] === 1)
    from -= 1
  // The letter of a line break that JSON escaped is no part of the name.
  return text[from - 1] === '\\' && /[nrt]/.test(text[from] ?? '') ? from + 1 : from
}

/** Text between a separator and a value, such as `:= `, `=> ` and `: "`. */
const lead = /(?:[=:>]|\*\*)?[ \t]{0,8}(?:\\?["'`])?/y

const quoted: ReadonlyMap<string, Alphabet> = new Map([
  ['"', except('"\r\n')],
  ["'", except("'\r\n")],
  ['`', except('`\r\n')],
])
const escaped = except('"\'\\\r\n')
const untilSpace = except(' \t\r\n"\'`')
const untilMark = except(' \t\r\n"\'`\\,;&<>()[]{}|')

function valueAfter(
  { text, runEnd }: ScannedText,
  separator: number,
  kind: NamedKind,
  isSetting: boolean,
): Finding | null {
  lead.lastIndex = separator + 1
  const { 0: between = '' } = lead.exec(text) ?? []
  const from = separator + 1 + between.length
  const quote = between.at(-1)
  const isQuoted = isQuote(quote)
  const isEscaped = isQuoted && between.at(-2) === '\\'
  // Lower-case text is a word, as most text after such a name in a program.
  if (!isQuoted && !isSetting && !/[\dA-Z]/.test(text.slice(from, from + longestName))) return null
  const members = isEscaped
    ? escaped
    : (quoted.get(quote ?? '') ?? unquotedText(text, separator, kind))
  const to = runEnd(members, from)
  const value = { text: text.slice(from, to), isQuoted, next: text[to] ?? '', isSetting }
  // A quote that is not closed on its line is no quote.
  if (isQuoted && !isEscaped && value.next !== quote) return null
  if (!isQuoted && text[separator] === ',') return null
  if (text[separator] === '>' && !text.startsWith('</', to)) return null
  if (!isSecretValue(value, kind)) return null
  return { from, to: isQuoted ? to : withoutStop(text, { from, to }, '.:'), kind, by: 'place' }
}

/** In a settings file a value extends to the next space, whatever marks it contains. */
function unquotedText(text: string, separator: number, kind: NamedKind): Alphabet {
  if (kind === 'Azure key') return alphabets.base64
  if (text[separator] !== '=') return untilMark
  const from = Math.max(0, separator - longestName - 8)
  const before = from === 0 ? `\n${text.slice(from, separator)}` : text.slice(from, separator)
  return settingsLine.test(before) ? untilSpace : untilMark
}

const settingsLine = /\n[ \t]{0,4}(?:export |set |ENV |ARG )?[A-Za-z_][\w.]{0,64}$/

function isQuote(letter: string | undefined): boolean {
  return letter === '"' || letter === "'" || letter === '`'
}

type NamedKind = keyof typeof namedSecretKinds

/**
 * The last word decides: `token` is a secret, `tokenCount` a number, `passwordFile` a place.
 * Null: no secret.
 */
function kindOfName(name: string): NamedKind | null {
  const words = wordsOf(name)
  const last = words.at(-1)
  if (last === undefined) return null
  const joined = words.join('')
  if (/^(?:account|sharedaccess)key$/.test(joined)) return 'Azure key'
  if (/secretaccesskey|awssecret/.test(joined)) return 'AWS secret key'
  if (/^sig$|signature$/.test(last))
    return /^sig$|^xamzsignature$/.test(joined) ? 'signature' : null
  // The current folder of a shell.
  if (/^(?:OLD)?PWD$/.test(name)) return null
  if (passwordName.test(last)) return 'password'
  if (/^\w*secret\d?$/.test(last)) return 'secret'
  if (/^(?:\w*token|jwt|authorization|auth|credentials?)\d?$/.test(last))
    // Page tokens and tokens of a text are no secrets.
    return words.some((word) => harmlessTokenWords.has(word)) ? null : 'token'
  return /key\d?$/.test(last) && secretKey.test(joined) ? 'API key' : null
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

interface AssignedValue {
  readonly text: string
  readonly isQuoted: boolean
  /** The character after the value: a bracket makes it a call or an index. */
  readonly next: string
  /** A setting such as `DB_PASSWORD=…` or `--password=…`, which is no code. */
  readonly isSetting: boolean
}

/** After the name of a secret: no type, variable, call, sentence or placeholder. */
function isSecretValue(value: AssignedValue, kind: NamedKind): boolean {
  const sample = value.text.slice(0, 256)
  if (value.isSetting && isSettingValue(sample, kind)) return true
  if (sample.length < namedSecretKinds[kind].min) return false
  // Lower-case text is a word, unless it is a quoted password.
  if (!/[\dA-Z]/.test(sample) && !(value.isQuoted && kind === 'password')) return false
  const { isEncoded } = namedSecretKinds[kind]
  const isLikely = looksRandom(sample)
    ? isEncoded || !isReference(sample)
    : kind === 'password' && isChosen(sample, value.isQuoted)
  if (!isLikely || /\s/.test(sample) || isPlaceholder(sample)) return false
  return value.isQuoted || isEncoded || !isCode(sample, value.next)
}

/** People choose passwords, so a digit or a mark among the letters is enough. */
function isChosen(sample: string, isQuoted: boolean): boolean {
  const hasDigit = /\d/.test(sample)
  const hasMark = isQuoted && /[!@#$%^&*+?~]/.test(sample)
  if (!hasDigit && !hasMark) return false
  if (!isVaried(sample.slice(0, 12)) || !/[A-Za-z]/.test(sample)) return false
  return !isReference(sample) && !plainWords.test(sample) && !numberedName.test(sample)
}

/** A setting has no types, variables or sentences, so nearly any word is the value. */
function isSettingValue(sample: string, kind: NamedKind): boolean {
  if (isPlaceholder(sample) || fieldOfObject.test(sample)) return false
  if (isReference(sample) && !(kind === 'password' && /^\d{6,}$/.test(sample))) return false
  if (/\s/.test(sample) || numberedName.test(sample)) return false
  if (kind === 'password') return sample.length >= 4 && !namedPlaceholder.test(sample)
  const isMixed = /\d/.test(sample) ? /[A-Za-z]/.test(sample) : /[a-z][A-Z]/.test(sample)
  return sample.length >= 8 && isMixed && isVaried(sample) && !plainWords.test(sample)
}

function isReference(sample: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(sample) ||
    /^\.{0,2}\/[\w.-]+\/|^[A-Za-z]:\\|^~\//.test(sample) ||
    isDottedName(sample) ||
    /^\d[\d.,:/-]*$/.test(sample)
  )
}

/** `process.env.TOKEN`; a key may have dots too, but between random parts. */
function isDottedName(sample: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(sample)) return false
  return fieldOfObject.test(sample) || !looksRandom(sample.replaceAll('.', ''))
}

/** Code that can follow `password:` or `token =` in a program. */
function isCode(sample: string, next: string): boolean {
  return (
    /^[([{`]/.test(next) ||
    fieldOfObject.test(sample) ||
    /^[!&*@][A-Za-z_.]+$/.test(sample) ||
    /[=!]=.|=>|::|->/.test(sample)
  )
}
