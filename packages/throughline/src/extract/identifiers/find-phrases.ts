/**
 * Identifiers of more than one word that a form tells: amounts with their unit, dates in
 * words, numbers with what they count. Each number of the text is looked at once.
 */
import { type Identifier, type IdentifierKind, identifier } from './identifier.ts'

export function findPhrases(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  for (const match of text.matchAll(numbers)) findAround(text, match.index, match[0], found)
  for (const [kind, form] of worded)
    for (const match of text.matchAll(form)) found.push(identifier(kind, match[0], match.index))
  return found
}

const numbers = /(?<![\p{L}\p{N}_.,:/-])\d{1,15}(?:[.,]\d{1,9}){0,5}/gu

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
  if (!promising.test(text.slice(end, end + 6))) return
  for (const [kind, form] of behind) {
    form.lastIndex = end
    const rest = form.exec(text)?.[0]
    if (rest !== undefined) found.push(identifier(kind, number + rest, at))
  }
}

const word = String.raw`(?<![\p{L}\p{N}_])`

/** What begins with a word or a mark and goes on with a number. */
const worded: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['date', global(String.raw`${word}${month}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)`)],
  ['date', global(String.raw`${word}${month}\.? \d{4}(?!\d)`)],
  ['date', /(?<!\d)\d{4}[年년] ?\d{1,2}[月월](?: ?\d{1,2}[日일])?/g],
  [
    'amount',
    global(
      String.raw`(?<![\p{L}\p{N}.])\p{Sc} ?\d{1,15}(?:[.,]\d{1,9}){0,5}(?: ?(?:million|billion|thousand|[kKmMbB])(?![\p{L}\p{N}]))?`,
    ),
  ],
  [
    'id',
    global(
      String.raw`${word}(?:PR|MR|RFC|CVE|ADR|[Pp]ull [Rr]equest|[Ii]ssue|[Tt]icket|[Oo]rder|[Ii]nvoice|[Bb]uild|[Cc]ase|[Ss]tep|[Ll]ine) ?#?\d{1,9}(?![\p{L}\p{N}_])`,
    ),
  ],
]

function sticky(source: string): RegExp {
  return new RegExp(source, 'uy')
}

function global(source: string): RegExp {
  return new RegExp(source, 'gu')
}
