/**
 * The fold of messages into a rule digest: the new ones become an update, and what there is no
 * more room for becomes counters. Nothing is lost without being counted, and nothing grows.
 * Pure, so that the same messages in the same pieces give the same digest.
 */
import type { RuleDigest } from '../../domain/rule-digest.ts'
import type { Meter } from '../measure/measure.ts'
import { type DroppedMessages, digestLines } from './digest-lines.ts'
import { condensedTo } from './digest-text.ts'

export interface FoldOptions {
  readonly maxSummaryTokens: number
  readonly preserveErrorDetails: boolean
  /** What a model had for this update; rules need none. */
  readonly tokensUsed?: number
  readonly meter: Pick<Meter, 'text'>
}

export function foldDigest(
  before: RuleDigest | null,
  dropped: DroppedMessages,
  { maxSummaryTokens, preserveErrorDetails, tokensUsed = 0, meter }: FoldOptions,
): RuleDigest {
  const known = before ?? nothing
  const version = known.version + 1
  const lines = digestLines(dropped, { preserveErrorDetails })
  const folded: RuleDigest = {
    version,
    items: known.items + lines.length,
    messages: known.messages + dropped.messages.length,
    tokensUsed: known.tokensUsed + tokensUsed,
    updates: lines.length === 0 ? known.updates : [...known.updates, { version, lines }],
    condensed: known.condensed,
  }
  return condensedTo(folded, maxSummaryTokens, meter)
}

const nothing: RuleDigest = {
  version: 0,
  items: 0,
  messages: 0,
  tokensUsed: 0,
  updates: [],
  condensed: [],
}
