/**
 * The gate checks a model's draft before it becomes a summary. Pure.
 *
 * Exact values (paths, ids, numbers) must occur in a source. The gate repairs small faults, marks
 * doubts, and refuses a draft with larger faults; faults of content and size are reported
 * together. A refused draft changes nothing.
 */
import { claimsBlock } from '../../domain/data-block.ts'
import { parsedJson } from '../../domain/json.ts'
import type { Draft, DraftMark, DraftRepair } from '../../domain/summary.ts'
import type { TextMeter } from '../measure/measure.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import {
  degenerateReason,
  isCutOff,
  isSkeleton,
  isThinkingAloud,
  withoutThinking,
} from './draft-form.ts'
import { draftText, passageWords, segmentsOfText, wordsOf } from './draft-text.ts'
import { limitPhrases, negationPattern, negations } from './draft-words-data.ts'
import { isEcho, isProviderError, isRefusal } from './failed-answer.ts'
import { gateLimits } from './gate-data.ts'
import { isWrongLanguage } from './language.ts'
import { marksOf } from './marks.ts'
import { maxRepairs, type RepairedDraft, repairDraft } from './repair.ts'
import { type GateSource, indexSources, SourceIndex, unsupportedValues } from './source-index.ts'
import { refusalThreshold, type Topic, topicOf } from './topic.ts'

type RefusalReason =
  | ('empty' | 'whitespace' | 'not-json' | 'wrong-schema' | 'cut-off' | 'degenerate')
  | ('thinking-only' | 'refusal' | 'provider-error' | 'echo' | 'forged-block')
  | ('over-limit' | 'not-smaller' | 'too-short' | 'says-nothing')
  | ('pins-touched' | 'invented-values' | 'other-conversation' | 'wrong-language')

interface GateReason {
  readonly reason: RefusalReason
  /** Details for people: the invented values, or the figures. */
  readonly detail: string | null
}

export interface GateOptions {
  /** Pass an index to check several drafts of the same sources. */
  readonly sources: SourceIndex | readonly GateSource[]
  readonly limits: { readonly tokens: number }
  /** The tokens of the messages that the draft would replace. */
  readonly replacedTokens: number
  readonly pins: readonly string[]
  /** The question to the model, and how its answer ended. */
  readonly asked: DraftOrigin
  readonly meter: TextMeter
}

export interface DraftOrigin {
  /** The instructions only; repeating messages or the previous summary is no echo of the prompt. */
  readonly prompt: string
  readonly finish: 'stop' | 'length' | 'filter' | 'other'
  /** Why the answer could not be parsed; the draft then contains its raw text. */
  readonly unread: 'not-json' | 'wrong-schema' | null
}

export type GateOutcome =
  | {
      readonly kind: 'passed'
      readonly draft: Draft
      readonly repairs: readonly DraftRepair[]
      readonly marks: readonly DraftMark[]
    }
  | { readonly kind: 'refused'; readonly reasons: readonly GateReason[] }

export function gate(draft: Draft, options: GateOptions): GateOutcome {
  const maxCharacters = options.limits.tokens * gateLimits.charactersPerToken
  const { length } = draftText(draft)
  if (length > maxCharacters)
    return { kind: 'refused', reasons: [gateReason('over-limit', `${length} characters`)] }
  const visible = withoutThinking(draft.text)
  const form = formReasons(draft.text, visible.text, options.asked)
  if (form.length > 0) return { kind: 'refused', reasons: form }
  const index =
    options.sources instanceof SourceIndex ? options.sources : indexSources(options.sources)
  const answer = visible.thought ? { ...draft, text: visible.text } : draft
  const repaired = repairDraft(answer, index)
  const topic = topicOf(draftText(answer), index)
  const reasons = [
    ...contentReasons(draftText(answer), options, index, topic),
    ...inventedReasons(repaired, index),
    ...sizeReasons(repaired.draft, options),
  ]
  if (reasons.length > 0) return { kind: 'refused', reasons }
  const thinking = visible.thought ? [{ kind: 'thinking-removed' } as const] : []
  const repairs = [...thinking, ...repaired.repairs]
  const marks = marksOf(draftText(repaired.draft), index, topic)
  return { kind: 'passed', draft: repaired.draft, repairs, marks }
}

function gateReason(reason: RefusalReason, detail: string | null = null): GateReason {
  return { reason, detail }
}

/** `visible` is the text without thinking blocks. */
function formReasons(text: string, visible: string, asked: DraftOrigin): readonly GateReason[] {
  if (asked.unread !== null) return [gateReason(asked.unread)]
  if (text === '') return [gateReason('empty')]
  if (!/[\p{L}\p{N}]/u.test(text)) return [gateReason('whitespace')]
  if (!/[\p{L}\p{N}]/u.test(visible) || isThinkingAloud(visible))
    return [gateReason('thinking-only')]
  if (isSkeleton(visible)) return [gateReason('empty', 'headings without content')]
  const degenerate = degenerateReason(visible)
  if (degenerate !== null) return [gateReason('degenerate', degenerate)]
  if (asked.finish === 'filter' || isRefusal(visible)) return [gateReason('refusal')]
  if (isProviderError(visible)) return [gateReason('provider-error')]
  if (asked.finish === 'length' || isCutOff(visible)) return [gateReason('cut-off')]
  // The prompt asked for prose, but the model wrote a JSON value.
  return isJsonValue(visible) ? [gateReason('wrong-schema')] : []
}

function isJsonValue(text: string): boolean {
  const plain = text.trim()
  return /^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(plain) && parsedJson(plain) !== null
}

