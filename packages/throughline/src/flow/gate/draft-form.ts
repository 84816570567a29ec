/** Finds drafts with a broken form: repetition, gibberish, empty forms, a cut end, thoughts. */
import { passageWords } from './draft-text.ts'
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

const mostInRuns = 0.3

function isOneLetter(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? []
  const runs = text.match(/([\p{L}\p{N}])\1{11,}/gu) ?? []
  return runs.join('').length / letters.length >= mostInRuns
}

// In German up to a tenth of the words match (`deutsch`, `schwer`), in random letters most.
const unspeakable = /[bcdfghjklmnpqrstvwxz]{4}/
const mostUnspeakable = 0.35
const fewUnspeakable = 4

function isGibberish(text: string): boolean {
  const words = text.toLowerCase().match(/(?<![\w/.-])[a-z]{4,}(?![\w/-])/g) ?? []
  const found = words.filter((word) => unspeakable.test(word)).length
  return found >= fewUnspeakable && found / words.length >= mostUnspeakable
}

// Measured: summaries of long sessions have at least 0.83, lists of similar sentences 0.5.
const leastDistinct = 0.4
const passageLength = 4
const fewWords = 12

/** Checks the whole text and its end, because a looping model often starts well. */
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

/** Only headings, labels and words such as "none": a form without content. */
export function isSkeleton(text: string): boolean {
  return text.split('\n').every((line) => {
    const content = line.replace(/^[\s>]*(?:[-*+•]|\d{1,3}[.)])?\s*(?:\[[ xX]\])?/, '')
    return heading.test(line) || nothing.test(content) || label.test(content)
  })
}

const heading = /^\s{0,3}(?:#{1,6}(?:\s|$)|[-=*_]{3,}\s*$|\*\*[^*]{1,80}\*\*:?\s*$)/
const nothing = new RegExp(
  `^(?:\\*\\*[^*]{1,80}\\*\\*:?|[\\p{L} ]{1,40}:)?\\s{0,9}[([<"*_]{0,3}${emptyAnswer}?[)\\]>"*_.!]{0,4}\\s*$`,
  'iu',
)
const label = /^(?:\*\*)?[\p{L}\p{N} /&-]{1,60}:(?:\*\*)?\s*$/u

/** A stopped stream leaves an open block, or a last sentence without the usual final mark. */
export function isCutOff(text: string): boolean {
  const plain = text.trimEnd()
  if (plain === '') return false
  if (((plain.match(/^\s{0,3}(?:```|~~~)/gm)?.length ?? 0) & 1) === 1) return true
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const last = lines.at(-1) ?? ''
  if (dangling.test(last) || hasOpenSpan(last)) return true
  if (isEnded(last) || isHeading(last)) return false
  const isItem = itemMark.test(last)
  const peers = lines
    .slice(0, -1)
    .filter(
      (line) => itemMark.test(line) === isItem && !isHeading(line) && line.length >= shortLine,
    )
  if (peers.length >= (isItem ? fewItems : 1))
    return peers.filter(isEnded).length / peers.length >= mostEnded
  return (
    !isItem &&
    last.length >= shortLine &&
    /[.!?。！？](?:["')\]*_”’]{0,3}\s|(?<=[。！？]))\S/.test(last)
  )
}

const shortLine = 20
const fewItems = 2
const mostEnded = 0.8
const itemMark = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]) /

function isEnded(line: string): boolean {
  return /[.!?:;。！？।؟…|>`)\]}][\s"')\]*_”’`|]{0,4}$/.test(line)
}

function isHeading(line: string): boolean {
  return /^\s{0,3}(?:#{1,6} |\||---|===)|^\s{0,20}\*\*[^*]{1,120}\*\*:?$/.test(line)
}

function hasOpenSpan(line: string): boolean {
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return true
  const end = line.slice(-spanCharacters)
  return /[([{][^)\]}]{0,300}$/.test(end) && !/[:;=]-?\($/.test(end) && !/[.!?]$/.test(end)
}

const spanCharacters = 400

const dangling = new RegExp(`(?:[,([{“„–—=+&]|\\s(?:${danglingWords}))$`)

const block = new RegExp(`<(${thinkingTags})(?:\\s[^>]{0,80})?>`, 'i')

/** Removes thinking blocks from an answer; an unclosed block reaches to the end. */
export function withoutThinking(text: string) {
  let rest = text
  let visible = ''
  for (let round = 0; round < mostBlocks; round += 1) {
    const found = block.exec(rest)
    if (found === null) break
    const name = found[1] ?? ''
    const closing = rest.toLowerCase().indexOf(`</${name.toLowerCase()}>`, found.index)
    visible += rest.slice(0, found.index)
    rest = closing < 0 ? '' : rest.slice(closing + name.length + 3)
  }
  if (rest !== text) return { text: (visible + rest).trim(), thought: true }
  // Some servers send the opening tag in another field.
  const end = new RegExp(`^[^<]{0,20000}</(?:${thinkingTags})>`, 'i').exec(text)
  return end === null
    ? { text, thought: false }
    : { text: text.slice(end[0].length).trim(), thought: true }
}

const mostBlocks = 8

export function isThinkingAloud(text: string): boolean {
  const start = text.trim().slice(0, 400).toLowerCase().replaceAll('’', "'")
  return (
    text.length <= aloudCharacters &&
    aloud.test(start) &&
    !/\n\s*(?:#|\*\*|[-*] |\d+\. )/.test(text)
  )
}

const aloudCharacters = 3_000
const aloud = new RegExp(`^${thinkingOpening}`, 's')
