/**
 * The terms that a question is searched by: its own words, the dates that it names, and for a
 * follow-up such as "and the other one?" the words of the turn before.
 */
import {
  hasContentWords,
  isEverydayTerm,
  isFollowUp,
  searchedNames,
  searchedTerms,
  wordsByTerm,
} from '../../extract/terms.ts'
import { askedDates, dayTerm } from './asked-dates.ts'

export interface AskedTerm {
  readonly term: string
  /** As the question has it; a date as `2026-03-05`. */
  readonly word: string
  /** How much it weighs, compared with a word of the question that is rare in conversations. */
  readonly factor: number
}

export interface Asked {
  readonly question: string
  readonly terms: readonly AskedTerm[]
  readonly names: readonly string[]
  /** Whether it says what it is about; small talk does not. */
  readonly isAbout: boolean
}

/** `at`: when it was asked. `earlier`: the user's previous message, empty for a search on request. */
export function askedTerms(text: string, at: number, earlier: string): Asked {
  const question = boundedQuestion(text)
  const follows = earlier !== '' && isFollowUp(question)
  const terms = new Map<string, AskedTerm>()
  const add = (found: readonly AskedTerm[]) => {
    for (const each of found) if (!terms.has(each.term)) terms.set(each.term, each)
  }
  add(wordsOf(question))
  add(askedDates(question, at).map((date) => ({ term: dayTerm(date), word: date, factor: 1 })))
  if (follows)
    add(wordsOf(earlier).map((each) => ({ ...each, factor: each.factor * earlierShare })))
  return {
    question,
    terms: [...terms.values()].slice(0, maxTerms),
    names: searchedNames(question).slice(0, maxNames),
    isAbout: follows || hasContentWords(question),
  }
}

const maxTerms = 64
export const maxNames = 8
/** Words such as "discuss" say how a question is asked, more than what it is about. */
const everydayShare = 0.5
const earlierShare = 0.5

/** The words of a question alone. */
export function wordsOf(question: string): readonly AskedTerm[] {
  const text = boundedQuestion(question)
  const words = wordsByTerm(text)
  return searchedTerms(text).map((term) => ({
    term,
    word: words.get(term) ?? term,
    factor: isEverydayTerm(term) ? everydayShare : 1,
  }))
}

/** A very long question is pasted text: its beginning and its end say what it asks for. */
function boundedQuestion(question: string): string {
  if (question.length <= questionCharacters) return question
  const half = questionCharacters / 2
  return `${question.slice(0, half)} ${question.slice(-half)}`.toWellFormed()
}

const questionCharacters = 4_000
