/**
 * Questions that nobody would ask, and some that people do: operators of FTS5, quotes, NUL, halves
 * of characters, both directions of writing, SQL, patterns, pages of text, and nothing at all.
 */
import type { Chance } from '../kernel/chance.ts'
import { anyText, randomText } from '../prop/random-text.ts'

const signs = ['"', "'", '*', '^', '(', ')', '{', '}', ':', '+', '-', '--', ',', ';', '%', '_', '`']
const operators = ['AND', 'OR', 'NOT', 'NEAR', 'NEAR(', 'terms:', 'rowid', 'MATCH', 'rank']
const statements = [
  "'; DROP TABLE messages; --",
  "' OR 1=1 --",
  '" OR "" = "',
  'SELECT * FROM recall_terms',
  "x') UNION SELECT body FROM messages --",
  '?1 :id @id $id',
]
const patterns = ['.*', '(a+)+$', '[^]', '\\', '\\d{9,}', '(?<=x)', '|', '^$', '$&', '\\u0000']
const scripts = ['东京塔', 'สวัสดี', '서울', 'हिन्दी', 'שלום עולם', 'مرحبا', 'Ωμέγα', 'ﬁ', 'İI', 'ß']
const hidden = [
  '\u0000',
  '\ufeff',
  '\u200b',
  '\u202e',
  '\u2066',
  '\u0301',
  '\ud83d',
  '\ude00',
  '\uffff',
]
const numbers = ['0', '-1', '1e309', 'NaN', '0x7f', '2026-03-05', '#12', '#3-#17', '9'.repeat(40)]

/** About what stands in a log, in some of its own words. */
export function fuzzedQuery(chance: Chance, words: readonly string[]): string {
  const word = () => words[chance.below(Math.max(1, words.length))] ?? ''
  const some = (make: () => string) => chance.times(chance.between(1, 6), make)
  const one = (values: readonly string[]) => values[chance.below(values.length)] ?? ''
  return chance.pick([
    () => some(word).join(' '),
    () => some(word).join(one([' OR ', ' AND ', ' NOT ', ' NEAR ', '* ', '" "', '\u0000'])),
    () => `${one(signs)}${word()}${one(signs)}`,
    () => some(() => one([...signs, ...operators, word()])).join(one(['', ' '])),
    () => `${word()} ${one(statements)}`,
    () => some(() => one([...patterns, word()])).join(''),
    () => some(() => one([...scripts, word()])).join(one(['', ' '])),
    () => some(() => one([...hidden, word(), ' '])).join(''),
    () => one(numbers),
    () => partOf(word(), chance),
    () => anyText(chance),
    () => (chance.once(20) ? pages(chance, word()) : ''),
  ])()
}

/** Also from the middle of a character. */
function partOf(word: string, chance: Chance): string {
  const from = chance.below(Math.max(1, word.length))
  return word.slice(from, from + chance.between(1, 12))
}

function pages(chance: Chance, word: string): string {
  return `${randomText(chance, 100_000)} ${word}`
}
