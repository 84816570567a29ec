import {
  actionSigns,
  actionWords,
  englishPast,
  openSigns,
  openWords,
  speechSigns,
  speechWords,
} from './action-words-data.ts'

/**
 * For example:
 * isAction('the recipes were saved') // true
 * isAction('explained how rice is cooked') // false
 */
export function isAction(clause: string): boolean {
  return action.test(clause) && !speech.test(clause)
}

/**
 * For example:
 * isOpen('proposed to save the recipes') // true
 */
export function isOpen(clause: string): boolean {
  return open.test(clause)
}

const action = patternOf(actionWords, `(?<!\\p{L})${englishPast}(?!\\p{L})|${actionSigns}`)
const open = patternOf(openWords, openSigns)
const speech = patternOf(speechWords, speechSigns)

function patternOf(words: string, others: string): RegExp {
  const each = words
    .trim()
    .split(/\s+/)
    .map((word) => (word.endsWith('-') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
  return new RegExp(`(?<!\\p{L})(?:${each.join('|')})|${others}`, 'u')
}
