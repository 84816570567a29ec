/**
 * People, places and products: words with a capital that do not begin a sentence. A sentence
 * gives its first word a capital whatever it is, so that word is never a sign of a name.
 */
import { type Identifier, identifier } from './identifier.ts'

const capitalised =
  /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}]+(?:['’-]\p{L}[\p{L}\p{M}\p{N}]*){0,4}/gu

/** As many words as a name has at most; in a text of capitals there would be no end. */
const wordsAtMost = 6

export function findNames(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  let from = -1
  let to = -1
  let count = 0
  const close = () => {
    if (from >= 0 && to - from < 200) found.push(identifier('name', text.slice(from, to), from))
    from = -1
  }
  for (const { 0: word, index } of text.matchAll(capitalised)) {
    const goesOn = from >= 0 && index === to + 1 && text[to] === ' '
    if (!goesOn || count === wordsAtMost) close()
    if (!goesOn && beginsSentence(text, index)) continue
    if (from < 0) [from, count] = [index, 0]
    to = index + word.length
    count += 1
  }
  close()
  return found
}

/** By the few characters before it. */
function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 6), at)
  return sentenceStart.test(before) || (at <= 6 && /^\P{L}*$/u.test(before))
}

/** A stop, a line break, a mark of a list, an opening quote or bracket. */
const sentenceStart =
  /[.!?:;…]["'”’)\]]{0,2}\s{1,3}$|[。！？]$|\n[\s>*#•-]*$|["“„«‘'(`[{<|>*#•=/\\]\s?$/
