/** Recognises clauses that report an action as done, and clauses that leave it open. */
import {
  actionSigns,
  actionWords,
  englishPast,
  openSigns,
  openWords,
  speechSigns,
  speechWords,
} from './action-words-data.ts'

/** True for `the recipes were saved`, false for `explained how rice is cooked`. */
export function isAction(clause: string): boolean {
  return action.test(clause) && !speech.test(clause)
}

/** True for `proposed to save the recipes`. */
export function isOpen(clause: string): boolean {
  return open.test(clause)
}

const action = patternOf(actionWords, `(?<!\\p{L})${englishPast}(?!\\p{L})|${actionSigns}`)
const open = patternOf(openWords, openSigns)
const speech = patternOf(speechWords, speechSigns)

function patternOf(words: string, signs: string): RegExp {
  const alternatives = words
    .trim()
    .split(/\s+/)
    .map((word) => (word.endsWith('-') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
  return new RegExp(`(?<!\\p{L})(?:${alternatives.join('|')})|${signs}`, 'u')
}