function contentReasons(
  text: string,
  { pins, asked, replacedTokens }: GateOptions,
  index: SourceIndex,
  topic: Topic,
): readonly GateReason[] {
  const reasons: GateReason[] = []
  const replacesMuch = replacedTokens >= gateLimits.minReplacedTokens
  // `Done.` cannot replace a conversation, even if it is true.
  if (replacesMuch && passageWords(text).length < gateLimits.minWords)
    reasons.push(gateReason('too-short'))
  if (isEcho(text, asked.prompt, index)) reasons.push(gateReason('echo'))
  if (contradictsPins(text, pins)) reasons.push(gateReason('pins-touched'))
  // The draft could imitate a pin inside the history block.
  if (claimsBlock(text)) reasons.push(gateReason('forged-block'))
  const isWrong = topic.exactEvidence <= 0 && isWrongLanguage(text, asked.prompt, index)
  if (isWrong || sharesTooFewTerms(topic, index)) reasons.push(gateReason('wrong-language'))
  else if (topic.evidence < refusalThreshold) reasons.push(gateReason('other-conversation'))
  else if (replacesMuch && reasons.length === 0 && saysNothing(topic, index))
    reasons.push(gateReason('says-nothing'))
  return reasons
}

/** Written in another language, and with hardly any term or name of the conversation. */
function sharesTooFewTerms(topic: Topic, { termCount }: SourceIndex): boolean {
  const { isOtherLanguage, exactEvidence, sharedTermCount } = topic
  return (
    isOtherLanguage &&
    termCount >= gateLimits.minSourceTerms &&
    exactEvidence <= 0 &&
    sharedTermCount < topic.termCount * gateLimits.minSharedTerms
  )
}

/** `The user and the assistant made progress` fits every conversation. */
function saysNothing(topic: Topic, { termCount }: SourceIndex): boolean {
  if (topic.termCount === 0) return termCount >= gateLimits.minTermsToSummarize
  const sharesNone = topic.sharedTermCount === 0 && !topic.isOtherLanguage
  return sharesNone && termCount >= gateLimits.minSourceTerms
}

function inventedReasons(repaired: RepairedDraft, index: SourceIndex): readonly GateReason[] {
  const { draft, invented, valueCount, repairs, lostShare, remainingPieces } = repaired
  // A few invented values are slips: removing them may cost more of the text.
  const areSlips = invented.length <= gateLimits.maxSlips
  const isRepairSmall =
    lostShare <= (areSlips ? gateLimits.maxLostToSlips : gateLimits.maxLost) &&
    repairs.length <= maxRepairs &&
    remainingPieces > 0 &&
    (areSlips || invented.length / valueCount < gateLimits.maxInventedShare)
  // Check the repaired draft again as a whole, so that no invented value remains.
  const remaining = unsupportedValues(draftText(draft), index)
  if (remaining.length === 0 && (invented.length === 0 || isRepairSmall)) return []
  const named = invented.length > 0 ? invented : remaining.map(({ text }) => text)
  return [gateReason('invented-values', named.slice(0, gateLimits.maxNamedValues).join(', '))]
}

function sizeReasons(draft: Draft, { limits, replacedTokens, meter }: GateOptions) {
  const tokens = meter.text(draftText(draft))
  const reasons: GateReason[] = []
  if (tokens > limits.tokens)
    reasons.push(gateReason('over-limit', `${tokens} of ${limits.tokens} tokens`))
  if (tokens >= replacedTokens)
    reasons.push(gateReason('not-smaller', `${tokens} for ${replacedTokens} tokens`))
  return reasons
}

const minSharedFraction = 0.75
const minRuleWords = 3

/** Whether a sentence repeats a pin without its "not" or with another number. */
export function contradictsPins(text: string, pins: readonly string[]): boolean {
  const all = pins.flatMap(segmentsOfText).map(ruleOf)
  const rules = all.filter(({ words }) => words.size >= minRuleWords)
  if (rules.length === 0) return false
  const rulesByWord = new Map<string, Rule[]>()
  for (const rule of rules)
    for (const word of rule.words) getOrMake(rulesByWord, word, (): Rule[] => []).push(rule)
  return segmentsOfText(text).some((sentence) => contradicts(ruleOf(sentence), rulesByWord))
}

interface Rule {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly isNegated: boolean
}

function ruleOf(sentence: string): Rule {
  const plain = sentence.toLowerCase().replaceAll('’', "'").replace(limitPhrases, ' ')
  const isContent = (word: string) => word.length > 2 && !/^\d+$/.test(word) && !negations.has(word)
  return {
    words: new Set(wordsOf(plain).filter(isContent)),
    numbers: new Set(plain.match(/\d+/g)),
    isNegated: negationPattern.test(plain),
  }
}

function contradicts(statement: Rule, rulesByWord: ReadonlyMap<string, readonly Rule[]>): boolean {
  const shared = new Map<Rule, number>()
  for (const word of statement.words)
    for (const rule of rulesByWord.get(word) ?? []) shared.set(rule, (shared.get(rule) ?? 0) + 1)
  for (const [rule, count] of shared) {
    if (count / rule.words.size < minSharedFraction) continue
    // A much longer sentence is about something else too.
    if (statement.words.size > rule.words.size * 2 + 2) continue
    if (rule.isNegated !== statement.isNegated) return true
    if (statement.numbers.size > 0 && !rule.numbers.isSubsetOf(statement.numbers)) return true
  }
  return false
}
