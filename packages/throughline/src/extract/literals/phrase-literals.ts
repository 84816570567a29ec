/**
 * Literals that more than one word or a mark around them makes: calls, amounts with their unit,
 * dates in words, numbers with what they count, quotes, names of people, places and products.
 * Each begins with a character that is looked for first, so that most of a text is passed over.
 */
import {
  afterNumber,
  type LiteralKind,
  letterBefore,
  monthBefore,
  phraseForms,
  quoteForms,
  signBefore,
  yearAfter,
} from './literal-forms-data.ts'
import { isAsciiLetter } from './literal-runs.ts'

export interface Phrase {
  readonly kind: LiteralKind
  readonly text: string
  readonly at: number
}

const longestCall = 200

/** Calls without arguments, `a.b.c()`: the brackets say that what is before them is a symbol. */
export function callLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  for (let at = text.indexOf('()'); at >= 0; at = text.indexOf('()', at + 2)) {
    const called =
      /(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->|\?\.)){0,12}[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(
        text.slice(Math.max(0, at - longestCall), at),
      )?.[0]
    if (called !== undefined)
      found.push({ kind: 'symbol', text: `${called}()`, at: at - called.length })
  }
  return found
}

function flags(marks: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const mark of marks) table[mark.charCodeAt(0)] = 1
  return table
}

/** Each number of the text is looked at once. */
export function datesAndAmountsIn(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  const first = text.search(/\d/)
  if (first < 0) return found
  const around = findNumbers(text, first, found)
  for (const { kind, form, needs } of phraseForms)
    if ((around & needs) !== 0)
      for (const match of text.matchAll(form)) found.push({ kind, text: match[0], at: match.index })
  return found
}

/** What is around the numbers of the text, as bits. */
function findNumbers(text: string, first: number, found: Phrase[]): number {
  let around = 0
  for (let at = first; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue
    around |= before(text, at)
    if (inside[text.charCodeAt(at - 1)] !== 1) {
      numbers.lastIndex = at
      const number = numbers.exec(text)?.[0]
      if (number !== undefined) {
        findAfter(text, at, number, found)
        at += number.length - 1
      }
    }
    while (isDigit(text.charCodeAt(at + 1))) at += 1
    if (/[年년]/.test(text[at + 1] ?? '')) around |= yearAfter
  }
  return around
}

/** A word that can be recognised by its last letter, a month, the sign of a currency. */
function before(text: string, at: number): number {
  const next = text.charCodeAt(at - 1)
  const isSpaced = next === space
  const code = isSpaced ? text.charCodeAt(at - 2) : next
  let found = code === dollar || code >= 128 ? signBefore : 0
  if (isSpaced && (code === fullStop || isAsciiLetter(code)) && endsInMonth(text, at))
    found |= monthBefore
  const numbered = code === numberSign ? text.charCodeAt(at - 2) : code
  const last = numbered === space ? text.charCodeAt(at - 3) : numbered
  return lastLetters[last] === 1 ? found | letterBefore : found
}

const [space, fullStop, dollar, numberSign] = [32, 46, 36, 35]
/** Of `PR`, `RFC`, `CVE`, `request`, `issue`, `order`, `build`, `step`. */
const lastLetters = flags('RCEterdp')

function endsInMonth(text: string, at: number): boolean {
  const end = text.slice(Math.max(0, at - 'September. '.length), at)
  return /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? $/.test(end)
}

const numbers = /(?<![\p{L}\p{N}_.,:/-])\d{1,15}(?:[.,]\d{1,9}){0,5}/uy

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Before a digit inside of another number or a word; what is not ASCII is left to the pattern. */
const inside = flags('_.,:/-').fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123)

/** Most numbers are followed by nothing that could belong to them. */
const promising = /^(?:[ .]? ?[\p{L}%\p{Sc}°]|:\d\d ?[AaPp]|-\d\d-)/u
const closing = flags('\n\r\t!"#&\'()*+,/;<=>?@[\\]^_`{|}~')

function findAfter(text: string, at: number, number: string, found: Phrase[]): void {
  const end = at + number.length
  if (closing[text.charCodeAt(end)] === 1 || !promising.test(text.slice(end, end + 6))) return
  for (const [kind, form] of afterNumber) {
    form.lastIndex = end
    const rest = form.exec(text)?.[0]
    if (rest !== undefined) found.push({ kind, text: number + rest, at })
  }
}

/** What is in quotes as a name is: short, on one line, and not a sentence. */
export function quotedLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  for (const { opens, form } of quoteForms)
    for (let at = text.indexOf(opens); at >= 0; ) {
      form.lastIndex = at
      // An apostrophe inside a word, as in most texts, opens nothing.
      const isApostrophe = opens === "'" && isAsciiLetter(text.charCodeAt(at - 1))
      const match = isApostrophe ? null : form.exec(text)
      const end = match === null ? at + 1 : form.lastIndex
      const content = match?.[1] ?? ''
      // The name of a field says what a value is, and is none itself.
      if (match !== null && isQuotedName(content) && !/^\s{0,4}:/.test(text.slice(end, end + 5)))
        found.push({ kind: 'quoted', text: content, at: at + match[0].indexOf(content) })
      at = text.indexOf(opens, end)
    }
  return found
}

function isQuotedName(content: string): boolean {
  return (
    content.trim() === content &&
    /\p{L}/u.test(content) &&
    !/[.!?,;:] |[.!?]$|[{}<>;=]|\\/u.test(content) &&
    content.split(/\s+/).length <= 6
  )
}

const capitalised =
  /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}]+(?:['’-]\p{L}[\p{L}\p{M}\p{N}]*){0,4}/uy

/** Where a word with a capital can begin; what is not ASCII is left to the pattern. */
const capitals = /(?<![A-Za-z0-9_])[A-Z\u0080-\uffff](?=[A-Za-z0-9\u0080-\uffff])/g

/** As many words as a name has at most; in a text of capitals there would be no end. */
const wordsAtMost = 6

/**
 * Words with a capital that do not begin a sentence. A sentence gives its first word a capital
 * whatever it is, so that word is never a sign of a name.
 */
export function nameLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  let [from, to, count, next] = [-1, -1, 0, 0]
  const close = () => {
    if (from >= 0 && to - from < 200)
      found.push({ kind: 'name', text: text.slice(from, to), at: from })
    from = -1
  }
  for (const { index } of text.matchAll(capitals)) {
    if (index < next) continue
    capitalised.lastIndex = index
    const name = capitalised.exec(text)?.[0]
    if (name === undefined) continue
    const goesOn = from >= 0 && index === to + 1 && text[to] === ' '
    if (!goesOn || count === wordsAtMost) close()
    next = index + name.length
    if (!goesOn && beginsSentence(text, index)) continue
    if (from < 0) [from, count] = [index, 0]
    to = next
    count += 1
  }
  close()
  return found
}

/** By the few characters before it. */
function beginsSentence(text: string, at: number): boolean {
  // After a word and a space, as most names are.
  if (text.charCodeAt(at - 1) === space && isAsciiLetter(text.charCodeAt(at - 2))) return false
  const before = text.slice(Math.max(0, at - 6), at)
  return sentenceStart.test(before) || (at <= 6 && /^\P{L}*$/u.test(before))
}

/** A stop, a line break, a mark of a list, an opening quote or bracket. */
const sentenceStart =
  /[.!?:;…]["'”’)\]]{0,2}\s{1,3}$|[。！？]$|\n[\s>*#•-]*$|["“„«‘'(`[{<|>*#•=/\\]\s?$/
