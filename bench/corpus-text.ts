/**
 * Builds random texts of a given length from words, syllables, lines, or any characters of a Unicode
 * block.
 */
import type { Random } from '../harness/kernel/chance.ts'

export const small = 'abcdefghijklmnopqrstuvwxyz'

export type MakeText = (random: Random, length: number) => string

/** Joins parts until the text is long enough. */
export function repeat(length: number, part: () => string): string {
  let text = ''
  while (text.length < length) text += part()
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

export function pick<T>(random: Random, choices: readonly [T, ...T[]] | readonly T[]): T {
  return choices[random(choices.length)] as T
}

export function letters(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random(alphabet.length))).join('')
}

/** Sentences of words, with punctuation between and after them. */
export function prose(words: readonly string[], end = '. '): MakeText {
  return (random, length) =>
    repeat(length, () => {
      const sentence = Array.from({ length: 4 + random(14) }, () => pick(random, words))
      const first = sentence[0] ?? ''
      sentence[0] = first.charAt(0).toUpperCase() + first.slice(1)
      return sentence.join(random(6) === 0 ? ', ' : ' ') + (random(8) === 0 ? '?\n\n' : end)
    })
}

/** Words built from syllables, for languages without a word list. */
export function syllables(parts: readonly string[], between: string, end: string): MakeText {
  return (random, length) =>
    repeat(length, () => {
      const word = Array.from({ length: 1 + random(4) }, () => pick(random, parts)).join('')
      return word + (random(9) === 0 ? end : between)
    })
}

export function fromBlock(from: number, to: number, between: readonly string[]): MakeText {
  return (random, length) =>
    repeat(length, () => {
      const code = from + random(to - from)
      return random(7) === 0 ? pick(random, between) : String.fromCodePoint(code)
    })
}

export function lines(line: (random: Random) => string): MakeText {
  return (random, length) => repeat(length, () => `${line(random)}\n`)
}

/** A list of words, and the names of countries and currencies from the JavaScript engine's data. */
export function language(locale: string, list: string): readonly string[] {
  const common = words(list)
  const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
  const currencies = new Intl.DisplayNames([locale], { type: 'currency', fallback: 'none' })
  const names = [
    ...letterCodes(2).map((code) => regions.of(code)),
    ...Intl.supportedValuesOf('currency').map((code) => currencies.of(code)),
  ].filter((name) => name !== undefined)
  // The twenty most frequent words make up a third of running text.
  const repeats = Math.ceil(names.length / common.length / 2)
  return [...names, ...Array.from({ length: repeats }, () => common).flat()]
}

function letterCodes(length: number): readonly string[] {
  if (length === 0) return ['']
  return letterCodes(length - 1).flatMap((code) =>
    Array.from(small.toUpperCase(), (letter) => code + letter),
  )
}

export function words(list: string): readonly string[] {
  return list.split(' ')
}
