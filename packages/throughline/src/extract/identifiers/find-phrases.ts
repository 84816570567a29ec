/**
 * Identifiers of more than one word that a form tells: amounts with their unit, dates in
 * words, numbers with what they count. Each number of the text is looked at once.
 */
import { isAsciiLetter } from '../ascii-letter.ts'
import { type Identifier, type IdentifierKind, identifier } from './identifier.ts'

export function findPhrases(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  const first = text.search(/\d/)
  if (first < 0) return found
  const around = findNumbers(text, first, found)
  for (const { kind, form, needs } of worded)
    if ((around & needs) !== 0)
      for (const match of text.matchAll(form)) found.push(identifier(kind, match[0], match.index))
  return found
}

/** What stands around the numbers of the text, as bits. */
function findNumbers(text: string, first: number, found: Identifier[]): number {
  let around = 0
  for (let at = first; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue
    around |= before(text, at)
    if (!isInside(text, at)) {
      numbers.lastIndex = at
      const number = numbers.exec(text)?.[0]
      if (number !== undefined) {
        findAround(text, at, number, found)
        at += number.length - 1
      }
    }
    while (isDigit(text.charCodeAt(at + 1))) at += 1
    if (isYear(text.charCodeAt(at + 1))) around |= yearBehind
  }
  return around
}

const letterBefore = 1
const monthBefore = 2
const signBefore = 4
const yearBehind = 8

/** A word that can be told by its last letter, a month, the sign of a currency. */
function before(text: string, at: number): number {
  const next = text.charCodeAt(at - 1)
  const isSpaced = next === space
  const code = isSpaced ? text.charCodeAt(at - 2) : next
  let found = code === dollar || code >= 128 ? signBefore : 0
  if (isSpaced && (code === fullStop || isAsciiLetter(code)) && isMonth(text, at))
    found |= monthBefore
  const numbered = code === numberSign ? text.charCodeAt(at - 2) : code
  const last = numbered === space ? text.charCodeAt(at - 3) : numbered
  return lastLetters.has(last) ? found | letterBefore : found
}

const [space, fullStop, dollar, numberSign] = [32, 46, 36, 35]
/** Of `PR`, `RFC`, `CVE`, `request`, `issue`, `order`, `build`, `step`. */
const lastLetters: ReadonlySet<number> = new Set([...'RCEterdp'].map((one) => one.charCodeAt(0)))

function isMonth(text: string, at: number): boolean {
  return endsInMonth.test(text.slice(Math.max(0, at - monthCharacters), at))
}

const endsInMonth = /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? $/
const monthCharacters = 'September. '.length

function isYear(code: number): boolean {
  return code === 0x5e74 || code === 0xb144
}

const numbers = /(?<![\p{L}\p{N}_.,:/-])\d{1,15}(?:[.,]\d{1,9}){0,5}/uy

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Of another number, or of a word; what is not ASCII is left to the pattern. */
function isInside(text: string, at: number): boolean {
  return at > 0 && inside[text.charCodeAt(at - 1)] === 1
}

const inside: Uint8Array = new Uint8Array(128).fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123)
for (const mark of '_.,:/-') inside[mark.charCodeAt(0)] = 1

const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const unit =
  '(?:[KMGTP]i?B|[kKMGT]?[Bb]ytes?|bits?|[kMG]bps|[kMG]?Hz|ms|µs|ns|s|sec(?:onds?)?|min(?:utes?)?|h|hours?|days?|weeks?|months?|years?|px|kg|g|mg|km|m|cm|mm|mi|miles|kWh?|W|V|°[CF]|percent|tokens|lines|files|USD|EUR|GBP|CHF|JPY|CNY|INR|dollars|euros|pounds|million|billion|thousand)'

/** What can come behind a number and make it something. */
const behind: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['date', sticky(String.raw`(?:st|nd|rd|th|\.)? ${month}\.?,?(?: \d{4})?(?!\d)`)],
  ['amount', sticky(String.raw` ?(?:%|\p{Sc}|${unit}(?![\p{L}\p{N}_/-]))`)],
  ['time', sticky(String.raw`(?::\d{2})? ?[AaPp]\.?[Mm]\.?(?!\w)`)],
  ['date', sticky(String.raw`-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z?`)],
]

/** Most numbers are followed by nothing that could belong to them. */
const promising = /^(?:[ .]? ?[\p{L}%\p{Sc}°]|:\d\d ?[AaPp]|-\d\d-)/u

function findAround(text: string, at: number, number: string, found: Identifier[]): void {
  const end = at + number.length
  // Behind most of them, a mark ends what they belong to.
  if (closing[text.charCodeAt(end)] === 1 || !promising.test(text.slice(end, end + 6))) return
  for (const [kind, form] of behind) {
    form.lastIndex = end
    const rest = form.exec(text)?.[0]
    if (rest !== undefined) found.push(identifier(kind, number + rest, at))
  }
}

const closing: Uint8Array = new Uint8Array(128)
for (const mark of '\n\r\t!"#&\'()*+,/;<=>?@[\\]^_`{|}~') closing[mark.charCodeAt(0)] = 1

const word = String.raw`(?<![\p{L}\p{N}_])`

interface Worded {
  readonly kind: IdentifierKind
  readonly form: RegExp
  /** What stands beside a number of it. */
  readonly needs: number
}

/** What begins with a word or a mark and goes on with a number. */
const worded: readonly Worded[] = [
  {
    kind: 'date',
    form: global(String.raw`${word}${month}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)`),
    needs: monthBefore,
  },
  {
    kind: 'date',
    form: global(String.raw`${word}${month}\.? \d{4}(?!\d)`),
    needs: monthBefore,
  },
  {
    kind: 'date',
    form: /(?<!\d)\d{4}[年년] ?\d{1,2}[月월](?: ?\d{1,2}[日일])?/g,
    needs: yearBehind,
  },
  {
    kind: 'amount',
    form: global(
      String.raw`(?<![\p{L}\p{N}.])\p{Sc} ?\d{1,15}(?:[.,]\d{1,9}){0,5}(?: ?(?:million|billion|thousand|[kKmMbB])(?![\p{L}\p{N}]))?`,
    ),
    needs: signBefore,
  },
  {
    kind: 'id',
    form: global(
      String.raw`${word}(?:PR|MR|RFC|CVE|ADR|[Pp]ull [Rr]equest|[Ii]ssue|[Tt]icket|[Oo]rder|[Ii]nvoice|[Bb]uild|[Cc]ase|[Ss]tep|[Ll]ine) ?#?\d{1,9}(?![\p{L}\p{N}_])`,
    ),
    needs: letterBefore,
  },
]

function sticky(source: string): RegExp {
  return new RegExp(source, 'uy')
}

function global(source: string): RegExp {
  return new RegExp(source, 'gu')
}
