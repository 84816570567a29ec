/** The summary of a view, as a record and as a message. */
import type { Sha256 } from '../../domain/hash.ts'
import { type ConversationSummary, digestHeading } from '../../domain/summary.ts'
import type { HistoryBlocks, View } from '../../domain/view.ts'

export function summaryOf(
  view: Pick<View, 'epoch' | 'line' | 'history'> | null,
): ConversationSummary | null {
  const history = view?.history ?? null
  if (view === null || history === null) return null
  const { createdAt, updatedAt, digest, written } = history
  // Figures of the model's summary, or of the digest of tool lines. A chronicle has none.
  const toolLines = digest?.digest ?? null
  const content = summaryContent(history)
  if (content === '') return null
  return {
    createdAt,
    updatedAt,
    content,
    tokensUsed: written?.tokensUsed ?? toolLines?.tokensUsed ?? 0,
    messagesIncluded: toolLines?.messages ?? view.line,
    version: written?.version ?? toolLines?.version ?? view.epoch,
    withoutTools: (written ?? toolLines)?.withoutTools === true,
  }
}

/**
 * The user's requests and the summary. A digest of tool lines already says how many messages the
 * user wrote, so it is the whole content.
 */
export function summaryContent({
  requests,
  summary,
  digest,
}: Pick<HistoryBlocks, 'requests' | 'summary' | 'digest'>): string {
  if (digest !== null) return summary
  return [requests, summary].filter((text) => text !== '').join('\n\n')
}

/** The id is a hash of the content, so equal summaries have equal ids. */
export function withSummaryId<Content extends object>(record: Content, sha256: Sha256) {
  return { id: sha256(JSON.stringify(record)).slice(0, 32), ...record }
}

export interface SummaryMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/**
 * A message with the summary, as the design of the policy `rule-digest` puts it after the system
 * prompt; null if there is no summary. Text of tools, files or documents never has the system role
 * (invariant 15), so a summary with such sources is a user message.
 *
 * @example
 * const message = summaryMessage(await chat.summary({ model: 'openai/gpt-5-mini' }))
 */
export function summaryMessage(summary: ConversationSummary | null): SummaryMessage | null {
  if (typeof summary?.content !== 'string') return null
  const { content, withoutTools } = summary
  // A summary that a model wrote in the style of that design begins with the heading.
  const isHeaded = content.startsWith(`${digestHeading}\n`)
  return {
    role: withoutTools === true ? 'system' : 'user',
    content: isHeaded ? content : `${digestHeading}\n${content}`,
  }
}
