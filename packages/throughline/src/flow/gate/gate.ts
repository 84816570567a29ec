/**
 * The gate between a model's draft and the history. Pure.
 *
 * A draft passes, repaired perhaps, or nothing changes. What is right only letter by letter must
 * be in a source.
 * Small faults are repaired and listed, doubts are marked, everything else is refused with all
 * reasons found.
 */
import { hasDataBlockNotice } from '../../domain/data-block.ts'
import type { Draft, DraftMark, DraftRepair } from '../../domain/summary.ts'
import type { Meter } from '../measure/measure.ts'
import {
  degenerateReason,
  isCutOff,
  isSkeleton,
  isThinkingAloud,
  withoutThinking,
} from './draft-form.ts'
import { draftText, passageWords } from './draft-text.ts'
import { isEcho, isProviderError, isRefusal } from './failed-answer.ts'
import { gateLimits } from './gate-data.ts'
import { isWrongLanguage } from './language.ts'
import { marksOf } from './marks.ts'
import { touchesPins } from './pins.ts'
import { mostRepairs, type RepairedDraft, repaired } from './repair.ts'
import { type GateSource, indexSources, SourceIndex, unsupportedValues } from './source-index.ts'
import { refusedBelow, type Topic, topicOf } from './topic.ts'

type RefusalReason =
  | ('empty' | 'whitespace' | 'not-json' | 'wrong-schema' | 'cut-off' | 'degenerate')
  | ('thinking-only' | 'refusal' | 'provider-error' | 'echo' | 'forged-block')
  | ('over-limit' | 'not-smaller' | 'too-short' | 'says-nothing')
  | ('pins-touched' | 'invented-values' | 'other-conversation' | 'wrong-language')

interface GateReason {
  readonly reason: RefusalReason
  /** What a person wants to know of it: the values that were made up, the figures. */
  readonly detail: string | null
}

export interface GateOptions {
  /** An index serves many drafts of the same sources. */
  readonly sources: SourceIndex | readonly GateSource[]
  readonly limits: { readonly tokens: number }
  readonly replacedTokens: number
  readonly pins: readonly string[]
  readonly asked: DraftOrigin
  readonly meter: Pick<Meter, 'text'>
}

