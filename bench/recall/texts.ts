/**
 * Generated talk to search in. Word frequencies follow Zipf's law (the n-th word occurs once for n
 * occurrences of the first), so that questions have common and rare words.
 */
import { type Random, seededRandom } from '../../harness/kernel/chance.ts'

export interface SearchedTalk {
  readonly texts: readonly string[]
  /** Each consists of some words of one of the texts. */
  readonly questions: Readonly<Record<QuestionKind, readonly string[]>>
}

type QuestionKind = 'any words' | 'rare words'

export function searchedTalk(messages: number, questions: number): SearchedTalk {
  const random = seededRandom('searched talk')
  const texts = Array.from({ length: messages }, () => randomText(random))
  const ask = (isAsked: (word: string) => boolean) =>
    Array.from({ length: questions }, () => asked(texts, random, isAsked))
  return { texts, questions: { 'any words': ask(() => true), 'rare words': ask(isRare) } }
}

function randomText(random: Random): string {
  const words = Array.from({ length: 15 + random(90) }, () => wordOf(drawn(random)))
  return `${words.join(' ')}.`
}

/** A word number by Zipf's law. */
function drawn(random: Random): number {
  return Math.floor(vocabulary ** (random(1_000_000) / 1_000_000))
}

const vocabulary = 30_000

const beginnings = [
  'b',
  'd',
  'f',
  'g',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'z',
  'br',
  'st',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']

/** A distinct word for each number. */
function wordOf(number: number): string {
  const kinds = beginnings.length * vowels.length
  let [word, left] = ['', number]
  do {
    const kind = left % kinds
    word += `${beginnings[kind % beginnings.length]}${vowels[Math.floor(kind / beginnings.length)]}`
    left = Math.floor(left / kinds)
  } while (left > 0)
  return `${word}k`
}

/** Occurs some thirty times in a hundred thousand messages: words of three syllables. */
function isRare(word: string): boolean {
  return word.length >= 7
}

function asked(
  texts: readonly string[],
  random: Random,
  isAsked: (word: string) => boolean,
): string {
  const words = (texts[random(texts.length)] ?? '').replace('.', '').split(' ').filter(isAsked)
  if (words.length === 0) return asked(texts, random, isAsked)
  return Array.from({ length: 2 + random(4) }, () => words[random(words.length)]).join(' ')
}
