import type { ConversationSummary } from '../../domain/summary.ts'
import type { View } from '../../domain/view.ts'

const heading = '[Previous Conversation Summary]'

export function summaryOf(
  view: Pick<View, 'epoch' | 'line' | 'past'> | null,
): ConversationSummary | null {
  const past = view?.past ?? null
  if (view === null || past === null || past.summary === '') return null
  const { createdAt, updatedAt, summary: content, digest, written } = past
  return {
    createdAt,
    updatedAt,
    content,
    tokensUsed: written?.tokensUsed ?? digest?.digest.tokensUsed ?? 0,
    messagesIncluded: digest?.digest.messages ?? view.line,
    version: written?.version ?? digest?.digest.version ?? view.epoch,
  }
}

export interface SummaryMessage {
  readonly role: 'system'
  readonly content: string
}

/**
 * The message that the published rule digest puts behind the system prompt; null where there
 * is no summary. It stems from tools too: a context of ours gives it as a user's data instead.
 *
 * @example
 * const message = summaryMessage(await chat.summary({ model: 'openai/gpt-5-mini' }))
 */
export function summaryMessage(summary: ConversationSummary | null): SummaryMessage | null {
  if (typeof summary?.content !== 'string') return null
  const { content } = summary
  // One that a model has written for it has its heading already.
  const isHeaded = content.startsWith(`${heading}\n`)
  return { role: 'system', content: isHeaded ? content : `${heading}\n${content}` }
}
