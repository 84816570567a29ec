/**
 * Finds literals in machine output. Unlike in prose, `a.b.c` is a chain of fields, and line numbers
 * are no literals.
 */
import {
  atSign,
  beyondAscii,
  digit,
  fileEndingsInOutput,
  innerCapital,
  type LiteralKind,
  letter,
  numberedForms,
} from './literal-forms-data.ts'
import { eachRun, marksIn, runAlphabet, significantMarks } from './literal-runs.ts'

export type OutputLiteralKind = Exclude<LiteralKind, 'uuid' | 'time' | 'amount' | 'quoted' | 'name'>

export interface OutputLiteral {
  readonly text: string
  readonly kind: OutputLiteralKind
  readonly uses: number
}

// Output with more literals is a list.
const maxLiterals = 20_000
/** Longer runs are data. */
const maxRunCharacters = 400

const alphabet = runAlphabet('_.-/@#~+', {
  // Letters of alphabets; ideographs are words themselves and make no literals.
  beyond: (code) =>
    (code >= 0xc0 && code < 0x2000) || (code >= 0xac00 && code < 0xd7a4) ? letter : 0,
  significant: significantMarks | innerCapital,
})

const marksOfNames = significantMarks & ~digit

/**
 * In the order of their first use, each once.
 *
 * For example:
 * literalsInOutput('  12→import { readWord } from "./read-word.ts"')
 * // readWord (symbol), ./read-word.ts (path)
 */
export function literalsInOutput(text: string): readonly OutputLiteral[] {
  const found = new FoundLiterals()
  const isEscaped = /^\s{0,20}["[{]/.test(text) && text.includes('\\n')
  // Where the last name before a colon ends; -1 where there is none.
  let nameEnd = -1
  eachRun(text, alphabet, (start, end, runMarks) => {
    const from = runStart(text, start, isEscaped)
    if (from >= end) return from
    const to = addressEnd(text, from, end)
    if (to - from > maxRunCharacters) return to
    const marks = from === start && to === end ? runMarks : marksOfRun(text, from, to)
    if ((marks & alphabet.significant) === 0 || isPlainWithStop(text, from, to)) return to
    const after = end < text.length ? text.charCodeAt(end) : 0
    // Digits after `file:` are a line number.
    if ((marks & ~digit) === 0 && nameEnd >= 0 && from === nameEnd + 1) {
      nameEnd = after === colon ? to : -1
      return to
    }
    const before = from === 0 ? 0 : text.charCodeAt(from - 1)
    if (found.add(text.slice(from, to), { before, after, marks }) && after === colon) nameEnd = to
    return to
  })
  return found.all
}

const [openParenthesis, slash, colon, lessThan] = [40, 47, 58, 60]

function marksOfRun(text: string, from: number, to: number): number {
  const marks = marksIn(text, from, to)
  return (marks & beyondAscii) === 0 ? marks : marks | letter
}

/** Skips a line number, and the letter of a line break that JSON escaped. */
function runStart(text: string, start: number, isEscaped: boolean): number {
  // `\nThis` in the text of a program, or any escape in JSON.
  if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? ''))
    if (isEscaped || /\p{Lu}/u.test(text[start + 1] ?? '')) return start + 1
  if (!/\d/.test(text[start] ?? '')) return start
  let lineAt = start
  while (lineAt > 0 && start - lineAt < 12 && text[lineAt - 1] === ' ') lineAt -= 1
  if (lineAt > 0 && text[lineAt - 1] !== '\n') return start
  // Listings print `160→`, `160:`, `160\t` or `160|` before a line. Context lines have a hyphen
  // there, and so have dates.
  return (
    start + (/^\d{1,7}(?:[→\t:|]| \||-(?!\d))/.exec(text.slice(start, start + 10))?.[0].length ?? 0)
  )
}

/** From `https` to the end of the address, from `C` to the end of the path. */
function addressEnd(text: string, from: number, to: number): number {
  if (text.charCodeAt(to) !== colon) return to
  const isDrive = to - from === 1 && /^[\\/](?!\/)/.test(text.slice(to + 1, to + 3))
  if (!isDrive && !text.startsWith('//', to + 1)) return to
  let end = to + 2
  while (end < text.length && end - from <= maxRunCharacters && isOfAddress(text.charCodeAt(end)))
    end += 1
  return end
}

