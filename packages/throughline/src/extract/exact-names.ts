/**
 * The exact names in what a machine wrote: paths, files, symbols, hashes, ids, versions,
 * numbers. Outputs are most of a long conversation, so this walks through them once, by
 * character codes; only what can be a name is cut out and looked at.
 */
import { type Around, type ExactNameKind, type NamedRun, nameKind } from './exact-name-kind.ts'

export type { ExactNameKind } from './exact-name-kind.ts'

export interface ExactName {
  readonly text: string
  readonly kind: ExactNameKind
  /** How often it stands there. */
  readonly uses: number
}

// An output with more names than that is a list, which nobody goes through by heart.
const mostNames = 20_000
/** No name that anyone means is longer. */
const longest = 400

const none = 0
const small = 1
const capital = 2
const digit = 3
const mark = 4

const ascii: Uint8Array = new Uint8Array(128)
  .fill(digit, 48, 58)
  .fill(capital, 65, 91)
  .fill(small, 97, 123)
for (const letter of '_.-/@#~+') ascii[letter.charCodeAt(0)] = mark

/**
 * In the order in which they stand there first, each once.
 *
 * For example:
 * exactNamesOf('  12→import { readWord } from "./read-word.ts"')
 * // readWord (symbol), ./read-word.ts (path)
 */
export function exactNamesOf(text: string): readonly ExactName[] {
  const names = new NotedNames()
  const isEscaped = /^\s{0,20}["[{]/.test(text) && text.includes('\\n')
  let behindName = -1
  let isLineStart = true
  let at = 0
  while (at < text.length) {
    if (isLineStart) at = behindLineNumber(text, at)
    isLineStart = false
    let code = text.charCodeAt(at)
    let sort = sortOf(code)
    if (sort === none) {
      if (code === newline) isLineStart = true
      // In JSON a line break is written as two characters, of which one is a letter.
      else if (code === backslash && isEscaped && /[nrt"]/.test(text[at + 1] ?? '')) at += 1
      at += 1
      continue
    }
    const from = at
    let isTelling = sort > capital
    let sorts = 1 << sort
    at += 1
    code = at < text.length ? text.charCodeAt(at) : 0
    sort = sortOf(code)
    while (sort !== none) {
      if (sort !== small) {
        isTelling = true
        sorts |= 1 << sort
      } else sorts |= 1 << small
      at += 1
      code = at < text.length ? text.charCodeAt(at) : 0
      sort = sortOf(code)
    }
    if (code === colon && (text.charCodeAt(at + 1) === slash || at - from === 1)) {
      const end = behindAddress(text, from, at)
      if (end > at) {
        isTelling = true
        sorts |= 1 << mark
        at = end
      }
    }
    if (!isTelling || at - from > longest) continue
    // A full stop behind a plain word is no part of it.
    const last = text.charCodeAt(at - 1)
    if ((last === fullStop || last === hyphen) && isPlain(text, from, at - 1)) continue
    // All digits behind `file:` are a place in it.
    if (sorts === 1 << digit && behindName >= 0 && from === behindName + 1) {
      behindName = code === colon ? at : -1
      continue
    }
    const before = from === 0 ? 0 : text.charCodeAt(from - 1)
    const found = names.note(text.slice(from, at), { before, behind: code, sorts })
    if (found && code === colon) behindName = at
  }
  return names.all
}

/** Names come again and again: each form of one is read once. */
class NotedNames {
  readonly #known = new Map<string, readonly Noted[]>()
  readonly #names = new Map<string, Noted>()
  readonly all: Noted[] = []

  /** Whether it names something that can have lines. */
  note(run: string, around: Around): boolean {
    // What is around it matters where it could be a call or a tag.
    const isAlone = around.behind !== parenthesis && run.charCodeAt(0) !== slash
    let noted = isAlone ? this.#known.get(run) : undefined
    if (noted === undefined) {
      noted = this.#read(run, around)
      if (isAlone) this.#known.set(run, noted)
    }
    for (const name of noted) name.uses += 1
    return noted.length > 0 && noted[0]?.kind !== 'number'
  }

  #read(run: string, around: Around): readonly Noted[] {
    const name = nameKind(run, around)
    if (name === null || this.all.length >= mostNames) return nothing
    if (name.kind !== 'several') return [this.#noted(name)]
    return name.names.map((part) => this.#noted(part))
  }

  #noted({ text, kind }: NamedRun): Noted {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const noted: Noted = { text, kind, uses: 0 }
    this.all.push(noted)
    this.#names.set(text, noted)
    return noted
  }
}

interface Noted {
  readonly text: string
  readonly kind: ExactNameKind
  uses: number
}

const nothing: readonly Noted[] = []

const newline = 10
const backslash = 92
const colon = 58
const slash = 47
const fullStop = 46
const hyphen = 45
const parenthesis = 40

/** Small letters, behind a capital perhaps. */
function isPlain(text: string, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) if (sortOf(text.charCodeAt(at)) !== small) return false
  return to - from < 1 || sortOf(text.charCodeAt(from)) <= capital
}

function sortOf(code: number): number {
  if (code < 128) return ascii[code] ?? none
  // Letters of the alphabets; signs that are words themselves make no names.
  return (code >= 0xc0 && code < 0x2000) || (code >= 0xac00 && code < 0xd7a4) ? small : none
}

const lineDigits = 7

/** `  160→`, `160:`, `160\t` and `160|` are set before the lines of a listing. */
function behindLineNumber(text: string, lineAt: number): number {
  let at = lineAt
  while (text.charCodeAt(at) === 32 && at - lineAt < 12) at += 1
  const from = at
  while (at - from <= lineDigits && sortOf(text.charCodeAt(at)) === digit) at += 1
  if (at === from || at - from > lineDigits) return lineAt
  const next = text[at]
  if (next === '→' || next === '\t' || next === ':') return at + 1
  if (next === ' ' && text[at + 1] === '|') return at + 2
  // Lines around a hit have a hyphen there, and so have dates.
  const isContext = next === '-' && sortOf(text.charCodeAt(at + 1)) !== digit
  return next === '|' || isContext ? at + 1 : lineAt
}

/** From `https` to the end of the address, from `C` to the end of the path. */
function behindAddress(text: string, from: number, at: number): number {
  const isDrive =
    at - from === 1 &&
    (text.charCodeAt(at + 1) === backslash || text.charCodeAt(at + 1) === slash) &&
    text.charCodeAt(at + 2) !== slash
  const isAddress = text.charCodeAt(at + 1) === slash && text.charCodeAt(at + 2) === slash
  if (!isDrive && !isAddress) return at
  let end = at + 2
  while (end < text.length && end - from <= longest && isOfAddress(text.charCodeAt(end))) end += 1
  return end
}

const addressMarks: ReadonlySet<number> = new Set(
  [...'\\:?=&%!'].map((letter) => letter.charCodeAt(0)),
)

function isOfAddress(code: number): boolean {
  return sortOf(code) !== none || addressMarks.has(code)
}
