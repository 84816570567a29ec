/**
 * What the character before a word adds to the word's cost: a blank nothing, a
 * character that programs join words with less than a token, most others one.
 */
import { wideSymbol } from './estimate-symbols.ts'

export interface Prefix {
  /** How far the words around are a measure for this one, 0 to 1. */
  readonly trust: number
  /** Added to what an unlisted word is judged to cost. */
  readonly form: number
  readonly extra: number
  readonly variance: number
  readonly extraIfCommon: number
  readonly varianceIfCommon: number
  /** Before a single letter. */
  readonly extraIfLetter: number
  readonly extraIfOtherScript: number
}

const nothing: Prefix = {
  trust: 0.95,
  form: 0.19,
  extra: 0,
  variance: 0,
  extraIfCommon: 0.08,
  varianceIfCommon: 0.16,
  extraIfLetter: 0,
  extraIfOtherScript: 0,
}

const blank: Prefix = { ...nothing, trust: 1, form: 0.02, extraIfCommon: 0, varianceIfCommon: 0 }

const joiner: Prefix = {
  trust: 0.95,
  form: 0.1,
  extra: 0.38,
  variance: 0.2,
  extraIfCommon: 0.25,
  varianceIfCommon: 0.19,
  extraIfLetter: 0,
  extraIfOtherScript: 0.9,
}

const separate: Prefix = {
  trust: 0.95,
  form: 0.1,
  extra: 0.93,
  variance: 0.07,
  extraIfCommon: 0.93,
  varianceIfCommon: 0.07,
  extraIfLetter: 0.5,
  extraIfOtherScript: 0.95,
}

/** The frequent words are listed with a blank and small letters: others are less sure. */
const blankBeforeCapital: Prefix = { ...blank, extraIfCommon: 0.03, varianceIfCommon: 0.12 }

/** Words are joined in small letters: before a capital a joiner is mostly apart. */
const joinerBeforeCapital: Prefix = { ...joiner, extra: 0.6, extraIfCommon: 0.6 }

export function beforeCapital(prefix: Prefix): Prefix {
  if (prefix === blank) return blankBeforeCapital
  return prefix === joiner ? joinerBeforeCapital : prefix
}

export function prefixOf(text: string, start: number, body: number): Prefix {
  if (start === body) return nothing
  const code = text.codePointAt(start) ?? 0
  if (code > 0x7f) return widePrefix(code)
  return asciiPrefixes[code] ?? separate
}

const asciiPrefixes: readonly Prefix[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (character === ' ') return blank
  return '_.(-\t'.includes(character) ? joiner : separate
})

function widePrefix(code: number): Prefix {
  const tokens = wideSymbol(code)
  return {
    trust: 0.95,
    form: 0.1,
    extra: tokens,
    variance: 0.2,
    extraIfCommon: tokens,
    varianceIfCommon: 0.2,
    extraIfLetter: tokens,
    // East Asian punctuation often shares a token with the character after it.
    extraIfOtherScript: tokens - 0.55,
  }
}
