/** Finds drafts with a broken form: repetition, gibberish, empty forms, a cut end, thoughts. */
import { passagesOf, passageWords } from './draft-text.ts'
import {
  danglingWords,
  emptyAnswer,
  gapInForm,
  thinkingOpening,
  thinkingTags,
} from './draft-words-data.ts'

export function degenerateReason(text: string): string | null {
  if (lorem.test(text)) return 'filler text'
  if (placeholder.test(text) && isSkeleton(text.replace(placeholders, ''))) return 'a placeholder'
  if (isOneLetter(text)) return 'one letter again and again'
  if (isGibberish(text)) return 'letters that are no words'
  return repeats(text) ? 'the same words again and again' : null
}

const lorem = /\blorem ipsum dolor\b/i
const placeholder = new RegExp(gapInForm, 'iu')
const placeholders = new RegExp(gapInForm, 'giu')

const maxShareInRuns = 0.3

function isOneLetter(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? []
  const runs = text.match(/([\p{L}\p{N}])\1{11,}/gu) ?? []
  return runs.join('').length / letters.length >= maxShareInRuns
}

// In German up to a tenth of the words match (`deutsch`, `schwer`), in random letters most.
const unspeakable = /[bcdfghjklmnpqrstvwxz]{4}/
const maxUnspeakableShare = 0.35
const minUnspeakable = 4

function isGibberish(text: string): boolean {
  const words = text.toLowerCase().match(/(?<![\w/.-])[a-z]{4,}(?![\w/-])/g) ?? []
  const found = words.filter((word) => unspeakable.test(word)).length
  return found >= minUnspeakable && found / words.length >= maxUnspeakableShare
}

// Measured: summaries of long sessions have at least 0.83, lists of similar sentences 0.5.
const minDistinctShare = 0.4
const passageLength = 4
const minWords = 12

/** Checks the whole text and its end, because a looping model often starts well. */
function repeats(text: string): boolean {
  const words = passageWords(text)
  const end = words.slice(-Math.max(2 * minWords, Math.floor(words.length / 3)))
  return isLoop(words) || isLoop(end)
}

function isLoop(words: readonly string[]): boolean {
  const passages = passagesOf(words, passageLength)
  const distinctShare = new Set(passages).size / passages.length
  return words.length >= minWords && distinctShare < minDistinctShare
}

/** Only headings, labels and words such as "none": a form without content. */
export function isSkeleton(text: string): boolean {
  return text.split('\n').every((line) => {
    const content = line.replace(/^[\s>]*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\[[ xX]\])?/, '')
    return headingLine.test(line) || emptyField.test(content) || labelLine.test(content)
  })
}

const headingLine = /^\s{0,3}(?:#{1,6}(?:\s|$)|[-=*_]{3,}\s*$|\*\*[^*]{1,80}\*\*:?\s*$)/
const emptyField = new RegExp(
  `^(?:\\*\\*[^*]{1,80}\\*\\*:?|[\\p{L} ]{1,40}:)?\\s{0,9}[([<"*_]{0,3}${emptyAnswer}?[)\\]>"*_.!]{0,4}\\s*$`,
  'iu',
)
const labelLine = /^(?:\*\*)?[\p{L}\p{N} /&-]{1,60}:(?:\*\*)?\s*$/u

/** A stopped stream leaves an open block, or a last sentence without the usual final mark. */
export function isCutOff(text: string): boolean {
  const plain = text.trimEnd()
  if (plain === '') return false
  if (isOdd(plain.match(/^\s{0,3}(?:```|~~~)/gm))) return true
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const last = lines.at(-1) ?? ''
  if (danglingEnd.test(last) || hasOpenSpan(last)) return true
  if (isEnded(last) || isHeading(last)) return false
  const isItem = itemStart.test(last)
  const isPeer = (line: string) =>
    itemStart.test(line) === isItem && !isHeading(line) && line.length >= minLineCharacters
  const peers = lines.slice(0, -1).filter(isPeer)
  // A last line without a final mark is cut off only if most lines of its kind have one.
  if (peers.length >= (isItem ? minItems : 1))
    return peers.filter(isEnded).length / peers.length >= minEndedShare
  if (isItem || last.length < minLineCharacters) return false
  const hasSentenceBefore = /[.!?。！？](?:["')\]*_”’]{0,3}\s|(?<=[。！？]))\S/
  return hasSentenceBefore.test(last)
}

const minLineCharacters = 20
const minItems = 2
const minEndedShare = 0.8
const itemStart = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]) /

function isEnded(line: string): boolean {
  return /[.!?:;。！？।؟…|>`)\]}][\s"')\]*_”’`|]{0,4}$/.test(line)
}

function isHeading(line: string): boolean {
  return /^\s{0,3}(?:#{1,6} |\||---|===)|^\s{0,20}\*\*[^*]{1,120}\*\*:?$/.test(line)
}

function hasOpenSpan(line: string): boolean {
  if (isOdd(line.match(/`/g))) return true
  const end = line.slice(-maxSpanCharacters)
  return /[([{][^)\]}]*$/.test(end) && !/[.!?]$/.test(end)
}

/** Of an odd number of delimiters, one is still open. */
function isOdd(delimiters: readonly string[] | null): boolean {
  return delimiters !== null && delimiters.length % 2 === 1
}

const maxSpanCharacters = 300
const danglingEnd = new RegExp(`(?:[,([{“„–—=+&]|\\s(?:${danglingWords}))$`)

const openingTag = new RegExp(`<(${thinkingTags})(?:\\s[^>]{0,80})?>`, 'i')

/** Removes thinking blocks from an answer; an unclosed block reaches to the end. */
export function withoutThinking(text: string) {
  let rest = text
  let visible = ''
  for (let round = 0; round < maxBlocks; round += 1) {
    const found = openingTag.exec(rest)
    if (found === null) break
    const name = found[1] ?? ''
    const closing = rest.toLowerCase().indexOf(`</${name.toLowerCase()}>`, found.index)
    visible += rest.slice(0, found.index)
    rest = closing === -1 ? '' : rest.slice(closing + name.length + 3)
  }
  if (rest !== text) return { text: (visible + rest).trim(), thought: true }
  // Some servers send the opening tag in another field.
  const end = new RegExp(`^[^<]{0,20000}</(?:${thinkingTags})>`, 'i').exec(text)
  if (end === null) return { text, thought: false }
  return { text: text.slice(end[0].length).trim(), thought: true }
}

const maxBlocks = 8

/** The model reasons about the task and writes no list or heading: there is no summary. */
export function isThinkingAloud(text: string): boolean {
  if (text.length > maxAloudCharacters) return false
  const start = text.trim().toLowerCase().replaceAll('’', "'")
  return aloudOpening.test(start) && !/\n\s*(?:#|\*\*|[-*] |\d+\. )/.test(text)
}

const maxAloudCharacters = 3_000
const aloudOpening = new RegExp(`^${thinkingOpening}`, 's')
