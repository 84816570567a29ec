/**
 * Finds literals of several words or with marks around them. Searches for a first character to skip
 * most text.
 */
import { afterNumber, type LiteralKind, phraseForms, quoteForms } from './literal-forms-data.ts'

export interface Phrase {
  readonly kind: LiteralKind
  readonly text: string
  readonly at: number
}

const callCharacters = 200

export function callLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  for (let at = text.indexOf('()'); at >= 0; at = text.indexOf('()', at + 2)) {
    const called =
      /(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->|\?\.)){0,12}[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(
        text.slice(Math.max(0, at - callCharacters), at),
      )?.[0]
    if (called !== undefined)
      found.push({ kind: 'symbol', text: `${called}()`, at: at - called.length })
  }
  return found
}

export function datesAndAmountsIn(text: string): readonly Phrase[] {
  if (!/\d/.test(text)) return []
  const found: Phrase[] = []
  for (const { 0: number, index } of text.matchAll(numbers))
    for (const [kind, form] of afterNumber) {
      form.lastIndex = index + number.length
      const rest = form.exec(text)?.[0]
      if (rest !== undefined) found.push({ kind, text: number + rest, at: index })
    }
  for (const [kind, form] of phraseForms)
    for (const { 0: phrase, index } of text.matchAll(form))
      found.push({ kind, text: phrase, at: index })
  return found
}

const numbers = /(?<![\p{L}\p{N}_.,:/-])\d{1,15}(?:[.,]\d{1,9}){0,5}/gu

export function quotedLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  for (const form of quoteForms)
    for (const { 0: quoted, 1: content = '', index } of text.matchAll(form)) {
      const end = index + quoted.length
      // A quoted name before a colon is a field, not a value.
      if (isQuotedName(content) && !/^\s{0,4}:/.test(text.slice(end, end + 5)))
        found.push({ kind: 'quoted', text: content, at: index + quoted.indexOf(content) })
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

/** Where a capitalised word can start; the next pattern checks other alphabets. */
const capitals = /(?<![A-Za-z0-9_])[A-Z\u0080-\uffff](?=[A-Za-z0-9\u0080-\uffff])/g

/** Longer names are cut: a text in capitals would be one name. */
const maxWords = 6

/** Skips the first word of a sentence, which always has a capital. */
export function nameLiterals(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  // The open name has `wordCount` words from `from` to `to`; -1 where none is open.
  let [from, to, wordCount, next] = [-1, -1, 0, 0]
  const closeName = () => {
    if (from >= 0 && to - from < 200)
      found.push({ kind: 'name', text: text.slice(from, to), at: from })
    from = -1
  }
  for (const { index } of text.matchAll(capitals)) {
    if (index < next) continue
    capitalised.lastIndex = index
    const name = capitalised.exec(text)?.[0]
    if (name === undefined) continue
    const continues = from >= 0 && index === to + 1 && text[to] === ' '
    if (!continues || wordCount === maxWords) closeName()
    next = index + name.length
    if (!continues && beginsSentence(text, index)) continue
    if (from < 0) [from, wordCount] = [index, 0]
    to = next
    wordCount += 1
  }
  closeName()
  return found
}

function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 6), at)
  return sentenceStart.test(before) || (at <= 6 && /^\P{L}*$/u.test(before))
}

/** A stop, a line break, a mark of a list, an opening quote or bracket. */
const sentenceStart =
  /[.!?:;…]["'”’)\]]{0,2}\s{1,3}$|[。！？]$|\n[\s>*#•-]*$|["“„«‘'(`[{<|>*#•=/\\]\s?$/
