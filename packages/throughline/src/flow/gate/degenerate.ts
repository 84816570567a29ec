/**
 * Whether a draft is what a model writes when it breaks down: the same words again and again,
 * one letter for hundreds of characters, letters that make no words, or a form with its gaps open.
 */
import { passageWords } from './passages.ts'
import { isSkeleton } from './skeleton.ts'

/** What is wrong with it; null where nothing is. */
export function degenerateReason(text: string): string | null {
  if (lorem.test(text)) return 'filler text'
  if (placeholder.test(text) && isSkeleton(text.replace(placeholders, ''))) return 'a placeholder'
  if (isOneLetter(text)) return 'one letter again and again'
  if (isGibberish(text)) return 'letters that are no words'
  return repeats(text) ? 'the same words again and again' : null
}

const lorem = /\blorem ipsum dolor\b/i
const gap =
  '[[<({]{1,3}\\s{0,3}(?:please |the |a )?(?:insert|add|write|put|place|enter|fill|type|provide|your|placeholder|summary|conversation|content|text|todo|tbd)(?![\\p{L}\\p{N}])[^\\])}>\\n]{0,80}[\\])}>]{1,3}'
const placeholder = new RegExp(gap, 'iu')
const placeholders = new RegExp(gap, 'giu')

const longRun = 12
const mostInRuns = 0.3

function isOneLetter(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const runs = text.match(/([\p{L}\p{N}])\1{11,}/gu)?.reduce((sum, run) => sum + run.length, 0) ?? 0
  return runs >= longRun && runs / letters >= mostInRuns
}

// German has such words too (`deutsch`, `schwer`), up to a tenth of a text; random keys most.
const unspeakable = /[bcdfghjklmnpqrstvwxz]{4}/
const mostUnspeakable = 0.35
const fewUnspeakable = 4

function isGibberish(text: string): boolean {
  const words = text.toLowerCase().match(/(?<![\w/.-])[a-z]{4,}(?![\w/-])/g) ?? []
  const found = words.filter((word) => unspeakable.test(word)).length
  return found >= fewUnspeakable && found / words.length >= mostUnspeakable
}

// Summaries of long sessions have 0.83 and more, lists of like sentences 0.5.
const leastDistinct = 0.4
const passageLength = 4
const fewWords = 12

/** As a whole, or from somewhere on: a model that loops does not stop. */
function repeats(text: string): boolean {
  const words = passageWords(text)
  const end = words.slice(-Math.max(2 * fewWords, Math.floor(words.length / 3)))
  return distinctShare(words) < leastDistinct || distinctShare(end) < leastDistinct
}

function distinctShare(words: readonly string[]): number {
  if (words.length < fewWords) return 1
  const passages = new Set<string>()
  const count = words.length - passageLength + 1
  for (let at = 0; at < count; at += 1) passages.add(words.slice(at, at + passageLength).join(' '))
  return passages.size / count
}
