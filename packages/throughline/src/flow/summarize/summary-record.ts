import type { ConversationSummary } from '../../domain/summary.ts'
import type { HistoryBlocks, View } from '../../domain/view.ts'

const heading = '[Previous Conversation Summary]'

export function summaryOf(
  view: Pick<View, 'epoch' | 'line' | 'history'> | null,
): ConversationSummary | null {
  const history = view?.history ?? null
  if (view === null || history === null) return null
  const { createdAt, updatedAt, digest, written } = history
  const content = summaryContent(history)
  if (content === '') return null
  return {
    createdAt,
    updatedAt,
    content,
    tokensUsed: written?.tokensUsed ?? digest?.digest.tokensUsed ?? 0,
    messagesIncluded: digest?.digest.messages ?? view.line,
    version: written?.version ?? digest?.digest.version ?? view.epoch,
  }
}

/** A digest of tool lines counts the user's messages itself; other digests follow the user's words. */
export function summaryContent({
  requests,
  summary,
  digest,
}: Pick<HistoryBlocks, 'requests' | 'summary' | 'digest'>): string {
  if (digest !== null) return summary
  return [requests, summary].filter((text) => text !== '').join('\n\n')
}

export interface SummaryMessage {
  readonly role: 'system'
  readonly content: string
}

/**
 * The message that the published rule digest puts after the system prompt; null if there
 * is no summary. Parts of it come from tools, so contexts show it as data in a user message instead.
 *
 * @example
 * const message = summaryMessage(await chat.summary({ model: 'openai/gpt-5-mini' }))
 */
export function summaryMessage(summary: ConversationSummary | null): SummaryMessage | null {
  if (typeof summary?.content !== 'string') return null
  const { content } = summary
  // A model's summary in that style has the heading already.
  const isHeaded = content.startsWith(`${heading}\n`)
  return { role: 'system', content: isHeaded ? content : `${heading}\n${content}` }
}
