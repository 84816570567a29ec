/** A text as the words and the ids that it can name something with. Folded; linear in the text. */
import { foldedText } from '../folded-text.ts'

/** Scripts that are written without spaces: each character stands for itself. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

const words = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

export function wordsOfText(text: string): readonly string[] {
  return foldedText(text).match(words) ?? []
}

/**
 * Whether the words name one thing and not anything: three characters, or a letter and a digit.
 * A character of a script without spaces says as much as two.
 */
export function isTelling(name: readonly string[]): boolean {
  const text = name.join('')
  if (/\p{L}/u.test(text) && /\p{N}/u.test(text)) return true
  let weight = 0
  for (const character of text) {
    weight += isUnspaced.test(character) ? 2 : 1
    if (weight >= 3) return true
  }
  return false
}

const marks = '_.:/@#+~=-'
const runs = new RegExp(`(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}${marks}])+`, 'gu')
const edges = new RegExp(`^[${marks}]+|(?<![${marks}])[${marks}]+$`, 'gu')

/** What may be an id: `task-1` of `(see task-1)`, but not of `sub-task-1`; both parts of `id:task-1`. */
export function idsOfText(text: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [run] of foldedText(text).matchAll(runs))
    for (const part of [run, ...run.split(/[:/@#=]/)]) ids.add(part.replace(edges, ''))
  return ids
}

/** As it is found by `idsOfText`; null where it is more than one run, or none. */
export function asId(id: string): string | null {
  const text = foldedText(id).replace(edges, '')
  return text.match(runs)?.[0] === text ? text : null
}
