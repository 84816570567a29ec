import { parsedJson } from '../extract/json-text.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import type { Answer, ReadAnswer, RefusedReason, SummaryMeter } from '../ports/summary-style.ts'

type Refused = Extract<ReadAnswer, { kind: 'refused' }>

type AnswerText = { readonly kind: 'text'; readonly text: string } | Refused

function answerText(answer: Answer): AnswerText {
  const text = answer.text.toWellFormed().trim()
  if (answer.finish === 'filter') return refused('filtered', 'the provider filtered it', text)
  if (text === '') return refused('empty', 'there is nothing in it', text)
  const opened = thinking.exec(text)
  if (opened === null) return { kind: 'text', text }
  const close = text.indexOf(`</${opened[1]}>`)
  const rest = close === -1 ? '' : text.slice(close + `</${opened[1]}>`.length).trim()
  return rest === ''
    ? refused('thinking-only', 'it contains only reasoning', text)
    : { kind: 'text', text: rest }
}

const thinking = /^<(think|thinking|reasoning|thought)>/

export function refused(reason: RefusedReason, message: string, answer: string): Refused {
  return { kind: 'refused', reason, message, sample: logSample(answer) }
}

/** The beginning of a refused answer for logs: one line, no secrets, 200 characters. */
const sampleCharacters = 200
// A secret is recognized only if it is read whole.
const readCharacters = 4_000

function logSample(text: string): string {
  const start = text.slice(0, readCharacters).toWellFormed()
  return firstCodePoints(lineOfText(redactSecrets(start).text), sampleCharacters)
}

/** Counts code points, so that no character is split. Takes time for the kept part only. */
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

/** Joins the lines of foreign text, because a line of it must not look like one of ours. */
export function lineOfText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed()
}

/** Empty if no sentence is complete. */
export function wholeSentences(text: string): string {
  const found = /^[\s\S]*(?:[.!?…]["')\]*_”’»]{0,3}(?=\s|$)|[。！？])/.exec(text)
  if (found === null) return ''
  const kept = found[0].trimEnd()
  const open = openAt(kept)
  return open === -1 ? kept : wholeSentences(kept.slice(0, open))
}

/** The start of unclosed code or an unclosed bracket: the dots of `./...` end no sentence. */
function openAt(text: string): number {
  const from = text.lastIndexOf('\n') + 1
  const line = text.slice(from)
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return from + line.lastIndexOf('`')
  const bracket = line.lastIndexOf('(')
  return bracket > line.lastIndexOf(')') && !/[:;=]-?$/.test(line.slice(0, bracket))
    ? from + bracket
    : -1
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
  const text = bare(prose.text)
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
 * `Here is the updated summary:`, `## Summary`, `**Summary:**`, or `Of course! Here is what you asked for.`
 */
const announcement =
  /^(?:(?:of course|sure|certainly|absolutely|gladly|okay|ok)\b[^\n]{0,120}[:.!]|here(?:'s|’s| is)\b[^\n]{0,80}:|#{1,6} [^\n]{0,40}\bsummary\b[^\n]{0,40}|\**(?:updated |new |conversation )?summary:?\**:?)[ \t]*(?:\n|$)/i

type Fields = Readonly<Record<string, unknown>>

/** `missing`: the answer is complete and contains no object. */
type JsonAnswer =
  | { readonly kind: 'found'; readonly value: Fields }
  | { readonly kind: 'missing' }
  | Refused

// Limits the time for hostile answers, because each candidate is parsed once.
const mostCandidates = 8

/** Finds the one JSON object of an answer in linear time. Two are ambiguous; an open one was cut. */
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
    if (tried === mostCandidates) return ambiguous()
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
