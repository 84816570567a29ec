/** Recognises a refusal, a server error or a copy of the request; a summary may quote these. */
import { passageHashes, passagesOf, passageWords } from './draft-text.ts'
import {
  cannotSummarize,
  errorOpenings,
  refusalOpenings,
  refusalOpeningsUnspaced,
} from './draft-words-data.ts'
import type { SourceIndex } from './source-index.ts'

const maxRefusalCharacters = 1_200
const maxErrorCharacters = 1_500
const maxErrorLines = 12

/** The text opens with "I cannot", or is short and says that no summary is possible. */
export function isRefusal(text: string): boolean {
  const plain = text
    .slice(0, maxRefusalCharacters)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[\s#*_>`-]+/, '')
  if (refusalOpening.test(plain)) return true
  const sentences = plain.split(/[.!?。！？]+(?:\s|$)/).filter((part) => part.trim() !== '')
  return text.length <= maxRefusalCharacters && sentences.length <= 4 && noSummary.test(plain)
}

const refusalOpening = openingPattern([...refusalOpenings, refusalOpeningsUnspaced], '')
const noSummary = new RegExp(cannotSummarize)

function openingPattern(sources: readonly string[], flags: string): RegExp {
  return new RegExp(sources.map((source) => `^(?:${source})`).join('|'), flags)
}

/** The message of a failed server, which some clients return as the answer. */
export function isProviderError(text: string): boolean {
  const plain = text.trim()
  if (isErrorValue(plain) || /^(?:<!doctype html|<html[\s>]|<\?xml )/i.test(plain)) return true
  return (
    plain.length <= maxErrorCharacters &&
    errorOpening.test(plain.replace(/^[\s#*_>`[\]-]+/, '')) &&
    plain.split('\n').length <= maxErrorLines
  )
}

const errorOpening = openingPattern(errorOpenings, 'i')

/** A JSON error object, also as an event of a stream. */
function isErrorValue(text: string): boolean {
  const start = text.replace(/^(?:event: ?\w+\s+)?(?:data: ?)?/, '')
  if (!/^[[{]/.test(start)) return false
  return /^[[{\s]{0,10}"(?:error|errors|type"\s{0,4}:\s{0,4}"error|detail|message|status|statusCode|code|object"\s{0,4}:\s{0,4}"error)"/i.test(
    start,
  )
}

/** A summary may quote, and may repeat the previous one, but must not mostly copy messages or prompt. */
export function isEcho(text: string, prompt: string, index: SourceIndex): boolean {
  const words = passageWords(text)
  if (words.length === 0) return false
  if (isCopyOfMessages(text, index)) return true
  const promptWords = passageWords(prompt)
  if (` ${promptWords.join(' ')} `.includes(` ${words.join(' ')} `) && words.length >= 4)
    return true
  const hashes = [...passageHashes(words)]
  if (hashes.length < minPassages) return false
  const promptHashes = new Set(passageHashes(promptWords))
  const shareOf = (isKnown: (hash: number) => boolean) =>
    hashes.filter(isKnown).length / hashes.length
  if (shareOf((hash) => promptHashes.has(hash)) >= maxPromptShare) return true
  const sampledShare = shareOf((hash) => promptHashes.has(hash) || index.passages.has(hash))
  if (sampledShare < maxCopiedShare) return false
  // A short text has so few sampled passages that two ids could make it look like a copy.
  return hashes.length >= enoughPassages || copiedShareOf(words, prompt, index) >= maxCopiedShare
}

const maxCopiedShare = 0.6
const maxPromptShare = 0.5
const minPassages = 3
const enoughPassages = 20

/** The exact share of copied passages, without sampling; the text has passages. */
function copiedShareOf(words: readonly string[], prompt: string, { sources }: SourceIndex): number {
  const messages = sources.flatMap(({ kind, text }) => (kind === 'message' ? [text] : []))
  const known = [prompt, ...messages].map((text) => ` ${passageWords(text).join(' ')} `)
  const passages = passagesOf(words)
  const copied = passages.filter((passage) => known.some((text) => text.includes(` ${passage} `)))
  return copied.length / passages.length
}

/** One message, or messages with empty lines between them. */
function isCopyOfMessages(text: string, index: SourceIndex): boolean {
  if (index.hasMessage(text)) return true
  return text.split(/\n\n+/).every((part) => index.hasMessage(part))
}
