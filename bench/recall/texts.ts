/**
 * Talk to search in, made by code: words are as unequal as in any language (the n-th is said
 * once where the first is said n times), so that questions have common words and rare ones.
 */
import { type Random, seededRandom } from '../../harness/kernel/chance.ts'

export interface SearchedTalk {
  readonly texts: readonly string[]
  /** Each of some words of one of the texts. */
  readonly questions: Readonly<Record<QuestionKind, readonly string[]>>
}

type QuestionKind = 'any words' | 'rare words'

export function searchedTalk(messages: number, questions: number): SearchedTalk {
  const random = seededRandom('searched talk')
  const texts = Array.from({ length: messages }, () => said(random))
  const ask = (isAsked: (word: string) => boolean) =>
    Array.from({ length: questions }, () => asked(texts, random, isAsked))
  return { texts, questions: { 'any words': ask(() => true), 'rare words': ask(isRare) } }
}

function said(random: Random): string {
  const words = Array.from({ length: 15 + random(90) }, () => wordOf(drawn(random)))
  return `${words.join(' ')}.`
}

/** By the law of Zipf. */
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
const sounds = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']

/** The same word for the same number, and never one of two numbers. */
function wordOf(number: number): string {
  const kinds = beginnings.length * sounds.length
  let [word, left] = ['', number]
  do {
    const kind = left % kinds
    word += `${beginnings[kind % beginnings.length]}${sounds[Math.floor(kind / beginnings.length)]}`
    left = Math.floor(left / kinds)
  } while (left > 0)
  return `${word}k`
}

/** Said some thirty times in a hundred thousand messages: those of three syllables. */
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
