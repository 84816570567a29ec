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

/**
 * The answer of a model as plain text: the summary, without a fence or an announcement around
 * it. What was cut off, or is longer than it may be, ends with its last whole sentence; JSON is not
 * what was asked for.
 */
interface ProseLimit {
  readonly mostTokens: number
  readonly meter: SummaryMeter
}

export function readProse(answer: Answer, { mostTokens, meter }: ProseLimit): ReadAnswer {
  const said = answerText(answer)
  if (said.kind === 'refused') return said
  if (isJson(said.text)) return refused('not-text', 'it is JSON', answer.text)
  const text = bare(said.text)
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
  // An object that was cut off is no text either.
  if (/^\{\s*"/.test(inside)) return true
  try {
    JSON.parse(inside)
    return true
  } catch {
    return false
  }
}

function bare(text: string): string {
  return withoutFence(
    withoutFence(text)
      .replace(announcement, () => '')
      .trim(),
  ).trim()
}

function withoutFence(text: string): string {
  return (/^```[a-z]{0,20}\n([\s\S]*?)\n?```$/i.exec(text)?.[1] ?? text).trim()
}

/**
 * `Here is the updated summary:`, `## Summary` or `**Summary:**` in a line of its own; and
 * `Of course! Here is what you asked for.`, which is said to who asked and tells nothing.
 */
const announcement =
  /^(?:(?:of course|sure|certainly|absolutely|gladly|okay|ok)\b[^\n]{0,120}[:.!]|here(?:'s|’s| is)\b[^\n]{0,80}:|#{1,6} [^\n]{0,40}\bsummary\b[^\n]{0,40}|\**(?:updated |new |conversation )?summary:?\**:?)[ \t]*(?:\n|$)/i

/**
 * The one JSON object in an answer: alone, in a fence, or with prose around it. Two objects
 * are ambiguous, and one that never ends was cut off. Linear in the answer.
 */
type JsonInText =
  | { readonly kind: 'found'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing' | 'ambiguous' | 'cut-off' }

// Bounds what a text that was made for it can cost: each candidate is read once.
const mostCandidates = 8

export function jsonInText(text: string): JsonInText {
  const whole = objectIn(text)
  if (whole !== null) return { kind: 'found', value: whole }
  const found: Readonly<Record<string, unknown>>[] = []
  let at = text.indexOf('{')
  for (let tried = 0; at !== -1; tried += 1) {
    if (tried === mostCandidates) return { kind: 'ambiguous' }
    const end = endOfObject(text, at)
    if (end === null) return { kind: found.length > 0 ? 'ambiguous' : cutOff(text, at) }
    const value = objectIn(text.slice(at, end))
    if (value !== null) found.push(value)
    at = text.indexOf('{', end)
  }
  const [first, ...others] = found
  if (first === undefined) return { kind: 'missing' }
  return others.length === 0 ? { kind: 'found', value: first } : { kind: 'ambiguous' }
}

/** A brace that never closes is the beginning of an object only where a name follows it. */
function cutOff(text: string, at: number): 'cut-off' | 'missing' {
  return /^\{\s*(?:"|$)/.test(text.slice(at, at + 200)) ? 'cut-off' : 'missing'
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

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (!/^\s*\{/.test(text)) return null
  try {
    return objectFrom(JSON.parse(text))
  } catch {
    // It begins as JSON does and is something else.
    return null
  }
}

function objectFrom(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}