export interface DraftOrigin {
  /** The instructions, without the messages and the summary before: to repeat that is no echo. */
  readonly prompt: string
  readonly finish: 'stop' | 'length' | 'filter' | 'other'
  /** Why the answer could not be read as what was asked for; the draft holds its text then. */
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

/**
 * For example:
 * gate(draft, { sources, limits: { tokens: 500 }, replacedTokens: 9_000, pins: [], asked, meter })
 * // { kind: 'refused', reasons: [{ reason: 'invented-values', detail: '8c41f7e' }] }
 */
export function gate(draft: Draft, options: GateOptions): GateOutcome {
  const mostCharacters = Math.max(options.limits.tokens, 1) * gateLimits.charactersPerToken
  const { length } = draftText(draft)
  if (length > mostCharacters)
    return { kind: 'refused', reasons: [because('over-limit', `${length} characters`)] }
  const spoken = withoutThinking(draft.text)
  const form = formReasons(draft.text, spoken.text, options.asked)
  if (form.length > 0) return { kind: 'refused', reasons: form }
  const index =
    options.sources instanceof SourceIndex ? options.sources : indexSources(options.sources)
  const said = spoken.thought ? { ...draft, text: spoken.text } : draft
  const fixed = repaired(said, index)
  const topic = topicOf(draftText(said), index)
  const reasons = [
    ...contentReasons(draftText(said), options, index, topic),
    ...inventedReason(fixed, index),
    ...measuredReasons(fixed.draft, options),
  ]
  if (reasons.length > 0) return { kind: 'refused', reasons }
  const thinking = spoken.thought ? [{ kind: 'thinking-removed' } as const] : []
  const marks = marksOf(draftText(fixed.draft), index, topic)
  return { kind: 'passed', draft: fixed.draft, repairs: [...thinking, ...fixed.repairs], marks }
}

function because(reason: RefusalReason, detail: string | null = null): GateReason {
  return { reason, detail }
}

function formReasons(text: string, spoken: string, asked: DraftOrigin): readonly GateReason[] {
  if (asked.unread !== null) return [because(asked.unread)]
  if (text === '') return [because('empty')]
  if (!/[\p{L}\p{N}]/u.test(text)) return [because('whitespace')]
  if (!/[\p{L}\p{N}]/u.test(spoken) || isThinkingAloud(spoken)) return [because('thinking-only')]
  if (isSkeleton(spoken)) return [because('empty', 'headings without content')]
  const degenerate = degenerateReason(spoken)
  if (degenerate !== null) return [because('degenerate', degenerate)]
  if (asked.finish === 'filter' || isRefusal(spoken)) return [because('refusal')]
  if (isProviderError(spoken)) return [because('provider-error')]
  if (asked.finish === 'length' || isCutOff(spoken)) return [because('cut-off')]
  // A value where prose was asked for: a reader has taken it for the text.
  return isJsonValue(spoken) ? [because('wrong-schema')] : []
}

function isJsonValue(text: string): boolean {
  const plain = text.trim()
  if (!/^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(plain)) return false
  try {
    JSON.parse(plain)
    return true
  } catch {
    return false
  }
}

function contentReasons(
  text: string,
  { pins, asked, replacedTokens }: GateOptions,
  index: SourceIndex,
  topic: Topic,
): readonly GateReason[] {
  const reasons: GateReason[] = []
  const replacesMuch = replacedTokens >= gateLimits.fewTokens
  // `Done.` cannot take the place of a conversation, however true it is.
  if (replacesMuch && passageWords(text).length < gateLimits.leastWords)
    reasons.push(because('too-short'))
  if (isEcho(text, asked.prompt, index)) reasons.push(because('echo'))
  if (touchesPins(text, pins)) reasons.push(because('pins-touched'))
  // It could not end the block that it is in, and still pass for a pin within it.
  if (hasDataBlockNotice(text)) reasons.push(because('forged-block'))
  const isWrong = topic.exact <= 0 && isWrongLanguage(text, asked.prompt, index)
  if (isWrong || isUnproven(topic, index)) reasons.push(because('wrong-language'))
  else if (topic.evidence < refusedBelow) reasons.push(because('other-conversation'))
  else if (replacesMuch && reasons.length === 0 && saysNothing(topic, index))
    reasons.push(because('says-nothing'))
  return reasons
}

/** In the language of the instructions, and with no name or word of the conversation in it. */
function isUnproven(topic: Topic, { termCount }: SourceIndex): boolean {
  const { isOtherLanguage, exact, shared, terms } = topic
  return (
    isOtherLanguage &&
    termCount >= gateLimits.fewTerms &&
    exact <= 0 &&
    shared < terms * gateLimits.leastShared
  )
}

/** `The user and the assistant made progress` is true of everything. */
function saysNothing(
  { terms, shared, isOtherLanguage }: Topic,
  { termCount }: SourceIndex,
): boolean {
  if (terms === 0) return termCount >= gateLimits.veryFewTerms
  return shared === 0 && termCount >= gateLimits.fewTerms && !isOtherLanguage
}

function inventedReason(fixed: RepairedDraft, index: SourceIndex): readonly GateReason[] {
  const { invented, values, repairs, lostShare, leftPieces } = fixed
  const areFew = invented.length <= gateLimits.fewInvented
  const isLittle =
    lostShare <= (areFew ? gateLimits.mostLostToSlips : gateLimits.mostLost) &&
    repairs.length <= mostRepairs &&
    leftPieces > 0
  const areSlips = areFew || invented.length / values < gateLimits.mostInvented
  // What is repaired is read again as a whole: no made-up value is in force, whatever was done.
  const left = unsupportedValues(draftText(fixed.draft), index)
  if (left.length === 0 && (invented.length === 0 || (isLittle && areSlips))) return []
  const named = invented.length > 0 ? invented : left.map(({ text }) => text)
  return [because('invented-values', named.slice(0, gateLimits.mostNamed).join(', '))]
}

function measuredReasons(
  draft: Draft,
  { limits, replacedTokens, meter }: GateOptions,
): readonly GateReason[] {
  const tokens = meter.text(draftText(draft))
  const reasons: GateReason[] = []
  if (tokens > limits.tokens)
    reasons.push(because('over-limit', `${tokens} of ${limits.tokens} tokens`))
  if (tokens >= replacedTokens)
    reasons.push(because('not-smaller', `${tokens} for ${replacedTokens} tokens`))
  return reasons
}
