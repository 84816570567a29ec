import type { Draft } from '../../domain/summary.ts'

/** All text of a draft, because the gate must check everything that is shown later. */
export function draftText({ text, keyPoints, facets }: Draft): string {
  const lines = [text, ...keyPoints.map(item)]
  if (facets === null) return lines.join('\n')
  lines.push(...facetLists.flatMap((name) => facets[name].map(item)))
  for (const { owner, task, due } of facets.actionItems)
    lines.push(item([owner, task, due].filter((part) => part !== null).join(', ')))
  if (facets.tone !== null) lines.push(facets.tone)
  return lines.join('\n')
}

const facetLists = [
  ...(['participants', 'decisions', 'unresolved', 'domainEntities'] as const),
  ...(['userFacts', 'references'] as const),
]

function item(text: string): string {
  return `- ${text}`
}

/** Splits a text into removable pieces: sentences, or list lines with their marks. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let isCode = false
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode || unsplit.test(line)) pieces.push(line)
    else for (const piece of line.split(sentenceEnd)) pieces.push(piece)
  }
  return pieces
}

/** List items, headings, table rows and lines of code are not split. */
const unsplit = /^\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||```|~~~| {4})/
const sentenceEnd = /(?<=[.!?]["')\]*_”’`]{0,3}\s)(?=["'(*_`“]{0,3}[\p{Lu}\p{Lo}\d])|(?<=[。！？])/u

/** Pieces without their list marks; empty ones are left out. */
export function segmentsOfText(text: string): readonly string[] {
  return piecesOf(text).flatMap((piece) => {
    const content = piece.replace(/^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/, '').trim()
    return content === '' ? [] : [content]
  })
}

export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]{1,80}/gu) ?? []
}

/**
 * Hashes of passages, to recognise copies. The words themselves decide which passages are kept, so
 * the same passage is kept everywhere and the set stays small.
 */
const passageLength = 8
const oneIn = 4

/** Words in lower case; scripts without spaces give single characters. */
export function passageWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\u3040-\u30ff\u3400-\u9fff]|[\p{L}\p{N}]{1,80}/gu) ?? []
}

export function passagesOf(words: readonly string[]): readonly string[] {
  return words
    .slice(0, Math.max(0, words.length - passageLength + 1))
    .map((_, at) => words.slice(at, at + passageLength).join(' '))
}

export function* passageHashes(words: readonly string[]): Iterable<number> {
  const hashes = words.map(hashOf)
  for (let at = 0; at + passageLength <= hashes.length; at += 1) {
    let hash = 0
    for (let step = 0; step < passageLength; step += 1)
      hash = (Math.imul(hash, 0x01000193) ^ (hashes[at + step] ?? 0)) >>> 0
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    if (hash % oneIn === 0) yield hash
  }
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
