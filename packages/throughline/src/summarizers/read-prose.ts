/**
 * The answer of a model as plain text: the summary, without a fence or an announcement around
 * it. What was cut off, or is longer than it may be, ends with its last whole sentence; JSON is not
 * what was asked for.
 */
import type { Answer, ReadAnswer, SummaryMeter } from '../ports/summary-style.ts'
import { answerText, refused, sentencesWithin, wholeSentences } from './answer-text.ts'

export interface ProseLimit {
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
