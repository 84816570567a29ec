/**
 * An upper estimate of a text's tokens that needs no vocabulary package.
 *
 * The text is split and its byte pairs are merged as the o200k encoding does, only
 * that the vocabulary is known by fingerprints (vocabulary-filter.ts). So nearly
 * all pieces are counted exactly, and a margin covers the others: each piece has a
 * doubt, the variance of its count. Errors of different pieces even out, so doubts
 * add up and the margin is the root of their sum. Errors of the same piece do not:
 * n meetings weigh n² doubts.
 */
import { utf8Length } from '../domain/text.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { mergePiece } from './byte-pairs.ts'
import { hashOfBytes, longestPiece, readPiece } from './piece-hashes.ts'
import { endOfPiece } from './split-pieces.ts'
import { generationOf, lateGeneration } from './vocabulary-filter.ts'

/** Counts as o200k does or somewhat higher; a token is at least a byte. */
export const estimator: Tokenizer = {
  id: 'estimate/1',
  exact: false,
  count: (text) => Math.min(utf8Length(text), estimate(text)),
}

function estimate(text: string): number {
  textNumber = (textNumber + 1) | 0
  let tokens = 0
  let variance = 0
  let start = 0
  while (start < text.length) {
    const end = endOfPiece(text, start)
    if (isDigits(text, start, end)) {
      tokens += 1
      start = end
    }
    while (start < end) {
      const partEnd = endOfPart(text, start, end)
      const length = readPiece(text, start, partEnd)
      start = partEnd
      const hash = hashOfBytes(0, length)
      if (isFrequent(hash, length)) {
        tokens += 1
        continue
      }
      const place = judgedPlace(hash, length)
      const met = meetings[place] ?? 0
      meetings[place] = met + 1
      tokens += tokenCounts[place] ?? 0
      // The n-th meeting adds what makes the sum n² doubts.
      variance += (doubts[place] ?? 0) * (2 * met + 1)
    }
  }
  return Math.ceil(tokens + Math.sqrt(variance))
}

/** Up to three ASCII digits are a piece, and always a token. */
function isDigits(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}

/** Never inside a character. */
function endOfPart(text: string, start: number, end: number): number {
  const partEnd = start + longestPiece
  if (partEnd >= end) return end
  return (text.charCodeAt(partEnd) & 0xfc00) === 0xdc00 ? partEnd - 1 : partEnd
}

/** An early token; they are short, so a longer piece is one only by chance. */
function isFrequent(hash: number, length: number): boolean {
  return length === 1 || (length <= longestFrequentBytes && generationOf(hash) < lateGeneration)
}

const longestFrequentBytes = 24

/** The doubt is the variance of the tokens. */
function judge(length: number): { readonly tokens: number; readonly doubt: number } {
  const { tokens, tied, late } = mergePiece(length)
  const cuts = Math.floor(length / bytesBetweenCuts)
  if (tokens === 1) return { tokens, doubt: doubtOfOneToken }
  const doubt = tied ? doubtIfTied : late ? doubtIfLate : 0
  return {
    tokens: tokens + cuts * tokensPerCut,
    doubt: doubt + doubtPerFurtherToken * (tokens - 2),
  }
}

// The exact tokenizer cuts runs of more than 256 bytes (guard.ts), and each cut
// may leave some short tokens on both sides.
const bytesBetweenCuts = 256
const tokensPerCut = 3

// Chosen on texts of 190 locales, code, logs and transcripts. Of 550,000 texts,
// 420 were counted too low without a margin, and 411 of those held a tie: the true
// order was neither of the two tried. Most others held a late token, where chance
// hits are likely. The third is for chance hits in pieces of many tokens, such as
// clauses of Chinese; the last for what is one token by chance: little, but it makes
// a short text one token dearer.
const doubtIfTied = 4
const doubtIfLate = 2
const doubtPerFurtherToken = 0.05
const doubtOfOneToken = 0.02

/**
 * The merged pieces of one text and how often each was met: each is merged once, and one that is misjudged
 * once is misjudged each time. A table of fixed size with one place for each hash: pieces that share a
 * place push each other out and count as met together, which is the safe side.
 */
const places = 4096
const textNumbers = new Int32Array(places)
const hashes = new Int32Array(places)
const tokenCounts = new Int32Array(places)
const doubts = new Float64Array(places)
const meetings = new Int32Array(places)

// Entries of an earlier text have another number, so nothing is cleared.
let textNumber = 0

/** Judges the piece where it is not known. */
function judgedPlace(hash: number, length: number): number {
  const place = (hash ^ (hash >>> 13)) & (places - 1)
  const isOfThisText = textNumbers[place] === textNumber
  if (isOfThisText && hashes[place] === hash) return place
  if (!isOfThisText) meetings[place] = 0
  const { tokens, doubt } = judge(length)
  textNumbers[place] = textNumber
  hashes[place] = hash
  tokenCounts[place] = tokens
  doubts[place] = doubt
  return place
}
