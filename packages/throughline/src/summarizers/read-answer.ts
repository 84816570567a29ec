import { type Fields, parsedJson } from '../domain/json.ts'
import { abbreviations } from '../extract/prose-forms-data.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import type { Answer, ReadAnswer, RefusedReason, SummaryMeter } from '../ports/summary-style.ts'

type Refused = Extract<ReadAnswer, { kind: 'refused' }>

type AnswerText = { readonly kind: 'text'; readonly text: string } | Refused

/** The text of an answer without the reasoning before it. */
function answerText(answer: Answer): AnswerText {
  const text = answer.text.toWellFormed().trim()
  if (answer.finish === 'filter') return refused('filtered', 'the provider filtered it', text)
  if (text === '') return refused('empty', 'there is nothing in it', text)
  const reasoning = reasoningTag.exec(text)
  if (reasoning === null) return { kind: 'text', text }
  const closingTag = `</${reasoning[1]}>`
  const end = text.indexOf(closingTag)
  const rest = end === -1 ? '' : text.slice(end + closingTag.length).trim()
  if (rest === '') return refused('thinking-only', 'it contains only reasoning', text)
  return { kind: 'text', text: rest }
}

const reasoningTag = /^<(think|thinking|reasoning|thought)>/

export function refused(reason: RefusedReason, message: string, answer: string): Refused {
  return { kind: 'refused', reason, message, sample: logSample(answer) }
}

/** The beginning of a refused answer for logs: one line, no secrets, 200 characters. */
const sampleCharacters = 200
// A secret is recognized only if it is read whole.
const searchedCharacters = 4_000

function logSample(text: string): string {
  const start = text.slice(0, searchedCharacters).toWellFormed()
  return firstCodePoints(lineOfText(redactSecrets(start).text), sampleCharacters)
}

