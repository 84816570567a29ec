import type { Answer, ReadAnswer } from '../../ports/summary-style.ts'
import {
  codePointsBeyond,
  firstCodePoints,
  jsonInAnswer,
  readProse,
  refused,
} from '../read-answer.ts'

/** Joins up to three sentences: the first often repeats only the question. Refuses lists. */
export function oneSentence(text: string): string | null {
  if (text.length > mostCharacters) return null
  const lines = text
    .split(/[\n\r\u0085\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > maxSentences || lines.some((line) => listed.test(line))) return null
  const sentences = lines.flatMap((line) => sentencesIn(plain(line)))
  if (sentences.length === 0 || sentences.length > maxSentences) return null
  return sentences.map(joining).join('')
}

/** A sentence that is slightly too long ends with its last whole clause; null if it has none. */
export function endAtClause(sentence: string, maxCharacters: number): string | null {
  const start = firstCodePoints(sentence, maxCharacters)
  if (codePointsBeyond(sentence, maxCharacters * slightlyLonger)) return null
  for (const [clauseEnd, share] of clauseEnds) {
    const cuts = [...start.matchAll(clauseEnd)].map(({ index }) => start.slice(0, index))
    const kept = cuts.findLast((text) => text.length >= start.length * share && !isQuoted(text))
    if (kept !== undefined) return kept
  }
  return null
}

/** A semicolon ends a whole statement, but a cut must not lose half of the sentence for it. */
const clauseEnds = [
  [/; |；/g, 0.8],
  [/; |；|, |[，、]/g, 0.5],
] as const

const slightlyLonger = 1.25
const maxSentences = 3
// A longer answer is not a sentence.
const mostCharacters = 3_000
const listed = /^(?:[-*+•–] |\d{1,3}[.)] |#{1,6} |\||```|~~~|> )/

function plain(line: string): string {
  return line
    .replaceAll(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function sentencesIn(line: string): readonly string[] {
  const sentences: string[] = []
  let from = 0
  for (const { 0: mark, index } of line.matchAll(ends)) {
    const to = index + mark.length
    if (to >= line.length || !isEnd(line, index, to)) continue
    sentences.push(line.slice(from, to).trim())
    from = to
  }
  return [...sentences, line.slice(from).trim()].filter((sentence) => sentence !== '')
}

const ends = /[.!?…؟।۔]["')\]”’»]{0,2}\s+|[。！？][」』”）]?/gu

/** In doubt the sentence continues, because half of a name would be another name. */
function isEnd(line: string, at: number, to: number): boolean {
  if (isQuoted(line.slice(0, to))) return false
  if (/^[。！？]/.test(line.slice(at))) return true
  if (!/^["'(“„«¿¡]?[\p{Lu}\p{Lt}\p{Lo}\d]/u.test(line.slice(to, to + 2))) return false
  if (line[at] !== '.') return true
  const word = /[\p{L}\p{M}\p{N}.]*$/u.exec(line.slice(Math.max(0, at - 20), at))?.[0] ?? ''
  return word.length > 1 && !word.includes('.') && !abbreviation.test(word)
}

/** Whether a quotation or a bracket is open at the end. */
function isQuoted(before: string): boolean {
  const count = (marks: RegExp) => before.match(marks)?.length ?? 0
  const isOpen = (opens: RegExp, closes: RegExp) => count(opens) > count(closes)
  return (
    (count(/"/g) & 1) === 1 ||
    isOpen(/[“„«「『]/g, /[”»」』]/g) ||
    isOpen(/(?<![:;=]-?)[(（[]/g, /(?<![:;=]-?)[)）\]]/g)
  )
}

const abbreviation =
  /^(?:mr|mrs|ms|dr|prof|st|sr|sra|mme|jr|no|nr|vs|etc|inc|ltd|co|corp|approx|ca|bzw|usw|ggf|incl|fig|art|vol|pp|dept|gen|col)$/i

function joining(sentence: string, index: number, all: readonly string[]): string {
  if (index === all.length - 1) return sentence
  const isWide = /[。！？][」』”）]?$/.test(sentence)
  const open = sentence.replace(
    /[.!?…؟।۔。！？]+(["')\]”’»」』）]{0,2})$/,
    (_, closes: string) => closes,
  )
  return isWide ? `${open}；` : `${open}; `
}

interface TurnSummary {
  readonly summary: string
  readonly history: string | null
}

type ReadSentence =
  | { readonly kind: 'summarized'; readonly turn: TurnSummary }
  | Extract<ReadAnswer, { kind: 'refused' }>

/** A JSON object, alone, in a fence or with prose around it; the bare sentence is accepted too. */
export function readSentence(answer: Answer): ReadSentence {
  const json = jsonInAnswer(answer)
  if (json.kind === 'refused') return json
  if (json.kind === 'missing') {
    const read = readProse(answer, { mostTokens: Number.POSITIVE_INFINITY, meter: anyLength })
    return read.kind === 'refused' ? read : summarized(read.draft.text, null)
  }
  const { summary, history } = json.value
  if (typeof summary !== 'string' || summary.trim() === '')
    return refused('wrong-schema', 'summary: must be a string that is not empty', answer.text)
  const folded = typeof history === 'string' ? history.toWellFormed().trim() : ''
  return summarized(summary.toWellFormed().trim(), folded || null)
}

/** The length is checked on the sentence, not on the answer. */
const anyLength = { count: () => 0, fit: (text: string) => text, countedPerToken: 1 }

function summarized(summary: string, history: string | null): ReadSentence {
  return { kind: 'summarized', turn: { summary, history } }
}
