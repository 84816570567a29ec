/** Splits prose into sentences in linear time; skips code, logs, tables, headings and fragments. */
import { isProse, isSentence } from './prose.ts'
import { abbreviations, machineTags } from './prose-forms-data.ts'

export interface Sentence {
  readonly text: string
  readonly at: number
}

// A longer sentence was pasted.
const sentenceCharacters = 600
const textCharacters = 200_000
const maxSentences = 2_000

export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  for (const { from, to } of paragraphsOf(text.slice(0, textCharacters))) {
    for (const sentence of sentencesIn(text.slice(from, to), from)) sentences.push(sentence)
    if (sentences.length >= maxSentences) break
  }
  return sentences.slice(0, maxSentences)
}

interface Paragraph {
  readonly from: number
  to: number
}

/** Joins wrapped lines, because a sentence may continue on the next line. */
function paragraphsOf(text: string): readonly Paragraph[] {
  const paragraphs: Paragraph[] = []
  // Text with headings or long lists is a document, and its list items are fragments.
  const count = (lines: RegExp) => text.match(lines)?.length ?? 0
  const isDocument = count(heading) >= headingsOfDocument || count(item) >= itemsOfDocument
  // The end of the block (code, machine output) that is being skipped.
  let skippedUntil = null as RegExp | null
  let continues = false
  let at = 0
  for (const line of text.split('\n')) {
    const from = at
    at += line.length + 1
    const block = skippedUntil ?? blockEnd(line)
    if (block !== null) {
      // The first line of a block does not end it.
      skippedUntil = block === skippedUntil && block.test(line) ? null : block
      continues = false
      continue
    }
    const prefixLength = linePrefix.exec(line.slice(0, prefixCharacters))?.[0].length ?? 0
    const isItem = prefixLength > 0 && !/^[\s>]*$/.test(line.slice(0, prefixLength))
    const words = prefixLength === 0 ? line : line.slice(prefixLength)
    const last = paragraphs.at(-1)
    if (!isProse(words) || (isItem && isDocument && !isSentence(words))) continues = false
    else {
      if (continues && !isItem && last !== undefined) last.to = from + line.length
      else paragraphs.push({ from: from + prefixLength, to: from + line.length })
      continues = line.length >= wrappedCharacters && !isEnded(line)
    }
  }
  return paragraphs
}

function isEnded(line: string): boolean {
  return /[.!?:。！？।؟]["')\]*_”’]{0,3}$/.test(line.trimEnd().slice(-4))
}

const wrappedCharacters = 50
const prefixCharacters = 40

/** A quote, a bullet, a number, a box to tick. */
const linePrefix = /^[\s>]*(?:(?:[-*+•–]|\d{1,3}[.)]|[a-z][.)])\s+)?(?:\[[ xX]\]\s+)?/

const heading = /^#{1,6} /gm
const item = /^[ \t]{0,12}(?:[-*+•]|\d{1,3}[.)]) /gm
const headingsOfDocument = 2
const itemsOfDocument = 12

function blockEnd(line: string): RegExp | null {
  if (!/^\s{0,80}[`~<]/.test(line)) return null
  const start = line.slice(0, tagCharacters).trimStart()
  if (start.startsWith('```')) return /^\s*```/
  if (start.startsWith('~~~')) return /^\s*~~~/
  const tag = machineTag.exec(start)?.[1]
  if (tag === undefined || line.includes(`</${tag}>`)) return null
  return new RegExp(`</${tag}>`)
}

const tagCharacters = 160
const machineTag = new RegExp(`^<(${machineTags.join('|')})(?:\\s[^>]{0,60})?>`)

function sentencesIn(paragraph: string, paragraphAt: number): readonly Sentence[] {
  const found: Sentence[] = []
  let from = 0
  const endSentence = (to: number) => {
    const raw = paragraph.slice(from, to)
    const indent = raw.length - raw.trimStart().length
    if (raw.length <= sentenceCharacters * 2) {
      const text = joinLines(raw)
      if (text.length > 1 && text.length <= sentenceCharacters && hasLetter(text))
        found.push({ text, at: paragraphAt + from + indent })
    }
    from = to
  }
  for (const { 0: mark, index } of paragraph.matchAll(endMarks)) {
    if (wideMarks.includes(mark)) endSentence(index + 1)
    else if (isEnd(paragraph, index))
      endSentence(index + 1 + (closing.exec(paragraph.slice(index + 1))?.[0].length ?? 0))
  }
  endSentence(paragraph.length)
  return found
}

function hasLetter(text: string): boolean {
  return /[A-Za-z]/.test(text) || /\p{L}/u.test(text)
}

function joinLines(raw: string): string {
  return (/\s\s|[^\S ]/.test(raw) ? raw.replace(/\s+/g, ' ') : raw).trim().toWellFormed()
}

const wideMarks = '。！？'
const endMarks = /[.!?…؟।۔。！？]/g
const closing = /^["')”’*_»]+/

/** Not inside `a.ts`, `3.5` or `e.g. this`. */
function isEnd(line: string, at: number): boolean {
  if (!/^(?:["')”’*_»\s]|$)/.test(line.slice(at + 1, at + 2))) return false
  if (line[at] !== '.') return true
  const word = /[\p{L}\p{N}.]*$/u.exec(line.slice(Math.max(0, at - 12), at))?.[0] ?? ''
  if (/^\d{1,3}$/.test(word) && at - word.length <= 1) return false
  if (/^(?:no|nr|art|fig)$/i.test(word)) return !/^\s?\d/.test(line.slice(at + 1, at + 3))
  return !abbreviations.test(word)
}
