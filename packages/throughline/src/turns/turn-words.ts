/** The words of a turn as a prompt, a judge and a fallback may see them: without secrets. */
import { redactSecrets } from '../extract/redact-secrets.ts'
import { lineOfText } from '../summarizers/answer-text.ts'
import { cutCharacters, firstCharacters } from './characters.ts'

export function withoutSecrets(text: string): string {
  return redactSecrets(text.toWellFormed()).text
}

/** The same, and without signs that turn the direction of what stands behind them. */
export function plainWords(text: string): string {
  // Inside a secret they would hide it.
  return withoutSecrets(text.replaceAll(directions, ''))
}

const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** In one line and without secrets, at most so many characters. */
export function safeLine(text: string, mostCharacters: number): string {
  return cutCharacters(lineOfText(plainWords(text)), mostCharacters)
}

/** What a model sees of an answer. */
export function beginning(text: string): string {
  return firstCharacters(text, seenCharacters)
}

const seenCharacters = 2_000

/** What a model sees of a message: who pastes a page asks before or behind it. */
export function bothEnds(text: string): string {
  if (text.length <= seenCharacters) return text
  const start = firstCharacters(text, seenCharacters - endCharacters)
  return `${start}\n…\n${withoutHalf(text.slice(-endCharacters))}`
}

const endCharacters = 500

/** How a message begins that a model has seen only the ends of: by that its anchor is found. */
export function longBeginning(text: string): string {
  return text.length <= seenCharacters
    ? ''
    : ` (a long message: ${safeLine(text, beginningCharacters)})`
}

const beginningCharacters = 80

function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.slice(1)
}
