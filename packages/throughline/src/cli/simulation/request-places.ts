/**
 * Before which messages a model was asked. A reply may stand in several messages, with results of
 * its own calls between them: it was asked for once.
 */
import type { RecordedConversation } from './recorded-conversation.ts'

export function requestPlaces({ calls, messages }: RecordedConversation): readonly number[] {
  const answered = new Set<string>()
  return calls.filter((place) => {
    const message = messages[place]
    // People among themselves: there, one follows the talk.
    if (message?.role !== 'assistant') return true
    const reply = message.meta?.['responseId']
    const goesOn =
      messages[place - 1]?.role === 'assistant' ||
      (typeof reply === 'string' && answered.has(reply))
    if (typeof reply === 'string') answered.add(reply)
    return !goesOn
  })
}
