/**
 * Whether a draft is what was sent instead of what was asked for. A summary quotes, and one
 * that is carried on repeats the summary before it; neither is most of a text taken from the
 * messages, or the words of the prompt.
 */

import { passageHashes, passagesOf, passageWords } from './passages.ts'
import type { SourceIndex } from './source-index.ts'

const copiedShare = 0.6
const promptShare = 0.5
const leastPassages = 3

export function isEcho(text: string, prompt: string, index: SourceIndex): boolean {
  const words = passageWords(text)
  if (words.length === 0) return false
  if (isMessages(text, index)) return true
  const instructions = passageWords(prompt).join(' ')
  if (` ${instructions} `.includes(` ${words.join(' ')} `) && words.length >= 4) return true
  const hashes = [...passageHashes(words)]
  if (hashes.length < leastPassages) return false
  const asked = new Set(passageHashes(passageWords(prompt)))
  const share = (isKnown: (hash: number) => boolean) =>
    hashes.filter(isKnown).length / hashes.length
  if (share((hash) => asked.has(hash)) >= promptShare) return true
  if (share((hash) => asked.has(hash) || index.hasPassage(hash)) < copiedShare) return false
  return hashes.length >= enoughPassages || copiedOf(words, prompt, index) >= copiedShare
}

// Of a short text so few passages are kept that two ids could make it a copy.
const enoughPassages = 20

/** Of all passages, looked up word for word. */
function copiedOf(words: readonly string[], prompt: string, { sources }: SourceIndex): number {
  const messages = sources.flatMap(({ kind, text }) => (kind === 'message' ? [text] : []))
  const known = [prompt, ...messages].map((text) => ` ${passageWords(text).join(' ')} `)
  const passages = passagesOf(words)
  const copied = passages.filter((passage) => known.some((text) => text.includes(` ${passage} `)))
  return copied.length / Math.max(1, passages.length)
}

/** One whole message, or several with a blank line between them. */
function isMessages(text: string, index: SourceIndex): boolean {
  if (index.hasMessage(text)) return true
  return text.split(/\n\n+/, mostMessages).every((part) => index.hasMessage(part))
}

const mostMessages = 100
