/**
 * The fold of messages into a rule digest: the new ones become an update, and what there is no
 * more room for becomes counters. Nothing is lost without being counted, and nothing grows.
 * Pure, so that the same messages in the same pieces give the same digest.
 */
import { defaults } from '../../defaults.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Narrative } from '../../domain/policy.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { DigestedTo, RuleDigest } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { type DroppedMessages, digestLines } from './digest-lines.ts'
import { condensedTo, digestText } from './digest-text.ts'

interface FoldOptions {
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

/** The narrative as lines of tools: what the view before had, with what went below the line since. */
interface ToolLines {
  readonly text: string
  readonly digest: DigestedTo
}

/** `from`: messages before it are described elsewhere. */
export type RenderToolLines = (from: Seq, line: Seq, mostTokens: number) => Promise<ToolLines>

export function toolLinesRenderer(
  log: Pick<LogReader, 'read'>,
  /** Null where there was none, or of another history. */
  before: DigestedTo | null,
  { errorDetails }: Extract<Narrative, { style: 'tool-lines' }>,
  meter: Pick<Meter, 'text'>,
): RenderToolLines {
  return async (from, line, mostTokens) => {
    // Where the line went back, or a summary tells the beginning, the digest begins anew.
    const known = before !== null && before.to <= line && from === 0 ? before : null
    const first = Math.max(known?.to ?? from, line - defaults.pastMessages.value)
    const messages = await readAll(log, first, line)
    const digest =
      known !== null && messages.length === 0
        ? known.digest
        : foldDigest(
            known?.digest ?? null,
            { messages, calls: new Map() },
            { maxSummaryTokens: mostTokens, preserveErrorDetails: errorDetails, meter },
          )
    return { text: digestText(digest, mostTokens, meter), digest: { to: line, digest } }
  }
}

async function readAll(
  log: Pick<LogReader, 'read'>,
  from: Seq,
  to: Seq,
): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (let at = from; at < to; at += defaults.pageMessages.value)
    messages.push(
      ...(await log.read({ from: at, to: Math.min(to, at + defaults.pageMessages.value) }, [])),
    )
  return messages.filter((message) => !isRemoved(message))
}
