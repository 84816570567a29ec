/** The text of a draft, and how it is split: into pieces, words, and passages of several words. */
import type { Draft } from '../../domain/summary.ts'

/** All text of a draft, because the gate must check everything that is shown later. */
export function draftText({ text, keyPoints, facets }: Draft): string {
  const lines = [text, ...keyPoints.map(listItem)]
  if (facets === null) return lines.join('\n')
  const { participants, decisions, unresolved, domainEntities, userFacts, references } = facets
  const lists = [participants, decisions, unresolved, domainEntities, userFacts, references]
  lines.push(...lists.flat().map(listItem))
  // A line each: after `Ada, `, the capital of a task would look like that of a name.
  for (const { owner, task, due } of facets.actionItems)
    lines.push(...[owner, task, due].filter((part) => part !== null).map(listItem))
  if (facets.tone !== null) lines.push(facets.tone)
  return lines.join('\n')
}

function listItem(text: string): string {
  return `- ${text}`
}

/**
 * Splits a text into pieces that a repair can remove one by one: sentences, and whole lines of lists,
 * tables and code. Joined, they are the text again.
 */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let isCode = false
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode || unsplitLine.test(line)) pieces.push(line)
    else for (const piece of line.split(sentenceEnd)) pieces.push(piece)
  }
  return pieces
}

/** List items, headings, table rows and lines of code are not split. */
const unsplitLine = /^\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||```|~~~| {4})/
const sentenceEnd = /(?<=[.!?]["')\]*_”’`]{0,3}\s)(?=["'(*_`“]{0,3}[\p{Lu}\p{Lo}\d])|(?<=[。！？])/u

/** The pieces without list marks and without spaces around them; empty ones are left out. */
export function segmentsOfText(text: string): readonly string[] {
  return piecesOf(text).flatMap((piece) => {
    const content = piece.replace(/^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/, '').trim()
    return content === '' ? [] : [content]
  })
}

export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]{1,80}/gu) ?? []
}

/** The words of which passages consist, in lower case. In scripts without spaces, a character is a word. */
export function passageWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\u3040-\u30ff\u3400-\u9fff]|[\p{L}\p{N}]{1,80}/gu) ?? []
}

const passageLength = 8

/** All passages of a text: one starts at each word and has `length` words. */
export function passagesOf(words: readonly string[], length = passageLength): readonly string[] {
  const starts = words.slice(0, Math.max(0, words.length - length + 1))
  return starts.map((_, at) => words.slice(at, at + length).join(' '))
}

const sampledOneIn = 4
// Of the FNV-1a hash.
const hashOffset = 0x811c9dc5
const hashPrime = 0x01000193

/**
 * Hashes of some passages, to recognise copies. The hash itself decides which passages are kept, so
 * the same passage is kept everywhere and the set stays small.
 */
export function* passageHashes(words: readonly string[]): Iterable<number> {
  const hashes = words.map(hashOf)
  for (let at = 0; at + passageLength <= hashes.length; at += 1) {
    let hash = 0
    for (let word = at; word < at + passageLength; word += 1)
      hash = (Math.imul(hash, hashPrime) ^ (hashes[word] ?? 0)) >>> 0
    // Mixes the bits, so that the remainder depends on all of them.
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    if (hash % sampledOneIn === 0) yield hash
  }
}

function hashOf(word: string): number {
  let hash = hashOffset
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime)
  return hash >>> 0
}