function isOfAddress(code: number): boolean {
  return (
    (code < 128 ? (alphabet.ascii[code] ?? 0) : alphabet.beyond(code)) !== 0 ||
    '\\:?=&%!'.includes(String.fromCharCode(code))
  )
}

/** A full stop or a hyphen after a plain word is no part of it. */
function isPlainWithStop(text: string, from: number, to: number): boolean {
  const last = text[to - 1]
  if (last !== '.' && last !== '-') return false
  return (marksOfRun(text, from, to - 1) & alphabet.significant) === 0
}

interface Around {
  /** Character codes; zero at the edges. */
  readonly before: number
  readonly after: number
  readonly marks: number
}

interface CountedLiteral extends OutputLiteral {
  uses: number
}

/** Literals repeat often, so each run is read once. */
class FoundLiterals {
  readonly #runs = new Map<string, readonly CountedLiteral[]>()
  readonly #literals = new Map<string, CountedLiteral>()
  readonly all: CountedLiteral[] = []

  /** True if the run starts with a name, which a line number may follow. */
  add(run: string, around: Around): boolean {
    // The text around a run matters only where it could be a call or a tag.
    const isAlone = around.after !== openParenthesis && run.charCodeAt(0) !== slash
    let counted = isAlone ? this.#runs.get(run) : undefined
    if (counted === undefined) {
      const isFull = this.all.length >= maxLiterals
      counted = isFull ? [] : readRun(run, around).map((literal) => this.#counted(literal))
      if (isAlone) this.#runs.set(run, counted)
    }
    for (const literal of counted) literal.uses += 1
    return counted.length > 0 && counted[0]?.kind !== 'number'
  }

  #counted({ text, kind }: FoundLiteral): CountedLiteral {
    const known = this.#literals.get(text)
    if (known !== undefined) return known
    const counted: CountedLiteral = { text, kind, uses: 0 }
    this.all.push(counted)
    this.#literals.set(text, counted)
    return counted
  }
}

type FoundLiteral = Pick<OutputLiteral, 'text' | 'kind'>

function one(kind: OutputLiteralKind, text: string): readonly FoundLiteral[] {
  return [{ text, kind }]
}