/** Counts code points, so that no character is split. Takes time for the kept part only. */
export function firstCodePoints(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  let end = 0
  for (let count = 0; count < maxCodePoints && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

export function codePointsBeyond(text: string, maxCodePoints: number): boolean {
  return firstCodePoints(text, maxCodePoints).length < text.length
}

/** Joins the lines of foreign text, because a line of it must not look like one of ours. */
export function lineOfText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed()
}

/** The text up to the end of its last complete sentence; empty if there is none. */
export function wholeSentences(text: string): string {
  const found = /^[\s\S]*(?:[.!?…]["')\]*_”’»]{0,3}(?=\s|$)|[。！？])/.exec(text)
  if (found === null) return ''
  const kept = found[0].trimEnd()
  if (listMark.test(kept) || endsInAbbreviation(kept)) return wholeSentences(kept.slice(0, -1))
  const unclosed = unclosedIndex(kept)
  return unclosed === -1 ? kept : wholeSentences(kept.slice(0, unclosed))
}

/** As in `two changes: 1.`; a number after a word ends its sentence (`the job ran on the 19.`). */
const listMark = /(?:^|[\n:;,.!?([])\s{0,9}\d{1,2}\.$/

function endsInAbbreviation(text: string): boolean {
  const word = /(?<=^|[\s([])[\p{L}.]{1,8}(?=\.$)/u.exec(text.slice(-12))?.[0] ?? ''
  // A single letter is more often a name (`option B.`) than an initial.
  return word.length > 1 ? abbreviations.test(word) || /^(?:pp|no|nr)$/i.test(word) : word === 'p'
}

/**
 * The start of unclosed code or an unclosed bracket in the last line, or -1: the dots of `./...` end no
 * sentence. A bracket after `:`, `;` or `=` is part of a smiley.
 */
function unclosedIndex(text: string): number {
  const from = text.lastIndexOf('\n') + 1
  const line = text.slice(from)
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return from + line.lastIndexOf('`')
  const isOpen = (open: string, close: string) => line.lastIndexOf(open) > line.lastIndexOf(close)
  if (isOpen('[', ']')) return from + line.lastIndexOf('[')
  if (isOpen('“', '”')) return from + line.lastIndexOf('“')
  const bracket = line.lastIndexOf('(')
  return isOpen('(', ')') && !/[:;=]-?$/.test(line.slice(0, bracket)) ? from + bracket : -1
}

/** Joined texts may have more tokens than their parts have. */
export const joinTokens = 4
// Only tokens of spaces have more.
const charactersPerToken = 12

/** As many sentences as fit; if none fits, the beginning of the first. */
export function sentencesWithin(text: string, mostTokens: number, meter: SummaryMeter): string {
  if (meter.count(text) <= mostTokens) return text
  let kept = wholeSentences(text.slice(0, Math.max(0, mostTokens) * charactersPerToken))
  while (kept !== '' && meter.count(kept) > mostTokens) kept = wholeSentences(kept.slice(0, -1))
  return kept === '' ? meter.fit(text, mostTokens) : kept
}

interface ProseLimit {
  readonly mostTokens: number
  readonly meter: SummaryMeter
}

/** Removes fences and announcements. A cut or long answer ends with its last whole sentence. */
export function readProse(answer: Answer, { mostTokens, meter }: ProseLimit): ReadAnswer {
  const prose = answerText(answer)
  if (prose.kind === 'refused') return prose
  if (isJson(prose.text)) return refused('not-text', 'it is JSON', answer.text)
  const text = withoutAnnouncement(prose.text)
  if (text === '') return refused('empty', 'there is nothing in it', answer.text)
  const whole = answer.finish === 'length' ? wholeSentences(text) : text
  if (whole === '') return refused('cut-off', 'not even one sentence is whole', answer.text)
  const kept = sentencesWithin(whole, mostTokens, meter)
  if (kept === '') return refused('cut-off', 'there is no room for it', answer.text)
  const draft = { text: kept, keyPoints: [], facets: null }
  return { kind: 'drafted', draft, cutOff: kept.length < text.length }
}

function isJson(text: string): boolean {
  const inside = withoutFence(text)
  if (!/^[[{]/.test(inside)) return false
  // A cut JSON object is not prose either.
  return /^\{\s*"/.test(inside) || parsedJson(inside) !== null
}

function withoutAnnouncement(text: string): string {
  return withoutFence(
    withoutFence(text)
      .replace(announcement, () => '')
      .trim(),
  ).trim()
}

function withoutFence(text: string): string {
  return (/^```[a-z]{0,20}\n([\s\S]*?)\n?```$/i.exec(text)?.[1] ?? text).trim()
}

/** As `Here is the updated summary:`, `**Summary:**` or `Of course! Here is what you asked for.` */
const announcement =
  /^(?:(?:of course|sure|certainly|absolutely|gladly|okay|ok)\b[^\n]{0,120}[:.!]|here(?:'s|’s| is)\b[^\n]{0,80}:|#{1,6} [^\n]{0,40}\bsummary\b[^\n]{0,40}|\**(?:updated |new |conversation )?summary:?\**:?)[ \t]*(?:\n|$)/i

/** `missing`: the answer is complete and contains no object. */
type JsonAnswer =
  | { readonly kind: 'found'; readonly value: Fields }
  | { readonly kind: 'missing' }
  | Refused

// Limits the time for hostile answers, because each candidate is parsed once.
const maxCandidates = 8

/** Finds the one JSON object of an answer in linear time. Two are ambiguous; an unclosed one was cut off. */
export function jsonInAnswer(answer: Answer): JsonAnswer {
  const prose = answerText(answer)
  if (prose.kind === 'refused') return prose
  const { text } = prose
  const whole = objectIn(text)
  if (whole !== null) return { kind: 'found', value: whole }
  const ambiguous = () =>
    refused('ambiguous', 'there is more than one JSON object in it', answer.text)
  const found: Fields[] = []
  let at = text.indexOf('{')
  for (let tried = 0; at !== -1; tried += 1) {
    if (tried === maxCandidates) return ambiguous()
    const end = endOfObject(text, at)
    if (end === null && found.length > 0) return ambiguous()
    // An unclosed brace starts an object only if a name follows it.
    if (end === null && /^\{\s*(?:"|$)/.test(text.slice(at, at + 200)))
      return refused('cut-off', 'the object does not end', answer.text)
    if (end === null) break
    const value = objectIn(text.slice(at, end))
    if (value !== null) found.push(value)
    at = text.indexOf('{', end)
  }
  const [value] = found
  if (value !== undefined) return found.length === 1 ? { kind: 'found', value } : ambiguous()
  return answer.finish === 'length'
    ? refused('cut-off', 'it ends before there is an object', answer.text)
    : { kind: 'missing' }
}

function endOfObject(text: string, from: number): number | null {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

/** Null where it begins as JSON does and is something else. */
function objectIn(text: string): Fields | null {
  return /^\s*\{/.test(text) ? (parsedJson(text) as Fields | null) : null
}
