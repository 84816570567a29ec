/** What an answer says, without the thinking that some models write before it. */

import { redactSecrets } from '../extract/redact-secrets.ts'
import type { Answer, ReadAnswer, RefusedReason, SummaryMeter } from '../ports/summary-style.ts'

type Refused = Extract<ReadAnswer, { kind: 'refused' }>

type AnswerText = { readonly kind: 'text'; readonly text: string } | Refused

export function answerText(answer: Answer): AnswerText {
  const text = answer.text.toWellFormed().trim()
  if (answer.finish === 'filter') return refused('filtered', 'the provider held it back', text)
  if (text === '') return refused('empty', 'there is nothing in it', text)
  const opened = thinking.exec(text)
  if (opened === null) return { kind: 'text', text }
  const close = text.indexOf(`</${opened[1]}>`)
  const rest = close === -1 ? '' : text.slice(close + `</${opened[1]}>`.length).trim()
  return rest === ''
    ? refused('thinking-only', 'there is nothing behind the thinking', text)
    : { kind: 'text', text: rest }
}

const thinking = /^<(think|thinking|reasoning|thought)>/

export function refused(reason: RefusedReason, message: string, answer: string): Refused {
  return { kind: 'refused', reason, message, sample: logSample(answer) }
}

/** The beginning of an answer that was refused, fit for a log: one line, no secrets, 200 characters. */
const sampleCharacters = 200
// A secret that begins within the sample has to be seen whole to be known for one.
const readCharacters = 4_000

function logSample(text: string): string {
  const start = text.slice(0, readCharacters).toWellFormed()
  return firstCodePoints(lineOfText(redactSecrets(start).text), sampleCharacters)
}

/** Lengths in code points, so that no character is cut in two. Linear in what is kept, not in the text. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (let taken = 0; taken < most && end < text.length; taken += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

export function codePointsBeyond(text: string, most: number): boolean {
  return firstCodePoints(text, most).length < text.length
}

/** A text in one line: what somebody else wrote must not look like a line of ours. */
export function lineOfText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed()
}

/** Empty where not even one sentence is whole. */
export function wholeSentences(text: string): string {
  const found = /^[\s\S]*(?:[.!?…]["')\]*_”’»]{0,3}(?=\s|$)|[。！？])/.exec(text)
  if (found === null) return ''
  const kept = found[0].trimEnd()
  const open = openAt(kept)
  return open === -1 ? kept : wholeSentences(kept.slice(0, open))
}

/** Where code or a bracket begins that does not end: the dots of `./...` end no sentence. */
function openAt(text: string): number {
  const from = text.lastIndexOf('\n') + 1
  const line = text.slice(from)
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return from + line.lastIndexOf('`')
  const bracket = line.lastIndexOf('(')
  return bracket > line.lastIndexOf(')') && !/[:;=]-?$/.test(line.slice(0, bracket))
    ? from + bracket
    : -1
}

// More than any token has, but for runs of spaces.
const charactersPerToken = 12

/** As many sentences as there is room for; where not even one fits, the beginning of it. */
export function sentencesWithin(text: string, mostTokens: number, meter: SummaryMeter): string {
  if (meter.count(text) <= mostTokens) return text
  let kept = wholeSentences(text.slice(0, Math.max(0, mostTokens) * charactersPerToken))
  while (kept !== '' && meter.count(kept) > mostTokens) kept = wholeSentences(kept.slice(0, -1))
  return kept === '' ? meter.fit(text, mostTokens) : kept
}