function readRun(run: string, around: Around): readonly FoundLiteral[] {
  if ((around.marks & marksOfNames) === 0) return readWord(run, around.marks)
  const [, path, ending = '', rest = ''] = contextLine.exec(run) ?? []
  // `path-155-` begins a line around a match of grep.
  if (path !== undefined && fileEndingsInOutput.has(ending.toLowerCase()))
    return [...readRun(path, { ...around, after: 0 }), ...readParts(rest.split(/[.#~+/]+/))]
  const text = trimmed(run)
  if (text.length < 2) return []
  if (text.includes(':')) {
    if (/^[A-Za-z]:/.test(text)) return one('path', text)
    return /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/]/i.test(text) ? one('url', text) : []
  }
  if ((around.marks & atSign) !== 0 && email.test(text)) return one('email', text)
  if (text.includes('/')) return readPath(text, around.before)
  return text.includes('@') ? readParts(text.split('@')) : readMarked(text, around)
}

const contextLine = /^(.{1,300}\.([A-Za-z]\w{0,5}))-\d{1,7}(?:-(.*))?$/

const email = /^[\w.+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}$/u

function readWord(text: string, marks: number): readonly FoundLiteral[] {
  const hasDigits = (marks & digit) !== 0
  if ((marks & letter) === 0) return text.length >= 3 ? one('number', text) : []
  if (hasDigits && /^[0-9a-f]{7,128}$/i.test(text)) return one('hash', text)
  if (hasDigits && /^\d+[a-zA-Z]{1,3}$/.test(text)) return []
  if (hasDigits && /^v\d{1,6}$/.test(text)) return one('version', text)
  if (hasInnerCapital(text)) return one('symbol', text)
  return hasDigits && text.length >= 5 ? one('id', text) : []
}

/** A capital after a small letter, or the last of several before one; `IDs` has none. */
function hasInnerCapital(text: string): boolean {
  // Classes of Unicode make a pattern several times slower, and few literals need them.
  if (!/[A-Z\u0080-\uffff]/.test(text)) return false
  return /[\p{Ll}\d]\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(text) && /\p{Ll}/u.test(text)
}

function readPath(text: string, before: number): readonly FoundLiteral[] {
  // `</div>` and `<br/>` are tags.
  if (before === lessThan) return []
  if (text.startsWith('//')) return readParts([text.slice(2)])
  if (/^[\w.-]{1,60}\/[\w.-]{1,80}#\d{1,9}$/.test(text)) return one('id', text)
  const parts = text.split('/').filter((part) => part !== '')
  const [first = ''] = parts
  if (!/\p{L}/u.test(text))
    return /^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(text) ? one('date', text) : []
  if (text.startsWith('/') && parts.length === 1) {
    // `/g` ends a pattern; a slash after a word is a division.
    const isDivided = before > 32 && !'"\'`([=:,>'.includes(String.fromCharCode(before))
    return first.length < 3 || isDivided ? readParts([first]) : one('path', text)
  }
  const isPath = /^[/~.@]/.test(text) || parts.length > 2 || /[._\d-]|\/$|\p{Ll}\p{Lu}/u.test(text)
  return isPath ? one('path', text) : []
}

function readMarked(text: string, { after, marks }: Around): readonly FoundLiteral[] {
  if (/^#\d{1,9}$/.test(text)) return one('id', text)
  const hasDigits = (marks & digit) !== 0
  const numbered = hasDigits ? numberedForms.find(([, form]) => form.test(text)) : undefined
  if (numbered !== undefined) {
    const [kind] = numbered
    if (kind !== 'number' || text.length > 3)
      return one(kind, kind === 'date' ? text.slice(0, 10) : text)
  }
  const dot = text.lastIndexOf('.')
  const isCalled = after === openParenthesis
  if (dot > 0 && !isCalled && fileEndingsInOutput.has(text.slice(dot + 1).toLowerCase()))
    return one('file', text)
  if (dot === 0) {
    const isFile = !isCalled && /^\.[a-z][\w-]{2,40}$/.test(text) && !hasInnerCapital(text)
    return isFile ? one('file', text) : readParts([text.slice(1)])
  }
  if (dot > 0 || /[#~+]/.test(text)) return readParts(text.split(/[.#~+]+/))
  if (isLowJoined(text)) return one('symbol', text)
  // Any sentence joins words with hyphens; only with a digit it is a name.
  if (hasDigits && /^\p{L}[\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)+$/u.test(text))
    return one('symbol', text)
  return readParts(text.split(/-+/, maxParts))
}

// A run of words joined by marks can have very many parts.
const maxParts = 50

/** Reads each part on its own, down to single words. */
function readParts(parts: readonly string[]): readonly FoundLiteral[] {
  return parts.slice(0, maxParts).flatMap((part) => {
    if (part.length < 3) return []
    if (isLowJoined(part)) return one('symbol', part)
    return part
      .split(/[_-]+/, maxParts)
      .flatMap((word) => (word.length < 3 ? [] : readWord(word, marksOfWord(word))))
  })
}

function isLowJoined(text: string): boolean {
  return text.includes('_') && /^[\p{L}\p{N}_]+$/u.test(text) && /\p{L}/u.test(text)
}

function marksOfWord(word: string): number {
  if (!/\d/.test(word)) return letter
  return /^\d+$/.test(word) ? digit : digit | letter
}

function trimmed(run: string): string {
  let from = 0
  let to = run.length
  while (from < to && '-+'.includes(run[from] ?? ' ')) from += 1
  while (to > from && '.-@#~+:?!=&%\\'.includes(run[to - 1] ?? ' ')) to -= 1
  while (from < to && run[from] === '.' && run[from + 1] === '.' && run[from + 2] !== '/') from += 1
  // `...name` spreads an object; it is no file that starts with a dot.
  if (run[from - 1] === '.' && run[from] === '.' && !'./'.includes(run[from + 1] ?? '/')) from += 1
  return run.slice(from, to)
}
