/** A rule digest read as the record of a summary, and as the message that tells a model of it. */
import type { ConversationSummary } from '../domain/conversation-summary.ts'
import type { RuleDigest } from '../domain/rule-digest.ts'
import { digestText } from './digest-text.ts'
import type { Meter } from './measure.ts'

export interface SummaryReading {
  /** Of the first update, and of the last. */
  readonly createdAt: number
  readonly updatedAt: number
  /** For the message, its heading with it. */
  readonly mostTokens: number
  readonly meter: Pick<Meter, 'text'>
}

const heading = '[Previous Conversation Summary]'

/** Null where nothing was summarized yet, or where it was cleared. */
export function summaryOf(
  digest: RuleDigest | null,
  { createdAt, updatedAt, mostTokens, meter }: SummaryReading,
): ConversationSummary | null {
  if (digest === null) return null
  const { tokensUsed, messages: messagesIncluded, version } = digest
  const content = contentOf(digest, mostTokens, meter)
  return { createdAt, updatedAt, content, tokensUsed, messagesIncluded, version }
}

const tries = 4

function contentOf(digest: RuleDigest, mostTokens: number, meter: Pick<Meter, 'text'>): string {
  let room = mostTokens - meter.text(`${heading}\n`)
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const content = digestText(digest, room, meter)
    const over = meter.text(withHeading(content)) - mostTokens
    if (content === '' || over <= 0) return content
    room -= over
  }
  return ''
}

interface SummaryMessage {
  readonly role: 'system'
  readonly content: string
}

/** Null where there is nothing to tell. */
export function summaryMessage(summary: ConversationSummary | null): SummaryMessage | null {
  if (summary === null || summary.content === '') return null
  return { role: 'system', content: withHeading(summary.content) }
}

function withHeading(content: string): string {
  return `${heading}\n${content}`
}
